import { Button, Select, Textarea, TextInput } from '@mantine/core';
import {
  listPipedriveTemplates,
  type PanelPerson,
  type PanelSender,
  type PanelTemplate,
  sendPipedriveMessage,
} from '@parley/contract/crm/pipedrive.ts';
import { MAX_TEXT } from '@parley/contract/messages/messages.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { IconSend2 } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../kernel/http/client.ts';
import { useAction } from '../../kernel/http/query.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import styles from './Panel.module.css';
import { panelHeaders, usePanelQuery, usePanelSession } from './panel_call.ts';

interface PanelComposerProps {
  sender: PanelSender;
  recipient: { person: PanelPerson; number: string };
}

/** Writes a text, or fills a template. Templates of WhatsApp also open a closed session. */
export function PanelComposer({ sender, recipient }: PanelComposerProps) {
  const session = usePanelSession();
  const [text, setText] = useState('');
  const [template, setTemplate] = useState<PanelTemplate | null>(null);
  const [values, setValues] = useState<string[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  const send = useAction(sendPipedriveMessage, {
    headers: () => panelHeaders(session),
    onSuccess: () => {
      setText('');
      setTemplate(null);
      // The button lost the focus while it was disabled. The field is also shown after a template.
      requestAnimationFrame(() => field.current?.focus());
    },
    // The error is shown above the button.
    onError: () => {},
  });
  const tooLong = textLength(text) > MAX_TEXT;
  const isReady = template ? isFilled(template, values) : text.trim() !== '' && !tooLong;
  const choose = (chosen: PanelTemplate | null) => {
    setTemplate(chosen);
    setValues(chosen ? startValues(chosen, recipient.person.name) : []);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || send.isPending) return;
    const { person, number } = recipient;
    send.mutate({
      body: {
        sender_id: sender.id,
        to: `+${number}`,
        person_id: person.id,
        deal_id: person.deal_id,
        ...(template ? { template: template.id, variables: values.map((value) => value || null) } : { text }),
      },
    });
  };
  return (
    <form className={styles.composer} onSubmit={submit} aria-label="New message">
      <TemplateSelect sender={sender} template={template} onChange={choose} />
      {template ? (
        <TemplateFields template={template} values={values} onChange={setValues} />
      ) : (
        <Textarea
          ref={field}
          aria-label="Message"
          placeholder={`Message to ${recipient.person.name}`}
          autosize
          minRows={2}
          maxRows={6}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={tooLong ? `A message can have at most ${MAX_TEXT} characters` : null}
          dir="auto"
        />
      )}
      {send.error instanceof ApiError && <Notice tone="fail">{send.error.message}</Notice>}
      <Button
        type="submit"
        loading={send.isPending}
        disabled={!isReady}
        leftSection={<IconSend2 size={16} aria-hidden />}
        fullWidth
      >
        Send message
      </Button>
    </form>
  );
}

interface TemplateSelectProps {
  sender: PanelSender;
  template: PanelTemplate | null;
  onChange: (template: PanelTemplate | null) => void;
}

function TemplateSelect({ sender, template, onChange }: TemplateSelectProps) {
  const templates = usePanelQuery(listPipedriveTemplates, { query: { sender_id: sender.id } }).data?.data;
  if (!templates || templates.length === 0) return null;
  return (
    <Select
      aria-label="Template"
      placeholder="Use a template"
      data={templates.map(({ id, name }) => ({ value: id, label: name }))}
      value={template?.id ?? null}
      onChange={(id) => onChange(templates.find((one) => one.id === id) ?? null)}
      clearable
      searchable
    />
  );
}

interface TemplateFieldsProps {
  template: PanelTemplate;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

function TemplateFields({ template, values, onChange }: TemplateFieldsProps) {
  return (
    <>
      <p className={styles.preview} dir="auto">
        {template.text}
      </p>
      {template.placeholders.map(({ name, fallback }, index) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
          key={index}
          label={name.replaceAll('_', ' ')}
          placeholder={fallback ?? ''}
          value={values[index] ?? ''}
          onChange={({ currentTarget: { value } }) => onChange(values.map((old, at) => (at === index ? value : old)))}
        />
      ))}
    </>
  );
}

const isFilled = ({ placeholders }: PanelTemplate, values: readonly string[]): boolean =>
  placeholders.every(({ fallback }, index) => fallback !== null || (values[index] ?? '').trim() !== '');

/** The name of the person fills the placeholders of contacts. */
function startValues({ placeholders }: PanelTemplate, person: string): string[] {
  const [first_name = '', ...rest] = person.split(' ');
  const known: Record<string, string> = { first_name, last_name: rest.join(' ') };
  return placeholders.map(({ name }) => known[name] ?? '');
}

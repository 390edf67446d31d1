/** "Reply from Template": choose an approved template, fill in its placeholders, and see the message. */
import { Button, Modal, TextInput } from '@mantine/core';
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { MAX_VARIABLE } from '@parley/contract/templates/draft.ts';
import { type Filled, fillTemplate, templatePlaceholders } from '@parley/contract/templates/rules.ts';
import type { Template } from '@parley/contract/templates/templates.ts';
import { IconArrowLeft } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useReturnToOpener } from '../../ui/feedback/opener.ts';
import { channelView } from '../index.ts';
import { ContentView } from '../preview/ContentView.tsx';
import styles from './Dialogs.module.css';
import { personName } from './person_name.ts';
import type { ReplyBody } from './reply_body.ts';
import { TemplateChoices } from './TemplateChoices.tsx';

/** The recipient data that a template needs. It comes from a conversation or, in a test, from a phone. */
export type Addressee = Pick<Conversation, 'channel' | 'sender' | 'contact_name' | 'profile_name'>;

interface Props {
  conversation: Addressee;
  title?: string;
  /** The label of the button that completes the dialog. */
  action?: string;
  onSend: (body: ReplyBody) => void;
  onClose: () => void;
}

export default function TemplateDialog({
  conversation,
  title = 'Reply from Template',
  action = 'Send',
  onSend,
  onClose,
}: Props) {
  useReturnToOpener();
  const [template, setTemplate] = useState<Template | null>(null);
  return (
    <Modal opened onClose={onClose} title={title} size={560}>
      {template ? (
        <FillStep
          template={template}
          conversation={conversation}
          action={action}
          onBack={() => setTemplate(null)}
          onSend={(body) => {
            onSend(body);
            onClose();
          }}
        />
      ) : (
        <ChooseStep conversation={conversation} onChoose={setTemplate} />
      )}
    </Modal>
  );
}

/** Focuses the first field of a step. The dialog itself does this only for its first step. */
function useFirstFocus(step: RefObject<HTMLElement | null>): void {
  useEffect(() => step.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [step]);
}

function ChooseStep({ conversation, onChoose }: { conversation: Addressee; onChoose: (template: Template) => void }) {
  const step = useRef<HTMLDivElement>(null);
  useFirstFocus(step);
  const { channel, sender } = conversation;
  return (
    <div ref={step} className={styles.body}>
      <TemplateChoices channel={channel} sender={sender} onChoose={onChoose} />
    </div>
  );
}

interface FillProps {
  template: Template;
  conversation: Addressee;
  action: string;
  onBack: () => void;
  onSend: (body: ReplyBody) => void;
}

/** The placeholder's value, taken from the recipient's name; empty for placeholders other than the name. */
function nameValue(placeholder: string, conversation: Addressee): string {
  const [first = '', ...rest] = personName(conversation).split(' ');
  return placeholder === 'first_name' ? first : placeholder === 'last_name' ? rest.join(' ') : '';
}

function FillStep({ template, conversation, action, onBack, onSend }: FillProps) {
  const step = useRef<HTMLFormElement>(null);
  useFirstFocus(step);
  const placeholders = templatePlaceholders(template);
  const [values, setValues] = useState(() => placeholders.map(({ name }) => nameValue(name, conversation)));
  const [isTried, setTried] = useState(false);
  const filled = fillTemplate(template, values);
  const problem = filled.findings[0]?.message ?? null;
  const submit = () => {
    setTried(true);
    if (!problem) return onSend({ text: filled.text, template: template.id, variables: values });
    const empty = values.findIndex((value, at) => !value.trim() && !placeholders[at]!.fallback);
    if (empty >= 0) step.current?.querySelectorAll('input')[empty]?.focus();
  };
  return (
    <form
      ref={step}
      className={styles.body}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // In the React tree, the dialog can be inside another form.
        event.stopPropagation();
        submit();
      }}
    >
      <Button
        className={styles.back}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowLeft size={15} aria-hidden />}
        onClick={onBack}
      >
        All templates
      </Button>
      {placeholders.map(({ name, tag, fallback }, at) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: a placeholder has no identity but its position
          key={at}
          label={tag}
          {...(fallback ? { description: `If empty: “${fallback}”` } : {})}
          value={values[at]}
          error={isTried && !values[at]?.trim() && !fallback}
          maxLength={MAX_VARIABLE + 1}
          data-autofocus={at === 0 || undefined}
          onChange={(event) => setValues(values.with(at, event.currentTarget.value))}
          aria-label={`${name}, variable ${at + 1}`}
        />
      ))}
      <FilledMessage channel={conversation.channel} filled={filled} />
      {isTried && problem && (
        <p className={styles.wrong} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.feet}>
        <Button type="submit" data-autofocus={placeholders.length === 0 || undefined}>
          {action}
        </Button>
      </div>
    </form>
  );
}

function FilledMessage({ channel, filled }: { channel: Addressee['channel']; filled: Filled }) {
  return (
    <div className={styles.preview} data-channel={channel} role="img" aria-label="Message preview" dir="auto">
      <ContentView content={filled.content && { ...filled.content, template: null }}>
        {channelView(channel).formatText(filled.text)}
      </ContentView>
    </div>
  );
}

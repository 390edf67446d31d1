/** The content of a fallback step: the message's own text, a different text, or a template. */
import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import { IconTemplate } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import styles from './Fallbacks.module.css';
import type { FallbackStep } from './fallback_steps.ts';
import { Problem } from './Problem.tsx';
import type { StepFieldsProps } from './step_fields.ts';

const TemplateDialog = lazyPart(() => import('../compose/TemplateDialog.tsx'));

const SOURCES = [
  { value: 'same', label: 'Same text' },
  { value: 'other', label: 'Different text' },
  { value: 'template', label: 'Template' },
] as const;

type Props = Pick<StepFieldsProps, 'steps' | 'at' | 'content' | 'options' | 'fieldError' | 'onChange'>;

export function ContentFields(props: Props) {
  const { steps, at, content, options, fieldError, onChange } = props;
  const { channel, from, source, text } = steps[at]!;
  const { label, session } = channelRules(channel);
  const { shared, senders } = options[channel];
  const code = senders.find(({ value }) => value === from)?.code ?? '';
  const sources = SOURCES.filter(({ value }) => value !== 'template' || !shared.includes(from));
  return (
    <div className={styles.content}>
      <SegmentedControl
        size="xs"
        aria-label={`Content for ${label}`}
        value={source}
        data={sources.map((option) => ({ ...option }))}
        onChange={(next) => onChange({ source: next as FallbackStep['source'] })}
      />
      {source === 'same' && (
        <div data-field={`fallbacks.${at}.text`}>
          <p className={styles.same}>{content.text.trim() || 'The message has no text yet.'}</p>
          <Problem>{fieldError('text')}</Problem>
        </div>
      )}
      {source === 'other' && (
        <Textarea
          aria-label={`Message for ${label}`}
          autosize
          minRows={2}
          maxRows={6}
          value={text}
          error={fieldError('text')}
          wrapperProps={{ 'data-field': `fallbacks.${at}.text` }}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
      )}
      {source === 'template' && <TemplateField {...props} label={label} sender={code} />}
      {session?.outside === 'templates' && source !== 'template' && (
        <p className={styles.hint}>
          {label} accepts text only within {session.hours} hours of the recipient’s last message. Templates can be sent
          at any time.
        </p>
      )}
    </div>
  );
}

function TemplateField({ steps, at, fieldError, onChange, label, sender }: Props & { label: string; sender: string }) {
  const [isOpen, setOpen] = useState(false);
  const { channel, template } = steps[at]!;
  return (
    <div className={styles.template} data-field={`fallbacks.${at}.template`}>
      {template && <p className={styles.same}>{template.text}</p>}
      <Button
        className={styles.add}
        variant="default"
        size="xs"
        leftSection={<IconTemplate size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {template ? 'Change template' : 'Choose template'}
      </Button>
      <Problem>{fieldError('template')}</Problem>
      <Suspense>
        {isOpen && (
          <TemplateDialog
            conversation={{ channel, sender, contact_name: '', profile_name: '' }}
            title={`Template for ${label}`}
            action="Use template"
            onSend={({ text, template: id, variables }) => onChange({ template: { text, template: id, variables } })}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </div>
  );
}

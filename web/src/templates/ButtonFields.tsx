/** A template's buttons. Their number and types depend on the channel. */
import { ActionIcon, Button as Press, Select, TextInput } from '@mantine/core';
import type { Button } from '@parley/contract/messages/content.ts';
import { MAX_BUTTON_TEXT } from '@parley/contract/templates/draft.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ButtonView } from '../channels/channel.ts';
import { channelView } from '../channels/index.ts';
import styles from './Templates.module.css';
import type { TemplateForm } from './useTemplateForm.ts';

const TYPE_LABELS: Readonly<Record<Button['type'], string>> = {
  quick_reply: 'Quick reply',
  link: 'Open website',
  phone_call: 'Call phone number',
};

export function ButtonFields({ form }: { form: TemplateForm }) {
  const { draft, change, fieldError } = form;
  const { buttons } = draft;
  const view = channelView(draft.channel).buttons;
  const error = fieldError('buttons');
  return (
    <fieldset className={styles.group} data-field="buttons">
      <legend className={styles.label}>{view.max_template > 1 ? 'Buttons' : 'Button'}</legend>
      {buttons.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a button has no identity but its position
        <LegacyButton key={at} form={form} at={at} view={view} />
      ))}
      {error && (
        <p className={styles.problem} role="alert">
          {error}
        </p>
      )}
      {buttons.length < view.max_template && (
        <Press
          variant="default"
          size="xs"
          className={styles.add}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => change({ buttons: withNewButton(buttons, view.template[0] ?? 'link') })}
        >
          Add button
        </Press>
      )}
      {view.template_hint && <p className={styles.hint}>{view.template_hint}</p>}
    </fieldset>
  );
}

/**
 * Adds a button at the end, but a quick reply after the last quick reply, because quick replies must be consecutive.
 */
function withNewButton(buttons: readonly Button[], type: Button['type']): Button[] {
  const last = type === 'quick_reply' ? buttons.findLastIndex((button) => button.type === type) : -1;
  return buttons.toSpliced(last < 0 ? buttons.length : last + 1, 0, { type, text: '', value: '' });
}

function LegacyButton({ form, at, view }: { form: TemplateForm; at: number; view: ButtonView }) {
  const { draft, change, fieldError } = form;
  const { buttons } = draft;
  const button = buttons[at]!;
  const put = (part: Partial<Button>) => change({ buttons: buttons.with(at, { ...button, ...part }) });
  return (
    <div className={styles.button}>
      {view.template.length > 1 && (
        <Select
          aria-label={`Type of button ${at + 1}`}
          className={styles.kind}
          data={view.template.map((value) => ({ value, label: TYPE_LABELS[value] }))}
          value={button.type}
          allowDeselect={false}
          onChange={(type) => put({ type: type as Button['type'], value: '' })}
        />
      )}
      <div data-field={`buttons.${at}.text`}>
        <TextInput
          label="Button text"
          description={`At most ${MAX_BUTTON_TEXT} characters`}
          required
          value={button.text}
          error={fieldError(`buttons.${at}.text`)}
          onChange={(event) => put({ text: event.currentTarget.value })}
        />
      </div>
      {button.type !== 'quick_reply' && (
        <div data-field={`buttons.${at}.value`}>
          <TextInput
            {...(button.type === 'link' ? { ...LINK, label: view.link_label } : PHONE)}
            required
            value={button.value}
            error={fieldError(`buttons.${at}.value`)}
            onChange={(event) => put({ value: event.currentTarget.value })}
          />
        </div>
      )}
      <ActionIcon
        className={styles.remove}
        variant="subtle"
        aria-label={`Remove button ${at + 1}`}
        onClick={() => change({ buttons: buttons.toSpliced(at, 1) })}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}

const LINK = { description: 'Must start with https', placeholder: 'https://', inputMode: 'url' } as const;
const PHONE = {
  label: 'Phone number',
  description: 'Include the country code, without spaces',
  placeholder: '+',
  inputMode: 'tel',
} as const;

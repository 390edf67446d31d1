/**
 * The buttons of a message without a template: one link, or quick replies if the channel supports them. The contract's
 * `readMessage` checks them.
 */
import { ActionIcon, Button as Press, SegmentedControl, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Button } from '@parley/contract/messages/content.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { FieldError } from '../field_errors.ts';
import { channelView } from '../index.ts';
import styles from './ReplyButtons.module.css';

interface Props {
  channel: ChannelName;
  /** Contains at least one button. */
  buttons: readonly Button[];
  onChange: (buttons: Button[]) => void;
  fieldError: FieldError;
}

type FieldsProps = Props & { change: (at: number, part: Partial<Button>) => void };

/** The initial buttons of a new message. */
export const firstButtons = (channel: ChannelName): Button[] => [
  { type: channelView(channel).buttons.reply[0] ?? 'link', text: '', value: '' },
];

export const trimButtons = (buttons: readonly Button[]): Button[] =>
  buttons.map(({ type, text, value }) => ({ type, text: text.trim(), value: value.trim() }));

const TYPE_LABELS: Readonly<Record<Button['type'], string>> = {
  quick_reply: 'Quick replies',
  link: 'Link',
  phone_call: 'Call',
};

export function ReplyButtons(props: Props) {
  const { channel, buttons, onChange, fieldError } = props;
  const types = channelView(channel).buttons.reply;
  const [{ type }] = buttons as [Button];
  const change = (at: number, part: Partial<Button>) =>
    onChange(buttons.map((button, index) => (index === at ? { ...button, ...part } : button)));
  const problem = fieldError('button');
  return (
    <div className={styles.root} data-field="button">
      {types.length > 1 && (
        <SegmentedControl
          className={styles.kinds}
          size="xs"
          aria-label="Button type"
          value={type}
          data={types.map((value) => ({ value, label: TYPE_LABELS[value] }))}
          onChange={(next) => onChange([{ ...buttons[0]!, type: next as Button['type'], value: '' }])}
        />
      )}
      {type === 'link' ? <LinkFields {...props} change={change} /> : <QuickReplyFields {...props} change={change} />}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function LinkFields({ channel, buttons, fieldError, change }: FieldsProps) {
  const { text, value } = buttons[0]!;
  return (
    <div className={styles.pair}>
      <TextInput
        label="Button text"
        description={`At most ${channelRules(channel).button_text} characters`}
        required
        value={text}
        error={fieldError('buttons.0.text')}
        wrapperProps={{ 'data-field': 'buttons.0.text' }}
        onChange={(event) => change(0, { text: event.currentTarget.value })}
      />
      <TextInput
        label={channelView(channel).buttons.link_label}
        description="Must start with https"
        placeholder="https://"
        required
        type="url"
        value={value}
        error={fieldError('buttons.0.value')}
        wrapperProps={{ 'data-field': 'buttons.0.value' }}
        onChange={(event) => change(0, { value: event.currentTarget.value })}
      />
    </div>
  );
}

function QuickReplyFields({ channel, buttons, onChange, fieldError, change }: FieldsProps) {
  const { max_buttons, button_text } = channelRules(channel);
  return (
    <>
      {buttons.map((button, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a button has no identity but its position
        <div key={at} className={styles.reply}>
          <TextInput
            label={`Quick reply ${at + 1}`}
            {...(at === 0 ? { description: `At most ${button_text} characters. Pressing it sends this text.` } : {})}
            required
            value={button.text}
            error={fieldError(`buttons.${at}.text`)}
            wrapperProps={{ 'data-field': `buttons.${at}.text` }}
            onChange={(event) => change(at, { text: event.currentTarget.value })}
          />
          {buttons.length > 1 && (
            <ActionIcon
              variant="subtle"
              aria-label={`Remove quick reply ${at + 1}`}
              onClick={() => onChange(buttons.toSpliced(at, 1))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </div>
      ))}
      {buttons.length < max_buttons && (
        <Press
          className={styles.add}
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...buttons, { type: 'quick_reply', text: '', value: '' }])}
        >
          Add quick reply
        </Press>
      )}
    </>
  );
}

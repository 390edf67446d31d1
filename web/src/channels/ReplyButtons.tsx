/**
 * Buttons below a message that no template stands behind: on WhatsApp quick replies or one link, on Viber one link. What is wrong with them the contract
 * says (`readMessage`); this draws it.
 */
import { ActionIcon, Button as Press, SegmentedControl, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Button } from '@parley/contract/messages/content.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ErrorOf } from './field_errors.ts';
import styles from './ReplyButtons.module.css';

interface Props {
  channel: ChannelName;
  /** At least one. */
  buttons: readonly Button[];
  onChange: (buttons: Button[]) => void;
  errorOf: ErrorOf;
}

/** What one begins with. */
export const firstButtons = (channel: ChannelName): Button[] => [
  { type: channel === 'WHATSAPP' ? 'quick_reply' : 'link', text: '', value: '' },
];

export const trimmed = (buttons: readonly Button[]): Button[] =>
  buttons.map(({ type, text, value }) => ({ type, text: text.trim(), value: value.trim() }));

const KINDS = [
  { value: 'quick_reply', label: 'Quick replies' },
  { value: 'link', label: 'Link' },
];

export function ReplyButtons({ channel, buttons, onChange, errorOf }: Props) {
  const { max_buttons, button_text } = channelRules(channel);
  const kind = buttons[0]!.type;
  const put = (at: number, part: Partial<Button>) =>
    onChange(buttons.map((button, index) => (index === at ? { ...button, ...part } : button)));
  const problem = errorOf('button');
  return (
    <div className={styles.root} data-field="button">
      {channel === 'WHATSAPP' && (
        <SegmentedControl
          className={styles.kinds}
          size="xs"
          aria-label="Kind of buttons"
          value={kind}
          data={KINDS}
          onChange={(next) => onChange([{ ...buttons[0]!, type: next as Button['type'], value: '' }])}
        />
      )}
      {kind === 'link' ? (
        <div className={styles.pair}>
          <TextInput
            label="Button text"
            description={`At most ${button_text} characters`}
            required
            value={buttons[0]!.text}
            error={errorOf('buttons.0.text')}
            wrapperProps={{ 'data-field': 'buttons.0.text' }}
            onChange={(event) => put(0, { text: event.currentTarget.value })}
          />
          <TextInput
            label={channel === 'VIBER' ? 'Button action URL' : 'Website URL'}
            description="Begins with https"
            placeholder="https://"
            required
            type="url"
            value={buttons[0]!.value}
            error={errorOf('buttons.0.value')}
            wrapperProps={{ 'data-field': 'buttons.0.value' }}
            onChange={(event) => put(0, { value: event.currentTarget.value })}
          />
        </div>
      ) : (
        <>
          {buttons.map((button, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
            <div key={at} className={styles.reply}>
              <TextInput
                label={`Quick reply ${at + 1}`}
                {...(at === 0 ? { description: `At most ${button_text} characters; pressed, it is their answer` } : {})}
                required
                value={button.text}
                error={errorOf(`buttons.${at}.text`)}
                wrapperProps={{ 'data-field': `buttons.${at}.text` }}
                onChange={(event) => put(at, { text: event.currentTarget.value })}
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
              Add a quick reply
            </Press>
          )}
        </>
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

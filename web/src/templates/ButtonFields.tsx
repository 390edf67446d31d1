/** Buttons below a message: one that opens a link on Viber; replies, websites and a phone number on WhatsApp. */
import { ActionIcon, Button as Press, Select, TextInput } from '@mantine/core';
import { MAX_BUTTONS_BY_TYPE, MAX_TEMPLATE_BUTTONS } from '@parley/contract/channels/whatsapp/buttons.ts';
import type { Button } from '@parley/contract/messages/content.ts';
import { MAX_BUTTON_TEXT } from '@parley/contract/templates/draft.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import styles from './Library.module.css';
import type { TemplateForm } from './useTemplateForm.ts';

const KINDS: Readonly<Record<Button['type'], string>> = {
  quick_reply: 'Quick reply',
  link: 'Open website',
  phone_call: 'Call phone number',
};
const VALUE: Readonly<Record<'link' | 'phone_call', { label: string; placeholder: string }>> = {
  link: { label: 'Website URL', placeholder: 'https://' },
  phone_call: { label: 'Phone number', placeholder: '+' },
};

export function ButtonFields({ form }: { form: TemplateForm }) {
  const { draft, change, errorOf } = form;
  const viber = draft.channel === 'VIBER';
  const { buttons } = draft;
  const most = viber ? 1 : MAX_TEMPLATE_BUTTONS;
  const put = (at: number, part: Partial<Button>) =>
    change({ buttons: buttons.map((button, index) => (index === at ? { ...button, ...part } : button)) });
  const add = () => {
    const type: Button['type'] = viber ? 'link' : 'quick_reply';
    // Quick replies stand together: a new one goes behind the last of them.
    const last = buttons.findLastIndex((button) => button.type === 'quick_reply');
    const at = viber || last < 0 ? buttons.length : last + 1;
    change({ buttons: buttons.toSpliced(at, 0, { type, text: '', value: '' }) });
  };
  const error = errorOf('buttons');
  return (
    <fieldset className={styles.group} data-field="buttons">
      <legend className={styles.label}>{viber ? 'Button' : 'Buttons'}</legend>
      {buttons.map((button, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
        <div key={at} className={styles.button}>
          {!viber && (
            <Select
              aria-label={`Kind of button ${at + 1}`}
              className={styles.kind}
              data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
              value={button.type}
              allowDeselect={false}
              onChange={(type) => put(at, { type: type as Button['type'], value: '' })}
            />
          )}
          <div data-field={`buttons.${at}.text`}>
            <TextInput
              label="Button text"
              description={`At most ${MAX_BUTTON_TEXT} characters`}
              required
              value={button.text}
              error={errorOf(`buttons.${at}.text`)}
              onChange={(event) => put(at, { text: event.currentTarget.value })}
            />
          </div>
          {button.type !== 'quick_reply' && (
            <div data-field={`buttons.${at}.value`}>
              <TextInput
                label={viber ? 'Button action URL' : VALUE[button.type].label}
                description={button.type === 'phone_call' ? 'With country code, without spaces' : 'Begins with https'}
                placeholder={VALUE[button.type].placeholder}
                inputMode={button.type === 'link' ? 'url' : 'tel'}
                required
                value={button.value}
                error={errorOf(`buttons.${at}.value`)}
                onChange={(event) => put(at, { value: event.currentTarget.value })}
              />
            </div>
          )}
          <ActionIcon
            className={styles.away}
            variant="subtle"
            aria-label={`Remove button ${at + 1}`}
            onClick={() => change({ buttons: buttons.toSpliced(at, 1) })}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {error && (
        <p className={styles.problem} role="alert">
          {error}
        </p>
      )}
      {buttons.length < most && (
        <Press
          variant="default"
          size="xs"
          className={styles.add}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
        >
          Add a button
        </Press>
      )}
      {!viber && (
        <p className={styles.hint}>
          Up to {MAX_TEMPLATE_BUTTONS} in all: {MAX_BUTTONS_BY_TYPE.link} websites, {MAX_BUTTONS_BY_TYPE.phone_call}{' '}
          phone number, the rest quick replies.
        </p>
      )}
    </fieldset>
  );
}

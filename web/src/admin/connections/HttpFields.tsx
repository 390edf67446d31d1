/** What WhatsApp or Viber has to be told: an address, what proves who we are, and how fast it may go. */
import { NumberInput, PasswordInput, TextInput } from '@mantine/core';
import styles from '../Admin.module.css';
import { type AnyForm, fieldsOf, Group } from './FormGroup.tsx';

interface Text {
  path: string;
  label: string;
  description?: string;
  required?: boolean;
  secret?: boolean;
}

const TEXTS: Record<'whatsapp' | 'viber', readonly Text[]> = {
  whatsapp: [
    {
      path: 'waba_id',
      label: 'WhatsApp business account id',
      description: 'Digits, of the WhatsApp Manager.',
      required: true,
    },
    {
      path: 'access_token',
      label: 'Access token',
      description: 'Of a system user, with messaging and management.',
      secret: true,
    },
    { path: 'app_id', label: 'App id', description: 'For the examples of templates that carry a file.' },
    { path: 'app_secret', label: 'App secret', description: 'Proves that a callback is from WhatsApp.', secret: true },
    { path: 'verify_token', label: 'Verify token', description: 'Made up by us when it is left empty.', secret: true },
  ],
  viber: [
    {
      path: 'auth_token',
      label: 'Callback token',
      description: 'Signs what Viber calls back with. Sending needs none: Viber knows our address.',
      secret: true,
    },
  ],
};

export function HttpFields({ form, adapter, known }: { form: AnyForm; adapter: 'whatsapp' | 'viber'; known: boolean }) {
  const { field } = fieldsOf(form);
  const number = (path: string, label: string, description: string, most: number, empty = false) => (
    <NumberInput
      label={label}
      description={description}
      min={1}
      max={most}
      thousandSeparator=","
      allowDecimal={false}
      key={form.key(path)}
      {...field(path)}
      {...(empty
        ? { onChange: (value: number | string) => form.setFieldValue(path, value === '' ? null : value) }
        : {})}
    />
  );
  return (
    <>
      <Group title="Access">
        <TextInput
          label="Address"
          description="Where its interface begins, version included."
          required
          autoComplete="off"
          key={form.key('settings.base_url')}
          {...field('settings.base_url')}
        />
        <div className={styles.pair}>
          {TEXTS[adapter].map(({ path, label, description, required = false, secret = false }) => {
            const Input = secret ? PasswordInput : TextInput;
            const kept = secret && known ? 'Left empty, the old one stays.' : description;
            return (
              <Input
                label={label}
                description={kept}
                required={required}
                autoComplete={secret ? 'new-password' : 'off'}
                key={form.key(`settings.${path}`)}
                {...field(`settings.${path}`)}
              />
            );
          })}
        </div>
      </Group>
      <Group title="Pace">
        <div className={styles.pair}>
          {number('settings.window', 'Window', 'Messages without an answer yet. 1 to 1,000.', 1_000)}
          {number('settings.throughput', 'Rate', 'Messages a second; empty: as fast as it goes.', 10_000, true)}
          {number('settings.timeout_ms', 'Answer within', 'Milliseconds.', 120_000)}
          {adapter === 'viber' &&
            number(
              'settings.in_a_row',
              'In a row',
              'Messages of a session without an answer, as agreed with the provider.',
              60,
            )}
          {adapter === 'viber' &&
            number(
              'settings.in_session',
              'In a session',
              'Messages of a session in all, as agreed with the provider.',
              1_000,
            )}
        </div>
      </Group>
    </>
  );
}

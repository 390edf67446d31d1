/** Settings of the HTTP adapters, WhatsApp and Viber: API URL, credentials, and throughput. */
import { PasswordInput, TextInput } from '@mantine/core';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import { type AnyForm, Group, NumberField } from './FormGroup.tsx';
import { KEEP_SECRET } from './words.ts';

interface Credential {
  path: string;
  label: string;
  description?: string;
  secret?: boolean;
}

const CREDENTIALS: Record<'whatsapp' | 'viber', readonly Credential[]> = {
  whatsapp: [
    {
      path: 'waba_id',
      label: 'WhatsApp Business account ID',
      description: 'The numeric ID from WhatsApp Manager.',
    },
    {
      path: 'access_token',
      label: 'Access token',
      description: 'A system user’s token with messaging and management permissions.',
      secret: true,
    },
    { path: 'app_id', label: 'App ID', description: 'Used to upload sample files for media templates.' },
    {
      path: 'app_secret',
      label: 'App secret',
      description: 'Verifies that callbacks come from WhatsApp.',
      secret: true,
    },
    { path: 'verify_token', label: 'Verify token', description: 'Generated if left empty.', secret: true },
  ],
  viber: [
    {
      path: 'auth_token',
      label: 'Callback token',
      description:
        'Verifies Viber callbacks. Sending does not use it, because Viber identifies your server by IP address.',
      secret: true,
    },
  ],
};

interface HttpFieldsProps {
  form: AnyForm;
  adapter: 'whatsapp' | 'viber';
  isNew: boolean;
}

export function HttpFields({ form, adapter, isNew }: HttpFieldsProps) {
  return (
    <>
      <Group title="Access">
        <Field
          form={form}
          name="settings.base_url"
          as={TextInput}
          label="API URL"
          description="Base URL of the API, including the version."
          autoComplete="off"
        />
        <Pair>
          {CREDENTIALS[adapter].map(({ path, label, description, secret = false }) => (
            <Field
              key={path}
              form={form}
              name={`settings.${path}`}
              as={secret ? PasswordInput : TextInput}
              label={label}
              description={secret && !isNew ? KEEP_SECRET : description}
              autoComplete={secret ? 'new-password' : 'off'}
            />
          ))}
        </Pair>
      </Group>
      <Group title="Throughput">
        <Pair>
          <NumberField
            form={form}
            name="settings.window"
            label="Window"
            description="Maximum unacknowledged messages, 1 to 1,000."
            min={1}
            max={1_000}
          />
          <NumberField
            form={form}
            name="settings.throughput"
            label="Rate"
            description="Messages per second. Leave empty for no limit."
            min={1}
            max={10_000}
          />
          <NumberField
            form={form}
            name="settings.timeout_ms"
            label="Response timeout"
            suffix=" ms"
            min={1}
            max={120_000}
          />
          {adapter === 'viber' && <ViberSessionFields form={form} />}
        </Pair>
      </Group>
    </>
  );
}

const ViberSessionFields = ({ form }: { form: AnyForm }) => (
  <>
    <NumberField
      form={form}
      name="settings.in_a_row"
      label="Messages in a row"
      description="Maximum number of messages per session without a reply, as agreed with Viber."
      min={1}
      max={60}
    />
    <NumberField
      form={form}
      name="settings.in_session"
      label="Messages per session"
      description="Maximum number of messages in a session, as agreed with Viber."
      min={1}
      max={1_000}
    />
  </>
);

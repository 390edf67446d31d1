/** The form that adds or edits a connection. Its groups are in the same order as a carrier's data sheet. */
import { Button, TextInput } from '@mantine/core';
import { type AdapterSettings, missingCredentials } from '@parley/contract/channels/adapter.ts';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import type { Connection, createConnection, updateConnection } from '@parley/contract/connections/connections.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import '../../kernel/schema/rules.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { issueText } from '../../kernel/form/rules.ts';
import type { CallInput } from '../../kernel/http/client.ts';
import { CONNECTIONS } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter, Pair } from '../../ui/form/FormParts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Admin.module.css';
import { type AnyForm, ChoiceField, Group, NumberField } from './FormGroup.tsx';
import { HttpFields } from './HttpFields.tsx';
import { isExample } from './provider_choices.ts';
import { SmppFields } from './SmppFields.tsx';
import { POLICIES } from './words.ts';

interface ConnectionFormProps {
  adapter: AdapterName;
  connection: Connection | null;
  /** Settings of a new connection that differ from the defaults. */
  preset?: object;
  /** Settings that are required in addition to those of the adapter. */
  requires?: readonly string[];
  /** The suggested name of a new connection. */
  name?: string;
  /** The settings to show up front; the others are collapsed. Null shows all. */
  front?: readonly string[] | null;
  endpoint: typeof createConnection | typeof updateConnection;
  /** Also receives the settings that were entered, because a response never contains secrets. */
  onDone: (connection: Connection, settings: Settings) => void;
}

const LABELS: Record<string, string> = {
  'settings.host': 'Host',
  'settings.port': 'Port',
  'settings.system_id': 'System ID',
  'settings.throughput': 'Rate',
  'settings.daily_limit': 'Daily limit',
  'settings.window': 'Window',
  'settings.binds': 'Binds',
  'settings.utc_offset_minutes': 'UTC offset in receipts',
  'settings.service_type': 'Service type',
  'settings.tls_ca': 'Certificate authority',
  'settings.tls_certificate': 'Client certificate',
  'settings.tls_key': 'Private key',
  'settings.base_url': 'API URL',
  ...credentialLabels(),
  unknown_grace_seconds: 'Grace period',
};

/** Labels for the credentials of all adapters. */
function credentialLabels(): Record<string, string> {
  const adapters: readonly AdapterSettings[] = Object.values(ADAPTERS);
  const credentials = adapters.flatMap((adapter) => adapter.credentials);
  return Object.fromEntries(credentials.map(({ name, label }) => [`settings.${name}`, label]));
}

type Settings = Record<string, unknown>;

type Initial = Pick<ConnectionFormProps, 'adapter' | 'connection' | 'preset' | 'name'>;

function initialValues({ adapter, connection, preset = {}, name: suggested = '' }: Initial) {
  const empty: Settings = { ...ADAPTERS[adapter].defaults, ...preset };
  if (!connection) {
    // Operators need no secret of their own, because the callback URL contains the generated one.
    if (empty.callback_secret === '') empty.callback_secret = newSecret();
    return { name: suggested, settings: { ...empty }, unknown_policy: 'fail', unknown_grace_seconds: 300 };
  }
  const { name, settings, unknown_policy, unknown_grace_seconds, secrets } = connection;
  const emptySecrets = Object.fromEntries(secrets.map((secret) => [secret, '']));
  return { name, settings: { ...empty, ...settings, ...emptySecrets }, unknown_policy, unknown_grace_seconds };
}

const newSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (octet) => octet.toString(16).padStart(2, '0')).join('');

const OPTIONAL_NUMBERS: ReadonlySet<string> = new Set(['throughput', 'daily_limit', 'utc_offset_minutes']);

type Values = ReturnType<typeof initialValues>;

/** Sends null for an empty number: no rate limit, or an unknown UTC offset. */
const toBody = ({ settings, ...rest }: Values) => ({
  ...rest,
  settings: Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, OPTIONAL_NUMBERS.has(name) && value === '' ? null : value]),
  ) as Settings,
});

/** Checks the settings against the adapter's schema, because the endpoint accepts any settings in an update. */
function checkSettings(
  adapter: AdapterName,
  { settings }: { settings: Settings },
  connection: Connection | null,
  requires: readonly string[],
): Record<string, string> {
  const issues = ADAPTERS[adapter].settings.safeParse(settings).error?.issues ?? [];
  const kept: readonly string[] = connection?.secrets ?? [];
  const missing = missingCredentials(ADAPTERS[adapter], settings).filter(({ name }) => !kept.includes(name));
  const needed = requires.filter((name) => !settings[name]).map((name) => `settings.${name}`);
  const isTemplate = typeof settings.base_url === 'string' && isExample(settings.base_url);
  return {
    ...(isTemplate ? { 'settings.base_url': 'Enter the API URL of the provider' } : {}),
    ...Object.fromEntries(needed.map((path) => [path, `${LABELS[path] ?? 'Value'} is required!`])),
    ...Object.fromEntries(missing.map(({ name, label }) => [`settings.${name}`, `${label} is required!`])),
    ...Object.fromEntries(
      issues.map((issue) => {
        const path = `settings.${issue.path.join('.')}`;
        return [path, issueText(issue as never, LABELS[path] ?? 'Value', settings)];
      }),
    ),
  };
}

function useConnectionForm(props: ConnectionFormProps) {
  const { adapter, connection, requires = [], endpoint, onDone } = props;
  const [initial] = useState(() => initialValues(props));
  const [entered, setEntered] = useState<Settings>(initial.settings);
  const toRequest = (values: Values) => (connection ? toBody(values) : { adapter, ...toBody(values) });
  return useContractForm(endpoint as typeof updateConnection, {
    initial,
    onChange: ({ settings }) => setEntered(settings),
    body: toRequest,
    input: (values) =>
      ({ ...(connection ? { params: { id: connection.id } } : {}), body: toRequest(values) }) as CallInput<
        typeof updateConnection
      >,
    check: (values) => checkSettings(adapter, toBody(values), connection, requires),
    labels: LABELS as never,
    invalidates: ['routes'],
    onDone: ({ data }) => {
      const effect = adapter === 'smpp' ? ' Its binds are reconnecting.' : '';
      toast.success(connection ? `${data.name} was saved.${effect}` : `${data.name} was added`);
      onDone(data, entered);
    },
  });
}

export function ConnectionForm(props: ConnectionFormProps) {
  const { adapter, connection, front = null } = props;
  const { form, bind, saveBar, sending, problem } = useConnectionForm(props);
  const isNew = connection === null;
  return (
    <Form {...bind} className={styles.form}>
      <Group title="Name">
        <Field
          form={form}
          name="name"
          as={TextInput}
          label="Name"
          description="For your reference. The carrier never sees it."
          data-autofocus
        />
      </Group>
      {adapter === 'smpp' ? (
        <>
          <SmppFields form={form} isNew={isNew} />
          <LostResponseFields form={form} />
        </>
      ) : (
        <HttpFields form={form} adapter={adapter} isNew={isNew} front={front}>
          <LostResponseFields form={form} />
        </HttpFields>
      )}
      {isNew ? (
        <FormFooter problem={problem}>
          <Button type="submit" loading={sending}>
            Add connection
          </Button>
          <Button variant="default" component={Link} to={CONNECTIONS}>
            Cancel
          </Button>
        </FormFooter>
      ) : (
        <SaveBar {...saveBar} save="Save connection" />
      )}
    </Form>
  );
}

function LostResponseFields({ form }: { form: AnyForm }) {
  return (
    <Group title="Lost responses">
      <p className={styles.hint}>
        After a crash or a dropped connection, it can be unclear whether the carrier accepted a message. Delivery
        receipts resolve most of these messages. This setting applies to the rest.
      </p>
      <Pair>
        <ChoiceField
          form={form}
          name="unknown_policy"
          choices={POLICIES}
          label="If the outcome is still unknown"
          description="Applies after the grace period."
        />
        <NumberField
          form={form}
          name="unknown_grace_seconds"
          label="Grace period"
          description="Counts only while the connection is up. Set it above the carrier’s retry interval for receipts."
          suffix=" s"
          min={1}
          max={86_400}
        />
      </Pair>
    </Group>
  );
}

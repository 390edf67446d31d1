/** The form of a connection, new or known. Its groups follow the questions of whoever has a carrier's data sheet in hand. */
import { Button, NumberInput, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { type Connection, type createConnection, SmppSettings, type updateConnection } from '@parley/contract/admin.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallInput } from '../kernel/client.ts';
import { useContractForm } from '../kernel/form.ts';
import { toast } from '../ui/Toasts.tsx';
import styles from './Admin.module.css';
import { CONNECTIONS } from './links.ts';
import { ALPHABETS, BIND_MODES, ID_FORMATS, MULTIPART, POLICIES } from './words.ts';

export interface ConnectionFormProps {
  connection: Connection | null;
  endpoint: typeof createConnection | typeof updateConnection;
  onDone: (connection: Connection) => void;
}

const LABELS = {
  'settings.host': 'Host',
  'settings.port': 'Port',
  'settings.system_id': 'System ID',
  'settings.throughput': 'Rate per line',
  'settings.window': 'Window per line',
  'settings.binds': 'Lines',
  unknown_grace_seconds: 'Grace period',
};

const FRESH = {
  name: '',
  settings: { ...SmppSettings.parse({ host: 'x', port: 2775, system_id: 'x' }), host: '', system_id: '' },
  unknown_policy: 'fail',
  unknown_grace_seconds: 300,
};

function valuesOf(connection: Connection | null) {
  if (!connection) return FRESH;
  const { name, settings, unknown_policy, unknown_grace_seconds } = connection;
  return { name, settings: { ...settings, password: '' }, unknown_policy, unknown_grace_seconds };
}

export function ConnectionForm({ connection, endpoint, onDone }: ConnectionFormProps) {
  const { form, onSubmit, sending, problem } = useContractForm(endpoint as typeof updateConnection, {
    initial: valuesOf(connection),
    input: (body) =>
      ({ ...(connection ? { params: { id: connection.id } } : {}), body }) as CallInput<typeof updateConnection>,
    labels: LABELS as never,
    invalidates: ['routes'],
    onDone: ({ data }) => {
      toast.success(connection ? `${data.name} was saved; its lines are opened anew` : `${data.name} was added`);
      onDone(data);
    },
  });
  const field = (path: string) => form.getInputProps(path);
  const flag = (path: string) => form.getInputProps(path, { type: 'checkbox' });
  const select = (path: string, data: readonly { value: string; label: string }[]) => ({
    data: [...data],
    allowDeselect: false,
    ...field(path),
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <Group title="Carrier">
        <TextInput
          label="Name"
          description="Yours; the carrier never sees it."
          required
          data-autofocus
          key={form.key('name')}
          {...field('name')}
        />
        <div className={styles.pair}>
          <TextInput
            label="Host"
            required
            autoComplete="off"
            key={form.key('settings.host')}
            {...field('settings.host')}
          />
          <NumberInput
            label="Port"
            required
            min={1}
            max={65_535}
            allowDecimal={false}
            key={form.key('settings.port')}
            {...field('settings.port')}
          />
        </div>
        <Switch label="Encrypted with TLS" key={form.key('settings.tls')} {...flag('settings.tls')} />
        <Switch
          label="Accept any certificate"
          description="For carriers whose certificate is of their own making. Nobody checks then who answers."
          key={form.key('settings.tls_insecure')}
          {...flag('settings.tls_insecure')}
        />
      </Group>
      <Group title="Log-in">
        <div className={styles.pair}>
          <TextInput
            label="System ID"
            required
            autoComplete="off"
            maxLength={15}
            key={form.key('settings.system_id')}
            {...field('settings.system_id')}
          />
          <PasswordInput
            label="Password"
            {...(connection ? { description: 'Left empty, the old one stays.' } : {})}
            autoComplete="new-password"
            maxLength={8}
            key={form.key('settings.password')}
            {...field('settings.password')}
          />
        </div>
        <TextInput
          label="System type"
          description="Most carriers leave it empty."
          maxLength={12}
          key={form.key('settings.system_type')}
          {...field('settings.system_type')}
        />
      </Group>
      <Group title="Lines">
        <div className={styles.pair}>
          <NumberInput
            label="Lines"
            description="At once, shared by all workers. 1 to 16."
            min={1}
            max={16}
            allowDecimal={false}
            key={form.key('settings.binds')}
            {...field('settings.binds')}
          />
          <Select
            label="Binds"
            description="What the carrier allows on a line."
            key={form.key('settings.bind_mode')}
            {...select('settings.bind_mode', BIND_MODES)}
          />
          <NumberInput
            label="Window per line"
            description="Messages without an answer yet. 1 to 1,000."
            min={1}
            max={1_000}
            allowDecimal={false}
            key={form.key('settings.window')}
            {...field('settings.window')}
          />
          <NumberInput
            label="Rate per line"
            description="Messages a second; empty: as fast as it goes."
            min={1}
            max={10_000}
            allowDecimal={false}
            key={form.key('settings.throughput')}
            {...field('settings.throughput')}
            onChange={(value) => form.setFieldValue('settings.throughput', value === '' ? null : (value as number))}
          />
          <NumberInput
            label="Answer within"
            suffix=" ms"
            thousandSeparator=","
            min={1_000}
            max={300_000}
            allowDecimal={false}
            key={form.key('settings.response_timeout_ms')}
            {...field('settings.response_timeout_ms')}
          />
          <NumberInput
            label="Test a silent line every"
            suffix=" ms"
            thousandSeparator=","
            min={1_000}
            max={600_000}
            allowDecimal={false}
            key={form.key('settings.enquire_link_ms')}
            {...field('settings.enquire_link_ms')}
          />
        </div>
      </Group>
      <Group title="Messages">
        <div className={styles.pair}>
          <Select
            label="Long messages"
            description="How their parts find together."
            key={form.key('settings.multipart')}
            {...select('settings.multipart', MULTIPART)}
          />
          <Select
            label="Default alphabet"
            description="What data coding 0 means there."
            key={form.key('settings.default_alphabet')}
            {...select('settings.default_alphabet', ALPHABETS)}
          />
          <Select
            label="Message ids"
            key={form.key('settings.id_format')}
            {...select('settings.id_format', ID_FORMATS)}
          />
          <NumberInput
            label="Type of number of short codes"
            min={0}
            max={7}
            allowDecimal={false}
            key={form.key('settings.short_code_ton')}
            {...field('settings.short_code_ton')}
          />
        </div>
        <Switch
          label="Repeats our reference in receipts"
          description="Then a receipt proves which message it is about, even when the answer was lost."
          key={form.key('settings.echoes_reference')}
          {...flag('settings.echoes_reference')}
        />
      </Group>
      <Group title="When an answer is lost">
        <p className={styles.hint}>
          After a crash or a cut line nobody may know whether a message arrived. Receipts settle most; this is for the
          rest.
        </p>
        <div className={styles.pair}>
          <Select
            label="Then"
            description="Once the grace period is over."
            key={form.key('unknown_policy')}
            {...select('unknown_policy', POLICIES)}
          />
          <NumberInput
            label="Grace period"
            description="With a line up. Longer than the carrier takes to report again."
            suffix=" s"
            thousandSeparator=","
            min={1}
            max={86_400}
            allowDecimal={false}
            key={form.key('unknown_grace_seconds')}
            {...field('unknown_grace_seconds')}
          />
        </div>
      </Group>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" loading={sending}>
          {connection ? 'Save connection' : 'Add connection'}
        </Button>
        <Button variant="default" component={Link} to={CONNECTIONS}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

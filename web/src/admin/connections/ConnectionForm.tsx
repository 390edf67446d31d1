/** The form of a connection, new or known. Its groups follow the questions of whoever has a carrier's data sheet in hand. */
import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import type { Connection, createConnection, updateConnection } from '@parley/contract/connections/connections.ts';
import { Link } from '@tanstack/react-router';
import { issueText, useContractForm } from '../../kernel/form/form.ts';
import type { CallInput } from '../../kernel/http/client.ts';
import { CONNECTIONS } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from '../Admin.module.css';
import { fieldsOf, Group } from './FormGroup.tsx';
import { HttpFields } from './HttpFields.tsx';
import { SmppFields } from './SmppFields.tsx';
import { POLICIES } from './words.ts';

export interface ConnectionFormProps {
  adapter: AdapterName;
  connection: Connection | null;
  endpoint: typeof createConnection | typeof updateConnection;
  onDone: (connection: Connection) => void;
}

const LABELS: Record<string, string> = {
  'settings.host': 'Host',
  'settings.port': 'Port',
  'settings.system_id': 'System ID',
  'settings.throughput': 'Rate per line',
  'settings.window': 'Window per line',
  'settings.binds': 'Lines',
  'settings.base_url': 'Address',
  'settings.waba_id': 'WhatsApp business account id',
  unknown_grace_seconds: 'Grace period',
};

type Settings = Record<string, unknown>;

const EMPTY: Record<AdapterName, () => Settings> = {
  smpp: () => ({ ...ADAPTERS.smpp.settings.parse({ host: 'x', port: 2775, system_id: 'x' }), host: '', system_id: '' }),
  whatsapp: () => ({ ...ADAPTERS.whatsapp.settings.parse({ waba_id: '1' }), waba_id: '' }),
  viber: () => ADAPTERS.viber.settings.parse({}),
};

function valuesOf(adapter: AdapterName, connection: Connection | null) {
  const empty = EMPTY[adapter]();
  if (!connection) return { name: '', settings: empty, unknown_policy: 'fail', unknown_grace_seconds: 300 };
  const { name, settings, unknown_policy, unknown_grace_seconds, secrets } = connection;
  const unsaid = Object.fromEntries(secrets.map((secret) => [secret, '']));
  return { name, settings: { ...empty, ...settings, ...unsaid }, unknown_policy, unknown_grace_seconds };
}

/** The rules of the settings are the adapter's; an update takes them as they come and leaves them to this. */
function check(adapter: AdapterName, { settings }: { settings: Settings }): Record<string, string> {
  const issues = ADAPTERS[adapter].settings.safeParse(settings).error?.issues ?? [];
  return Object.fromEntries(
    issues.map((issue) => {
      const path = `settings.${issue.path.join('.')}`;
      return [path, issueText(issue as never, LABELS[path] ?? 'Value', settings)];
    }),
  );
}

export function ConnectionForm({ adapter, connection, endpoint, onDone }: ConnectionFormProps) {
  const { form, onSubmit, sending, problem } = useContractForm(endpoint as typeof updateConnection, {
    initial: valuesOf(adapter, connection),
    body: (values) => (connection ? values : { adapter, ...values }),
    input: (body) =>
      (connection ? { params: { id: connection.id }, body } : { body: { adapter, ...body } }) as CallInput<
        typeof updateConnection
      >,
    check: (values) => check(adapter, values),
    labels: LABELS as never,
    invalidates: ['routes'],
    onDone: ({ data }) => {
      toast.success(connection ? `${data.name} was saved; its lines are opened anew` : `${data.name} was added`);
      onDone(data);
    },
  });
  const { field, select } = fieldsOf(form);
  const known = connection !== null;
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <Group title="Name">
        <TextInput
          label="Name"
          description="Yours; the carrier never sees it."
          required
          data-autofocus
          key={form.key('name')}
          {...field('name')}
        />
      </Group>
      {adapter === 'smpp' ? (
        <SmppFields form={form} known={known} />
      ) : (
        <HttpFields form={form} adapter={adapter} known={known} />
      )}
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

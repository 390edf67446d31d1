import { Button } from '@mantine/core';
import { type Connection, updateConnection } from '@parley/contract/connections/connections.ts';
import { Link } from '@tanstack/react-router';
import { Allow } from '../../kernel/session/allow.tsx';
import { connectionPath } from '../../paths.ts';
import { CopyId } from '../../ui/data/CopyId.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { addressOf, type Bind, summarize } from './lines.ts';
import { ALPHABETS, BIND_MODES, ID_FORMATS, MULTIPART, POLICIES, wordOf } from './words.ts';

const LINES: Column<Bind>[] = [
  { key: 'slot', title: 'Line', fixed: true, render: ({ slot }) => slot + 1 },
  {
    key: 'state',
    title: 'State',
    fixed: true,
    render: ({ state, detail }) => <StatusBadge status={state} reason={detail || null} />,
  },
  {
    key: 'window',
    title: 'Window',
    fixed: true,
    align: 'end',
    render: ({ in_flight, window }) => <span className={styles.number}>{`${in_flight} of ${window}`}</span>,
  },
  {
    key: 'rate',
    title: 'Per second',
    fixed: true,
    align: 'end',
    render: ({ rate_per_second }) => formatNumber(rate_per_second),
  },
  {
    key: 'sent',
    title: 'Sent',
    fixed: true,
    align: 'end',
    render: ({ sent_count }) => formatNumber(sent_count),
  },
  {
    key: 'since',
    title: 'Up since',
    fixed: true,
    render: ({ bound_date }) => (bound_date ? <DateTime value={bound_date} /> : '–'),
  },
];

export interface ConnectionPanelProps {
  connection: Connection | null;
  onClose: () => void;
  onSwitch: (connection: Connection) => void;
  switching: boolean;
}

/** How each line is at this moment, and what the connection is set to. */
export function ConnectionPanel({ connection, onClose, onSwitch, switching }: ConnectionPanelProps) {
  return (
    <SidePanel
      wide
      open={connection !== null}
      onClose={onClose}
      title={connection?.name ?? ''}
      description={
        connection && (
          <>
            <StatusBadge status={summarize(connection).state} />
            <span className={styles.address}>{addressOf(connection)}</span>
          </>
        )
      }
      actions={
        connection && (
          <>
            <Allow needs={updateConnection.needs}>
              <Button variant="default" onClick={() => onSwitch(connection)} loading={switching}>
                {connection.enabled ? 'Disable' : 'Enable'}
              </Button>
            </Allow>
            <Allow needs={updateConnection.needs}>
              <Button component={Link} to={connectionPath(connection.id)}>
                Edit
              </Button>
            </Allow>
          </>
        )
      }
    >
      {connection && (
        <>
          <section className={styles.section}>
            <h3>Lines</h3>
            <DataTable
              grow
              id="connection_lines"
              label={`Lines of ${connection.name}`}
              columns={LINES}
              rows={connection.binds}
              rowKey={({ slot }) => String(slot)}
              empty={
                <EmptyState title="No line is open">
                  {connection.enabled
                    ? 'A worker opens its lines within a second or two.'
                    : 'The connection is disabled.'}
                </EmptyState>
              }
            />
          </section>
          <Settings connection={connection} />
        </>
      )}
    </SidePanel>
  );
}

function Settings({ connection }: { connection: Connection }) {
  const { unknown_policy, unknown_grace_seconds, queued, update_date, id } = connection;
  return (
    <section className={styles.section}>
      <h3>Settings</h3>
      <Fields
        fields={[
          { label: 'Queued', value: formatNumber(queued) },
          ...(connection.adapter === 'smpp' ? smppFacts(connection.settings) : httpFacts(connection)),
          { label: 'Answer lost', value: wordOf(POLICIES, unknown_policy) },
          { label: 'Grace period', value: `${formatNumber(unknown_grace_seconds)} s` },
          { label: 'Last changed', value: <DateTime value={update_date} /> },
          { label: 'Id', value: <CopyId value={id} /> },
        ]}
      />
    </section>
  );
}

const rateOf = (throughput: number | null): string =>
  throughput === null ? 'As fast as it goes' : `${formatNumber(throughput)} per second`;

type Smpp = Extract<Connection, { adapter: 'smpp' }>;
type Http = Exclude<Connection, Smpp>;

const smppFacts = (settings: Smpp['settings']) => [
  { label: 'System ID', value: settings.system_id },
  { label: 'Encryption', value: settings.tls ? (settings.tls_insecure ? 'TLS, unchecked' : 'TLS') : 'None' },
  { label: 'Binds', value: wordOf(BIND_MODES, settings.bind_mode) },
  { label: 'Window per line', value: formatNumber(settings.window) },
  {
    label: 'Rate per line',
    value: rateOf(settings.throughput),
  },
  { label: 'Long messages', value: wordOf(MULTIPART, settings.multipart) },
  { label: 'Default alphabet', value: wordOf(ALPHABETS, settings.default_alphabet) },
  { label: 'Message ids', value: wordOf(ID_FORMATS, settings.id_format) },
  { label: 'Echoes our reference', value: settings.echoes_reference ? 'Yes' : 'No' },
];

/** The address for callbacks is there to be copied: not every carrier can be told by us. */
const httpFacts = (connection: Http) => {
  const { settings, callback_url, callback_state } = connection;
  return [
    ...('waba_id' in settings ? [{ label: 'Business account', value: settings.waba_id }] : []),
    ...('in_a_row' in settings ? [{ label: 'In a row', value: formatNumber(settings.in_a_row) }] : []),
    ...('in_session' in settings ? [{ label: 'In a session', value: formatNumber(settings.in_session) }] : []),
    { label: 'Window', value: formatNumber(settings.window) },
    { label: 'Rate', value: rateOf(settings.throughput) },
    { label: 'Calls back at', value: callback_url === null ? '–' : <CopyId value={callback_url} /> },
    ...(callback_state === null
      ? []
      : [
          {
            label: 'Carrier told',
            value: callback_state.ok ? <DateTime value={callback_state.at} /> : callback_state.text,
          },
        ]),
  ];
};

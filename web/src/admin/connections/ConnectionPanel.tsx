import { Button } from '@mantine/core';
import type { AdapterSettings } from '@parley/contract/channels/adapter.ts';
import { ADAPTERS } from '@parley/contract/channels/adapters.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { BIND_STATE, type Connection, updateConnection } from '@parley/contract/connections/connections.ts';
import { Link } from '@tanstack/react-router';
import { Allow } from '../../kernel/session/allow.tsx';
import { connectionPath } from '../../paths.ts';
import { CopyId } from '../../ui/data/CopyId.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { type Bind, callbackLink, connectionAddress, dailyLabel, summarizeBinds } from './binds.ts';
import { ConnectionTester } from './ConnectionTester.tsx';
import {
  ALPHABETS,
  BIND_MODES,
  CAPACITIES,
  choiceLabel,
  ID_FORMATS,
  MULTIPART,
  POLICIES,
  settingValue,
  VALIDITIES,
} from './words.ts';

const BINDS: Column<Bind>[] = [
  { key: 'slot', title: 'Bind', fixed: true, render: ({ slot }) => slot + 1 },
  {
    key: 'state',
    title: 'State',
    card: 'corner',
    fixed: true,
    render: ({ state, detail }) => <StatusBadge {...BIND_STATE[state]} reason={detail || null} />,
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
    title: 'Bound since',
    fixed: true,
    render: ({ bound_date }) => (bound_date ? <DateTime value={bound_date} /> : '–'),
  },
];

interface ConnectionPanelProps {
  connection: Connection | null;
  onClose: () => void;
  onToggle: (connection: Connection) => void;
  onResume: (connection: Connection) => void;
  isToggling: boolean;
}

/** Shows the current state of each bind and the connection's settings. */
export function ConnectionPanel({ connection, onClose, onToggle, onResume, isToggling }: ConnectionPanelProps) {
  return (
    <SidePanel
      open={connection !== null}
      onClose={onClose}
      title={connection?.name ?? ''}
      description={
        connection && (
          <>
            <StatusBadge {...BIND_STATE[summarizeBinds(connection).state]} />
            <span className={styles.address}>{connectionAddress(connection)}</span>
          </>
        )
      }
      recordId={connection?.id}
      actions={
        connection && (
          <>
            <Allow needs={updateConnection.needs}>
              <Button variant="default" onClick={() => onToggle(connection)} loading={isToggling}>
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
          {connection.enabled && connection.paused_date && (
            <PausedNotice connection={connection} onResume={onResume} isResuming={isToggling} />
          )}
          {connection.enabled && connection.poor_health && !connection.paused_date && (
            <Notice tone="wait" className={styles.notice}>
              <strong>Avoided:</strong> {connection.poor_health}. New messages take other routes, if there are any.
            </Notice>
          )}
          <section className={styles.section}>
            <h3>Binds</h3>
            <DataTable
              grow
              id="connection_binds"
              label={`Binds of ${connection.name}`}
              columns={BINDS}
              rows={connection.binds}
              rowKey={({ slot }) => String(slot)}
              empty={
                <EmptyState title="No open binds">
                  {connection.paused_date
                    ? 'The connection is paused.'
                    : connection.enabled
                      ? 'A worker opens them within a few seconds.'
                      : 'The connection is disabled.'}
                </EmptyState>
              }
            />
          </section>
          {connection.channel === PHONE_CHANNEL && (
            <section className={styles.section} aria-label="Test">
              <h3>Test</h3>
              <ConnectionTester key={connection.id} connection={connection} />
            </section>
          )}
          <Settings connection={connection} />
        </>
      )}
    </SidePanel>
  );
}

interface PausedNoticeProps {
  connection: Connection;
  onResume: (connection: Connection) => void;
  isResuming: boolean;
}

function PausedNotice({ connection, onResume, isResuming }: PausedNoticeProps) {
  return (
    <Notice
      tone="fail"
      className={styles.notice}
      action={
        <Allow needs={updateConnection.needs}>
          <Button size="xs" onClick={() => onResume(connection)} loading={isResuming}>
            Resume
          </Button>
        </Allow>
      }
    >
      <strong>Paused.</strong> {connection.pause_reason}. Messages wait until they expire. Fix the cause, then resume
      the connection.
    </Notice>
  );
}

function Settings({ connection }: { connection: Connection }) {
  const { unknown_policy, unknown_grace_seconds, queued, update_date } = connection;
  const binds = summarizeBinds(connection);
  return (
    <section className={styles.section}>
      <h3>Settings</h3>
      <Fields
        fields={[
          { label: 'Queued', value: formatNumber(queued) },
          ...dailyFacts(connection),
          { label: 'Learned pace', value: paceLabel(binds) },
          { label: 'Throttled messages', value: formatNumber(binds.throttled_count) },
          ...(connection.adapter === 'smpp' ? smppFacts(connection.settings) : httpFacts(connection)),
          { label: 'Lost responses', value: choiceLabel(POLICIES, unknown_policy) },
          { label: 'Grace period', value: `${formatNumber(unknown_grace_seconds)} s` },
          { label: 'Last updated', value: <DateTime value={update_date} /> },
        ]}
      />
    </section>
  );
}

const dailyFacts = (connection: Connection) => {
  const label = dailyLabel(connection);
  return label === null ? [] : [{ label: 'Sent today (UTC)', value: label }];
};

/** The pace is learned per worker, so some binds may not have one yet. */
function paceLabel({ pace_per_second, paced, bound }: ReturnType<typeof summarizeBinds>): string {
  if (pace_per_second === null) return 'No limit learned';
  const rate = `${formatNumber(pace_per_second)} per second`;
  return paced < bound ? `${rate} on ${paced} of ${bound} binds` : rate;
}

const rateLabel = (throughput: number | null): string =>
  throughput === null ? 'No limit' : `${formatNumber(throughput)} per second`;

type Smpp = Extract<Connection, { adapter: 'smpp' }>;
type Http = Exclude<Connection, Smpp>;

function encryptionLabel({ tls, tls_insecure, tls_certificate }: Smpp['settings']): string {
  if (!tls) return 'None';
  return `TLS${tls_insecure ? ', certificate not verified' : ''}${tls_certificate ? ', client certificate' : ''}`;
}

const smppFacts = (settings: Smpp['settings']) => [
  { label: 'System ID', value: settings.system_id },
  {
    label: 'Encryption',
    value: encryptionLabel(settings),
  },
  { label: 'Bind mode', value: choiceLabel(BIND_MODES, settings.bind_mode) },
  { label: 'Window per bind', value: formatNumber(settings.window) },
  {
    label: 'Rate per bind',
    value: rateLabel(settings.throughput),
  },
  { label: 'Long messages', value: choiceLabel(MULTIPART, settings.multipart) },
  { label: 'Default alphabet', value: choiceLabel(ALPHABETS, settings.default_alphabet) },
  ...(settings.default_alphabet === 'gsm7'
    ? []
    : [{ label: 'Capacity', value: choiceLabel(CAPACITIES, settings.segment_capacity) }]),
  { label: 'Validity period', value: choiceLabel(VALIDITIES, settings.validity) },
  { label: 'Message IDs', value: choiceLabel(ID_FORMATS, settings.id_format) },
  { label: 'UTC offset in receipts', value: settingValue('utc_offset_minutes', settings.utc_offset_minutes) },
  { label: 'Country for national numbers', value: settingValue('country', settings.country) },
  { label: 'Message reference in receipts', value: settings.echoes_reference ? 'Yes' : 'No' },
];

const adapterFacts = ({ credentials, limits }: AdapterSettings, settings: Readonly<Record<string, unknown>>) =>
  [...credentials, ...limits].flatMap(({ name, fact, ...input }) => {
    const value = settings[name];
    const choice = 'choices' in input ? input.choices?.find((one) => one.value === value)?.label : undefined;
    const text = choice ?? (typeof value === 'number' ? formatNumber(value) : String(value));
    return fact ? [{ label: fact, value: text }] : [];
  });

/** The callback URL can be copied because some carriers have no API to register it. */
const httpFacts = (connection: Http) => {
  const { adapter, settings, callback_url, callback_state } = connection;
  return [
    ...adapterFacts(ADAPTERS[adapter], settings),
    { label: 'Window', value: formatNumber(settings.window) },
    { label: 'Rate', value: rateLabel(settings.throughput) },
    {
      label: 'Callback URL',
      value: callback_url === null ? '–' : <CopyId label="callback URL" value={callbackLink(connection)} />,
    },
    ...(callback_state === null
      ? []
      : [
          {
            label: 'Callback registered',
            value: callback_state.ok ? <DateTime value={callback_state.at} /> : callback_state.text,
          },
        ]),
  ];
};

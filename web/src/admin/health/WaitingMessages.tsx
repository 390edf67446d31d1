import type { Health } from '@parley/contract/admin/customers.ts';
import { TRAFFIC_CLASS_LABELS } from '@parley/contract/messages/traffic_classes.ts';
import { Link } from '@tanstack/react-router';
import { connectionPath } from '../../paths.ts';
import { formatNumber } from '../../ui/data/format.ts';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from '../Admin.module.css';
import health_styles from './Health.module.css';
import { formatWait } from './health_words.ts';

type Waiting = Health['waiting'][number];

const COLUMNS: Column<Waiting>[] = [
  {
    key: 'connection',
    title: 'Connection',
    fixed: true,
    width: '100%',
    render: (row) => <Link to={connectionPath(row.connection_id)}>{row.connection}</Link>,
  },
  { key: 'class', title: 'Traffic class', fixed: true, render: (row) => TRAFFIC_CLASS_LABELS[row.traffic_class] },
  {
    key: 'count',
    title: 'Waiting',
    fixed: true,
    align: 'end',
    render: ({ count, is_minimum }) => (
      <span className={styles.number}>{`${formatNumber(count)}${is_minimum ? ' or more' : ''}`}</span>
    ),
  },
  { key: 'oldest', title: 'Oldest', fixed: true, align: 'end', render: (row) => formatWait(row.oldest_seconds) },
];

/** Lists due messages by connection and traffic class, in the order in which they are sent. */
export function WaitingMessages({ waiting }: { waiting: readonly Waiting[] }) {
  return (
    <section className={health_styles.block} aria-label="Waiting messages">
      <h2>Waiting messages</h2>
      <DataTable
        grow
        id="health_waiting"
        label="Waiting messages"
        columns={COLUMNS}
        rows={waiting}
        rowKey={({ connection_id, traffic_class }) => `${connection_id} ${traffic_class}`}
        empty={<EmptyState title="No messages waiting">Messages that are due appear here.</EmptyState>}
      />
    </section>
  );
}

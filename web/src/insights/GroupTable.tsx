import type { ChartDimension } from '@parley/contract/insights/charts.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { MESSAGE_GROUPS } from '@parley/contract/messages/statuses.ts';
import { useMemo } from 'react';
import { messagesPath } from '../paths.ts';
import { Figure } from '../ui/data/Figure.tsx';
import { formatMoney, formatNumber, formatPercent } from '../ui/data/format.ts';
import type { Column } from '../ui/data/table/columns.ts';
import { DataTable } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { formatChange } from './figures.ts';
import { DIMENSION_LABELS, type Group, groupName, groupScope } from './groups.ts';
import styles from './Insights.module.css';

interface GroupTableProps {
  by: ChartDimension;
  rows: readonly Group[] | undefined;
  /** The days and the channel, as filters of the log. */
  scope: Record<string, string>;
  currency: string;
  /** Shows spending first. Without permission to see spending, amounts are null and have no column. */
  view: 'messages' | 'costs';
  withSpend: boolean;
}

/** The groups of a chart with all of their figures. Each figure links to its messages. */
export function GroupTable({ by, rows, scope, currency, view, withSpend }: GroupTableProps) {
  const columns = useMemo(
    () => buildColumns({ by, scope, currency, view, withSpend, rows: rows ?? [] }),
    [by, scope, currency, view, withSpend, rows],
  );
  return (
    <DataTable
      id={`insights.${view}`}
      label={`By ${DIMENSION_LABELS[by].toLowerCase()}`}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.value}
      rowName={(row) => groupName(by, row)}
      grow
      empty={<EmptyState title="No data for this period">Choose another period or channel.</EmptyState>}
    />
  );
}

function buildColumns(props: Omit<GroupTableProps, 'rows'> & { rows: readonly Group[] }): Column<Group>[] {
  const { by, view, withSpend } = props;
  const name: Column<Group> = {
    key: 'name',
    title: DIMENSION_LABELS[by],
    card: 'title',
    fixed: true,
    render: (row) => <bdi>{groupName(by, row)}</bdi>,
  };
  const spend = withSpend ? spendColumns(props) : [];
  return view === 'costs' ? [name, ...spend, ...countColumns(props)] : [name, ...countColumns(props), ...spend];
}

const linkFor = ({ by, scope }: Pick<GroupTableProps, 'by' | 'scope'>, { value }: Group, figure: object) => {
  const filter = groupScope(by, value);
  return filter ? messagesPath({ ...figure, ...scope, ...filter }) : undefined;
};

function countColumns({ by, scope, view }: Pick<GroupTableProps, 'by' | 'scope' | 'view'>): Column<Group>[] {
  // A group by status is itself the status that a figure would filter by.
  const isStatus = by === 'status';
  const count = (
    key: 'sent' | 'delivered' | 'read' | 'failed' | 'received',
    title: string,
    more: Partial<Column<Group>> = {},
  ): Column<Group> => ({
    key,
    title,
    align: 'end',
    ...more,
    render: (row) => (
      <span className={styles.count}>
        <Figure href={isStatus ? undefined : linkFor({ by, scope }, row, FIGURES[key])}>
          {formatNumber(row[key])}
        </Figure>
        {key !== 'sent' && key !== 'received' && row.sent > 0 && ` · ${formatPercent(row[key], row.sent)}`}
      </span>
    ),
  });
  const messages: Column<Group> = {
    key: 'messages',
    title: 'Messages',
    align: 'end',
    card: 'corner',
    render: (row) => <Figure href={linkFor({ by, scope }, row, {})}>{formatNumber(row.messages)}</Figure>,
  };
  const change: Column<Group> = {
    key: 'change',
    title: 'Change',
    align: 'end',
    narrow: false,
    render: (row) => formatChange(row.messages, row.before.messages) ?? 'New',
  };
  const segments: Column<Group> = {
    key: 'segments',
    title: 'Segments',
    align: 'end',
    narrow: false,
    hidden: view === 'messages',
    render: (row) => <Figure href={linkFor({ by, scope }, row, {})}>{formatNumber(row.segments)}</Figure>,
  };
  if (view === 'costs') return [messages, segments];
  const details = isStatus
    ? []
    : [
        count('sent', 'Sent', { narrow: false }),
        count('delivered', MESSAGE_GROUPS.delivered.label),
        count('read', 'Read', { narrow: false, hidden: true }),
        count('failed', MESSAGE_GROUPS.undelivered.label),
        count('received', MESSAGE_GROUPS.answered.label, { narrow: false }),
      ];
  return [messages, change, ...details, segments];
}

function spendColumns({
  by,
  scope,
  currency,
  view,
  rows,
}: Pick<GroupTableProps, 'by' | 'scope' | 'currency' | 'view'> & { rows: readonly Group[] }): Column<Group>[] {
  const total = rows.reduce((sum, row) => sum + (row.spend_micros ?? 0), 0);
  const spend: Column<Group> = {
    key: 'spend',
    title: 'Spend',
    align: 'end',
    render: (row) => (
      <Figure href={by === 'price' ? undefined : linkFor({ by, scope }, row, FIGURES.spend)}>
        {formatMoney(row.spend_micros, currency)}
      </Figure>
    ),
  };
  if (view === 'messages') return [spend];
  return [
    spend,
    {
      key: 'share',
      title: 'Share',
      align: 'end',
      narrow: false,
      render: (row) => formatPercent(row.spend_micros ?? 0, total),
    },
    {
      key: 'spend_change',
      title: 'Change',
      align: 'end',
      narrow: false,
      render: (row) =>
        formatChange(row.spend_micros ?? 0, row.before.spend_micros ?? 0) ?? (row.spend_micros ? 'New' : '–'),
    },
    {
      key: 'unit',
      title: 'Per delivered message',
      align: 'end',
      narrow: false,
      render: (row) =>
        row.delivered > 0 ? formatMoney((row.spend_micros ?? 0) / row.delivered, currency, { exact: true }) : '–',
    },
  ];
}

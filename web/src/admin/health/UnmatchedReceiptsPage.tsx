/** Delivery receipts that match no message. Many of them suggest that a connection has the wrong message ID format. */
import { listUnmatchedReceipts, type UnmatchedReceipt } from '@parley/contract/admin/receipts.ts';
import { listConnections } from '@parley/contract/connections/connections.ts';
import { MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import { IconReceiptOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { dateBounds } from '../../insights/dates.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { CONNECTIONS, HEALTH } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { useZone } from '../../ui/data/zone.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';

const FILTERS = ['search', 'connection', 'from', 'to'] as const;

const COLUMNS: Column<UnmatchedReceipt>[] = [
  {
    key: 'external_id',
    title: 'Message ID',
    fixed: true,
    width: '100%',
    render: (row) => <span className={styles.number}>{row.external_id || 'None'}</span>,
  },
  {
    key: 'number',
    title: 'Recipient',
    fixed: true,
    render: (row) => <span className={styles.number}>{row.number}</span>,
  },
  { key: 'sender', title: 'Sender', narrow: false, render: (row) => row.sender },
  {
    key: 'connection',
    title: 'Connection',
    card: 'subtitle',
    render: (row) => (
      <Link to={CONNECTIONS} search={{ open: row.connection_id } as never}>
        {row.connection_name}
      </Link>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...MESSAGE_STATUS[row.status]} />,
  },
  { key: 'code', title: 'Carrier code', narrow: false, render: (row) => row.code ?? '–' },
  { key: 'reference', title: 'Reference', narrow: false, hidden: true, render: (row) => row.reference ?? '–' },
  { key: 'date', title: 'Received', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
];

const toFilter = ({ search, connection, from, to }: Record<string, string>, zone: string) => {
  const bounds = dateBounds(from ?? null, to ?? null, zone);
  return {
    ...(search ? { search } : {}),
    ...(connection ? { connection_id: connection } : {}),
    ...(bounds.created_date_start ? { from_date: bounds.created_date_start } : {}),
    ...(bounds.created_date_end ? { to_date: bounds.created_date_end } : {}),
  };
};

export default function UnmatchedReceiptsPage() {
  const zone = useZone();
  const list = useList(listUnmatchedReceipts, {
    filters: FILTERS,
    subject: 'The receipts',
    toFilter: (filters) => toFilter(filters, zone),
  });
  const connections = useEndpoint(listConnections, { query: { page_size: 300 } }).data?.data ?? [];
  const options = connections.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Back to={HEALTH}>Health</Back>
      <PageHeader
        title="Unmatched receipts"
        description="Delivery receipts that match no message, newest first. They are kept for three days."
      />
      <ListTable
        id="unmatched_receipts"
        label="Unmatched receipts"
        noun="receipts"
        list={list}
        search="Message ID or number"
        facets={options.length > 0 ? [{ key: 'connection', label: 'Connection', single: true, options }] : []}
        dates={{ label: 'Date', from: 'from', to: 'to' }}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.external_id || row.number}
        empty={
          <EmptyState icon={IconReceiptOff} title="No unmatched receipts">
            A receipt appears here if no message has its ID or reference.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconReceiptOff} title="No receipts match these filters">
            Search by the start of a message ID or number, or change the dates.
          </EmptyState>
        }
      />
    </>
  );
}

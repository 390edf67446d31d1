import type { Customer } from '@parley/contract/admin/customers.ts';
import { KIND_LABELS, listRequests, REQUEST_STATUS, type Request } from '@parley/contract/admin/requests.ts';
import { IconClipboardCheck } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { REQUESTS } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from '../Admin.module.css';

const FILTERS = [] as const;

const COLUMNS: Column<Request>[] = [
  { key: 'request', title: 'Request', fixed: true, render: (row) => <span className={styles.name}>{row.name}</span> },
  { key: 'kind', title: 'Type', narrow: false, render: (row) => KIND_LABELS[row.kind] },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...REQUEST_STATUS[row.status]} />,
  },
  {
    key: 'reason',
    title: 'Reason',
    card: 'subtitle',
    renderCard: (row) => row.words,
    narrow: false,
    width: '100%',
    render: (row) => <span className={styles.wrap}>{row.words || '–'}</span>,
  },
  { key: 'sent', title: 'Submitted', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
  { key: 'by', title: 'Decided by', card: 'hidden', narrow: false, render: (row) => row.reviewer_name || '–' },
];

/** A company's requests. Opening a request shows it in the queue, among the company's other requests. */
export function CustomerRequests({ customer }: { customer: Customer }) {
  const navigate = useNavigate();
  const list = useList(listRequests, { filters: FILTERS, fixed: { account_id: customer.id }, subject: 'The requests' });
  return (
    <ListTable
      id="customer_requests"
      label={`Requests from ${customer.company_name}`}
      noun="requests"
      list={list}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      onOpen={(row) => void navigate({ to: REQUESTS, search: { account_id: customer.id, open: row.id } as never })}
      empty={
        <EmptyState icon={IconClipboardCheck} title="No requests yet">
          The company’s verification form and its requests for senders and templates appear here and in the queue.
        </EmptyState>
      }
    />
  );
}

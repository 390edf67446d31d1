import { KIND_LABELS, listRequests, REQUEST_STATUS, type Request } from '@parley/contract/admin/requests.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { IconClipboardCheck } from '@tabler/icons-react';
import { useRef } from 'react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { RequestPanel } from './RequestPanel.tsx';
import { KINDS, STATUS_OPTIONS, waitingTime } from './request_words.ts';

const FILTERS = ['search', 'statuses', 'kinds', 'account_id'] as const;

const COLUMNS: Column<Request, SortName<typeof listRequests>>[] = [
  {
    key: 'request',
    title: 'Request',
    fixed: true,
    render: (row) => (
      <span className={styles.stack}>
        <span className={styles.name}>{row.name}</span>
        <span className={styles.under}>
          {KIND_LABELS[row.kind]} ·{' '}
          {row.kind === 'company' ? row.countries.map(countryName).join(', ') : row.company_name}
        </span>
      </span>
    ),
  },
  {
    key: 'about',
    title: 'Details',
    card: 'subtitle',
    renderCard: (row) => row.about,
    narrow: false,
    width: '100%',
    render: (row) => <span className={styles.excerpt}>{row.about || '–'}</span>,
  },
  {
    key: 'countries',
    title: 'Countries',
    narrow: false,
    hidden: true,
    render: (row) => row.countries.map(countryName).join(', ') || 'All',
  },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...REQUEST_STATUS[row.status]} reason={row.words || null} />,
  },
  {
    key: 'waits',
    title: 'Waiting',
    card: 'fact',
    narrow: false,
    render: (row) => (
      <span className={styles.number}>{row.status === 'waiting' ? waitingTime(row.create_date) : '–'}</span>
    ),
  },
  {
    key: 'sent',
    title: 'Submitted',
    sort: 'create_date',
    card: 'hidden',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
  {
    key: 'due',
    title: 'Due',
    narrow: false,
    hidden: true,
    render: (row) => <DateTime value={row.expected_date} show="date" />,
  },
  { key: 'by', title: 'Decided by', narrow: false, hidden: true, render: (row) => row.reviewer_name || '–' },
];

/** The queue of customer requests, oldest first. After a decision, the next waiting request opens. */
export default function RequestsPage() {
  const panel = usePanel();
  const list = useList(listRequests, {
    filters: FILTERS,
    subject: 'The queue',
    // If the list is filtered by company, it includes requests in every status.
    toFilter: (filters) => (filters.account_id ? filters : { statuses: 'waiting', ...filters }),
  });
  // Keeps the queue from before the decision, because a decided request leaves the list.
  const order = useRef<readonly Request[]>([]);
  const rows = list.rows ?? [];
  if (panel.id === null || order.current.length === 0 || rows.some(({ id }) => id === panel.id)) order.current = rows;
  const onDecided = (id: string) => {
    const from = order.current.findIndex((row) => row.id === id);
    const rest = [...order.current.slice(from + 1), ...order.current.slice(0, Math.max(0, from))];
    const next = rest.find(
      (other) => other.id !== id && rows.some((row) => row.id === other.id && row.status === 'waiting'),
    );
    if (next) return panel.open(next.id);
    panel.close();
    toast.info('No more requests are waiting on this page');
  };
  return (
    <>
      <PageHeader
        title="Requests"
        description="Verifications, senders, channel access, and templates to review. Customers get decisions by email."
      />
      <ListTable
        id="requests"
        label="Requests"
        noun="requests"
        list={list}
        search="Company, email, sender, template, or ID"
        facets={[
          { key: 'statuses', label: 'Status', options: STATUS_OPTIONS },
          { key: 'kinds', label: 'Type', options: KINDS },
        ]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `${row.name}, ${row.company_name}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconClipboardCheck} title="No requests are waiting">
            New requests appear here when customers submit them.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconClipboardCheck} title="No requests match these filters">
            Clear a filter to see more requests.
          </EmptyState>
        }
      />
      <RequestPanel id={panel.id} onClose={panel.close} onDecided={onDecided} />
    </>
  );
}

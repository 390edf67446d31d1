import { listSenderRequests, type SenderRequest } from '@parley/contract/sender_requests.ts';
import { IconCards } from '@tabler/icons-react';
import { useRef } from 'react';
import { ListTable } from '../kernel/ListTable.tsx';
import { useList } from '../kernel/list.tsx';
import { usePanel } from '../kernel/panel.ts';
import { countryName } from '../ui/countries.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import { toast } from '../ui/Toasts.tsx';
import type { Column } from '../ui/table/DataTable.tsx';
import styles from './Admin.module.css';
import { SenderRequestPanel } from './SenderRequestPanel.tsx';
import { REQUEST_KIND_WORDS, REQUEST_LOOKS, requestState } from './sender_words.ts';

const FILTERS = ['search', 'statuses', 'kinds'] as const;
const STATES = [
  { value: 'IN_PROCESS', label: 'Waiting' },
  { value: 'ASKED', label: 'Asked' },
  { value: 'COMPLETED', label: 'Approved' },
  { value: 'CANCELED', label: 'Rejected' },
  { value: 'DELETED', label: 'Withdrawn' },
];
const KINDS = Object.entries(REQUEST_KIND_WORDS).map(([value, label]) => ({ value, label }));

const COLUMNS: Column<SenderRequest>[] = [
  {
    key: 'sender',
    title: 'Sender',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span className={styles.stack}>
        <span className={styles.name}>{row.code || row.name}</span>
        <span className={styles.under}>{row.company_name}</span>
      </span>
    ),
  },
  { key: 'kind', title: 'Kind', narrow: false, render: (row) => REQUEST_KIND_WORDS[row.kind] },
  {
    key: 'countries',
    title: 'Countries',
    narrow: false,
    render: (row) => row.countries.map(countryName).join(', ') || 'All',
  },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    render: (row) => <StatusBadge status={requestState(row)} words={REQUEST_LOOKS} />,
  },
  { key: 'sent', title: 'Sent', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
  {
    key: 'due',
    title: 'Expected',
    narrow: false,
    off: true,
    render: (row) => <DateTime value={row.expected_date} show="date" />,
  },
  { key: 'by', title: 'Decided by', narrow: false, off: true, render: (row) => row.reviewer_name || '–' },
];

/** Whoever has waited longest comes first; after a decision the next one is opened. */
export default function SenderRequestsPage() {
  const panel = usePanel();
  const list = useList(listSenderRequests, {
    filters: FILTERS,
    what: 'The queue',
    toFilter: (filters) => ({ statuses: 'IN_PROCESS', ...filters }),
  });
  // As it stood before the decision: afterwards the one decided is no longer in it.
  const order = useRef<readonly SenderRequest[]>([]);
  if (list.rows) order.current = list.rows;
  const onDecided = (id: string) => {
    const rows = order.current;
    const at = rows.findIndex((row) => row.id === id);
    const rest = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
    const next = rest.find((row) => row.status === 'IN_PROCESS' && !row.asked && row.id !== id);
    if (next) panel.open(next.id);
    else {
      panel.close();
      toast.info('Nothing else waits on this page');
    }
  };
  return (
    <>
      <PageHeader
        title="Sender requests"
        line="Names, short codes, registrations and access to WhatsApp and Viber that customers ask for. Each is told by mail what you decide."
      />
      <ListTable
        id="sender_requests"
        label="Sender requests"
        noun="requests"
        list={list}
        search="Company or sender"
        facets={[
          { key: 'statuses', label: 'Status', options: STATES },
          { key: 'kinds', label: 'Kind', options: KINDS },
        ]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `${row.code || row.name} of ${row.company_name}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconCards} title="Nothing is waiting">
            New requests appear here as customers send them.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconCards} title="No request fits">
            Take a filter away to see the queue.
          </EmptyState>
        }
      />
      <SenderRequestPanel id={panel.id} onClose={panel.close} onDecided={onDecided} />
    </>
  );
}

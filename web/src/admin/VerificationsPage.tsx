import type { AccountReview } from '@parley/contract/company.ts';
import { listReviews } from '@parley/contract/customers.ts';
import { IconClipboardCheck } from '@tabler/icons-react';
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
import { REVIEW_WORDS } from './account_words.ts';
import { ReviewPanel } from './ReviewPanel.tsx';

const FILTERS = ['search', 'statuses'] as const;
const STATES = [
  { value: 'OPEN', label: 'Waiting' },
  { value: 'APPROVED', label: 'Approved' },
  { value: 'REJECTED', label: 'Rejected' },
  { value: 'INFO_NEEDED', label: 'More asked' },
];

const COLUMNS: Column<AccountReview>[] = [
  {
    key: 'company',
    title: 'Company',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span className={styles.stack}>
        <span className={styles.name}>{row.form.company_name}</span>
        <span className={styles.under}>{row.form.use_case}</span>
      </span>
    ),
  },
  {
    key: 'country',
    title: 'Country',
    narrow: false,
    render: (row) => <span className={styles.number}>{countryName(row.form.country_code)}</span>,
  },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    render: (row) => <StatusBadge status={row.status} words={REVIEW_WORDS} />,
  },
  { key: 'sent', title: 'Sent', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
  { key: 'by', title: 'Decided by', narrow: false, off: true, render: (row) => row.reviewer_name || '–' },
];

/** Whoever has waited longest comes first; after a decision the next one is opened. */
export default function VerificationsPage() {
  const panel = usePanel();
  const list = useList(listReviews, {
    filters: FILTERS,
    what: 'The queue',
    toFilter: (filters) => ({ statuses: 'OPEN', ...filters }),
  });
  // As it stood before the decision: afterwards the one decided is no longer in it.
  const order = useRef<readonly AccountReview[]>([]);
  if (list.rows) order.current = list.rows;
  const onDecided = (id: string) => {
    const rows = order.current;
    const at = rows.findIndex((row) => row.id === id);
    const rest = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
    const next = rest.find((row) => row.status === 'OPEN' && row.id !== id);
    if (next) panel.open(next.id);
    else {
      panel.close();
      toast.info('Nobody else is waiting on this page');
    }
  };
  return (
    <>
      <PageHeader
        title="Verification queue"
        line="Companies that have told about themselves and wait to be let send. Each is told by mail what you decide."
      />
      <ListTable
        id="verifications"
        label="Verification queue"
        noun="forms"
        list={list}
        search="Company, e-mail or id"
        facets={[{ key: 'statuses', label: 'Status', options: STATES }]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.form.company_name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconClipboardCheck} title="Nobody is waiting">
            New forms appear here as companies send them.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconClipboardCheck} title="No form fits">
            Take a filter away to see the queue.
          </EmptyState>
        }
      />
      <ReviewPanel id={panel.id} onClose={panel.close} onDecided={onDecided} />
    </>
  );
}

import type { AccountReview } from '@parley/contract/company.ts';
import { type Customer, listReviews } from '@parley/contract/customers.ts';
import { IconClipboardCheck } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ListTable } from '../kernel/ListTable.tsx';
import { useList } from '../kernel/list.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import type { Column } from '../ui/table/DataTable.tsx';
import styles from './Admin.module.css';
import { REVIEW_WORDS } from './account_words.ts';
import { VERIFICATIONS } from './links.ts';

const FILTERS = [] as const;

const COLUMNS: Column<AccountReview>[] = [
  { key: 'sent', title: 'Sent', fixed: true, render: (row) => <DateTime value={row.create_date} /> },
  {
    key: 'status',
    title: 'Came to',
    fixed: true,
    render: (row) => <StatusBadge status={row.status} words={REVIEW_WORDS} />,
  },
  {
    key: 'reason',
    title: 'Reason',
    narrow: false,
    width: '100%',
    render: (row) => <span className={styles.wrap}>{row.reason || '–'}</span>,
  },
  { key: 'by', title: 'Decided by', narrow: false, render: (row) => row.reviewer_name || '–' },
  { key: 'decided', title: 'Decided', narrow: false, render: (row) => <DateTime value={row.decide_date} /> },
];

/** The forms a company sent to be approved; opening one leads to the queue, where it is read and decided. */
export function CustomerReviews({ customer }: { customer: Customer }) {
  const navigate = useNavigate();
  const list = useList(listReviews, { filters: FILTERS, fixed: { search: customer.id }, what: 'The forms' });
  return (
    <ListTable
      id="customer_reviews"
      label={`Forms of ${customer.company_name}`}
      noun="forms"
      list={list}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      onOpen={(row) => void navigate({ to: VERIFICATIONS, search: { open: row.id } as never })}
      empty={
        <EmptyState icon={IconClipboardCheck} title="No form was sent yet">
          The company tells about itself before it may send; then it appears here and in the verification queue.
        </EmptyState>
      }
    />
  );
}

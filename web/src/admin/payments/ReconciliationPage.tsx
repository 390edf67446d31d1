/** Differences between payments and the payment provider, and the last comparison. */
import { Button } from '@mantine/core';
import {
  DIFFERENCE_KINDS,
  DIFFERENCE_STATUS,
  DIFFERENCE_STATUSES,
  type DifferenceKind,
  listDifferences,
  listReconciliations,
  type PaymentDifference,
  type Reconciliation,
  resolveDifference,
  startReconciliation,
} from '@parley/contract/admin/reconciliation.ts';
import { PAYMENT_STATUS } from '@parley/contract/billing/payment_statuses.ts';
import { IconCheck, IconScale } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { accountPath, RECONCILIATION } from '../../paths.ts';
import { CopyId } from '../../ui/data/CopyId.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { ReasonDialog, type ReasonRequest } from '../customers/ReasonDialog.tsx';
import { PaymentTabs } from './PaymentTabs.tsx';

const KIND_LABELS: Readonly<Record<DifferenceKind, string>> = {
  missing_here: 'Only at the provider',
  missing_there: 'Only in Parley',
  amount: 'Different amount',
  currency: 'Different currency',
  status: 'Different status',
  refunded: 'Different refund',
  dispute: 'Different dispute',
};

const FILTERS = ['statuses', 'kinds'] as const;
const FACETS = [
  {
    key: 'statuses',
    label: 'Status',
    options: DIFFERENCE_STATUSES.map((value) => ({ value, label: DIFFERENCE_STATUS[value].label })),
  },
  {
    key: 'kinds',
    label: 'Difference',
    options: DIFFERENCE_KINDS.map((value) => ({ value, label: KIND_LABELS[value] })),
  },
];

/** An amount as it is stored, or the word for a status. */
function valueLabel(kind: DifferenceKind, value: string): string {
  if (value in PAYMENT_STATUS) return PAYMENT_STATUS[value as keyof typeof PAYMENT_STATUS].label;
  const isWord = kind === 'status' || kind === 'dispute';
  return isWord ? value.charAt(0).toUpperCase() + value.slice(1) : value;
}

const Value = ({ row, side }: { row: PaymentDifference; side: 'ours' | 'theirs' }) => (
  <span className={styles.oneLine}>{valueLabel(row.kind, row[side]) || '–'}</span>
);

const COLUMNS: Column<PaymentDifference>[] = [
  {
    key: 'account',
    title: 'Account',
    width: '100%',
    fixed: true,
    card: 'title',
    render: (row) =>
      row.account_id === null ? (
        'Unknown account'
      ) : (
        <Link to={accountPath(row.account_id)}>{row.company_name ?? row.account_id}</Link>
      ),
  },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    card: 'corner',
    render: (row) => <StatusBadge {...DIFFERENCE_STATUS[row.status]} reason={row.reason} />,
  },
  {
    key: 'kind',
    title: 'Difference',
    render: (row) => <span className={styles.oneLine}>{KIND_LABELS[row.kind]}</span>,
  },
  { key: 'ours', title: 'In Parley', render: (row) => <Value row={row} side="ours" /> },
  { key: 'theirs', title: 'At the provider', render: (row) => <Value row={row} side="theirs" /> },
  {
    key: 'provider_id',
    title: 'Provider ID',
    render: (row) => <CopyId value={row.provider_id} label="provider ID" text={`…${row.provider_id.slice(-8)}`} />,
  },
  { key: 'date', title: 'Found', render: (row) => <DateTime value={row.create_date} /> },
  { key: 'resolved_by', title: 'Resolved by', hidden: true, render: (row) => <bdi>{row.resolved_by ?? '–'}</bdi> },
];

function useRowActions(requestReason: (request: ReasonRequest | null) => void): RowAction<PaymentDifference>[] {
  const refusal = useReason(resolveDifference);
  const { mutate } = useAction(resolveDifference, {
    onSuccess: () => {
      toast.success('Difference resolved');
      requestReason(null);
    },
  });
  return [
    {
      key: 'resolve',
      label: 'Resolve',
      icon: IconCheck,
      isOffered: (row) => row.status === 'open',
      reason: () => refusal,
      onSelect: (row) =>
        requestReason({
          title: 'Resolve this difference?',
          text: 'No balance changes. Later comparisons do not report the same values again.',
          action: 'Resolve difference',
          hint: 'Shown to all operators.',
          onDone: (reason) => mutate({ params: { id: row.id }, body: { reason } }),
        }),
    },
  ];
}

function LastRun({ run }: { run: Reconciliation | undefined }) {
  if (!run)
    return <p className={styles.note}>Payments have not been compared yet. The next comparison is at 03:20 UTC.</p>;
  if (run.end_date === null)
    return <p className={styles.note}>Comparing payments: {formatCount(run.payments_count, 'payment')} so far.</p>;
  return (
    <p className={styles.note}>
      Last compared <DateTime value={run.end_date} />: {formatCount(run.payments_count, 'payment')},{' '}
      {formatCount(run.settled_count, 'difference')} settled automatically.
    </p>
  );
}

export default function ReconciliationPage() {
  const list = useList(listDifferences, { filters: FILTERS, subject: 'The differences' });
  const runs = useEndpoint(listReconciliations, { query: { page_size: 10 } });
  const [request, setRequest] = useState<ReasonRequest | null>(null);
  const actions = useRowActions(setRequest);
  const start = useAction(startReconciliation, { onSuccess: () => toast.success('Comparison started') });
  const latest = runs.data?.data[0];
  return (
    <>
      <PageHeader
        title="Reconciliation"
        description="Payments are compared with the payment provider’s records every day."
        action={
          <Allow needs={startReconciliation}>
            <Button loading={start.isPending} onClick={() => start.mutate({})}>
              Compare now
            </Button>
          </Allow>
        }
      >
        <PaymentTabs open={RECONCILIATION} />
      </PageHeader>
      {runs.data && <LastRun run={latest} />}
      <ListTable
        list={list}
        id="payment_differences"
        label="Differences"
        noun="differences"
        facets={FACETS}
        columns={COLUMNS}
        actions={actions}
        rowKey={(row) => row.id}
        rowName={(row) => `${KIND_LABELS[row.kind]}, ${row.provider_id}`}
        empty={
          <EmptyState icon={IconScale} title="No differences yet">
            Differences between payments and the payment provider appear here.
          </EmptyState>
        }
        emptyFiltered={<EmptyState title="No differences match these filters">Clear a filter.</EmptyState>}
      />
      <ReasonDialog request={request} busy={false} onClose={() => setRequest(null)} />
    </>
  );
}

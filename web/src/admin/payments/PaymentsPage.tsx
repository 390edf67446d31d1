/** Payments that need an operator's decision: in review, expected by bank transfer, or disputed. */
import { Button } from '@mantine/core';
import { updateInvoiceEntity } from '@parley/contract/admin/invoice_entities.ts';
import {
  type CustomerPayment,
  confirmTransfer,
  listCustomerPayments,
  refundPayment,
  releasePayment,
} from '@parley/contract/admin/payments.ts';
import { PAYMENT_STATUS } from '@parley/contract/billing/payment_statuses.ts';
import { IconCheck, IconReceiptRefund, IconSnowflakeOff } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { accountPath, CUSTOMER_PAYMENTS } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatMoney } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../../ui/data/table/money_column.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ReasonDialog } from '../customers/ReasonDialog.tsx';
import { EntityPanel } from './EntityPanel.tsx';
import { PaymentTabs } from './PaymentTabs.tsx';
import { useProposalDialog } from './proposals.ts';

const ENTITY = 'company';
const FILTERS = ['states'] as const;
const STATES = [
  { value: 'review', label: 'In review' },
  { value: 'expected', label: 'Expected bank transfers' },
  { value: 'disputed', label: 'Disputed' },
];

const COLUMNS: Column<CustomerPayment>[] = [
  {
    key: 'account',
    title: 'Account',
    fixed: true,
    card: 'title',
    render: (row) => <Link to={accountPath(row.account_id)}>{row.company_name}</Link>,
  },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    card: 'corner',
    render: (row) => (
      <StatusBadge
        {...PAYMENT_STATUS[row.status]}
        reason={row.dispute === 'open' ? 'The cardholder’s bank disputes this payment.' : null}
      />
    ),
  },
  { key: 'type', title: 'Type', render: (row) => row.type },
  moneyColumn<CustomerPayment, string>({
    key: 'amount',
    title: 'Amount',
    micros: (row) => row.amount_micros,
    currency: (row) => row.currency,
  }),
  {
    key: 'details',
    title: 'Details',
    render: (row) => (row.last4 ? `${row.brand} ending in ${row.last4}` : (row.reference ?? '–')),
  },
  { key: 'date', title: 'Date', render: (row) => <DateTime value={row.paid_date ?? row.create_date} /> },
];

const target = (row: CustomerPayment) => ({ params: { id: row.account_id, payment_id: row.id } });
const amountLabel = (row: CustomerPayment) => formatMoney(row.amount_micros - row.returned_micros, row.currency);

/** Called with a refused refund or bank transfer. */
type OnRefused = ReturnType<typeof useProposalDialog>['onRefused'];

function useRowActions(onRefused: OnRefused): RowAction<CustomerPayment>[] {
  const release = useAction(releasePayment, { onSuccess: () => toast.success('Payment released') });
  const refund = useAction(refundPayment, {
    onSuccess: () => toast.success('Payment refunded'),
    onError: (error, { params }) => onRefused(error, 'refund', params),
  });
  const confirmed = useAction(confirmTransfer, {
    onSuccess: () => toast.success('Bank transfer confirmed'),
    onError: (error, { params }) => onRefused(error, 'transfer', params),
  });
  const editReason = useReason(releasePayment);
  const addReason = useReason(confirmTransfer);
  const askToRefund = async (row: CustomerPayment) => {
    const isSure = await confirm({
      title: `Refund ${amountLabel(row)} to ${row.company_name}?`,
      consequence: 'The money is returned to the card. This cannot be undone.',
      action: 'Refund payment',
      danger: true,
    });
    if (isSure) refund.mutate({ ...target(row), body: { reason: 'Refunded after review' } });
  };
  const askToConfirm = async (row: CustomerPayment) => {
    const isSure = await confirm({
      title: `Confirm the bank transfer of ${amountLabel(row)} from ${row.company_name}?`,
      consequence: 'The amount is added to the balance immediately. Check that the money has arrived.',
      action: 'Confirm transfer',
    });
    if (isSure) confirmed.mutate(target(row));
  };
  return [
    {
      key: 'release',
      label: 'Release payment',
      icon: IconSnowflakeOff,
      isOffered: (row) => row.status === 'FROZEN',
      reason: (row) => editReason ?? (row.dispute === 'open' ? 'The payment is disputed.' : null),
      onSelect: (row) => release.mutate(target(row)),
    },
    {
      key: 'refund',
      label: 'Refund payment',
      icon: IconReceiptRefund,
      danger: true,
      isOffered: (row) => row.status === 'FROZEN',
      reason: (row) => editReason ?? (row.dispute === 'open' ? 'The payment is disputed.' : null),
      onSelect: (row) => void askToRefund(row),
    },
    {
      key: 'confirm',
      label: 'Confirm transfer',
      icon: IconCheck,
      isOffered: (row) => row.status === 'PENDING',
      reason: () => addReason,
      onSelect: (row) => void askToConfirm(row),
    },
  ];
}

/** Another tab. It is loaded here, so that it costs nothing before this page is open. */
const OverduePage = lazy(() => import('../overdue/OverduePage.tsx'));

export default function PaymentsPage() {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  if (tab !== 'overdue') return <CustomerPayments />;
  return (
    <Suspense fallback={<SkeletonLines lines={8} />}>
      <OverduePage />
    </Suspense>
  );
}

function CustomerPayments() {
  const list = useList(listCustomerPayments, { filters: FILTERS, subject: 'The payments' });
  const proposal = useProposalDialog();
  const actions = useRowActions(proposal.onRefused);
  const panel = usePanel();
  return (
    <>
      <PageHeader
        title="Payments"
        description="Payments that need your decision, from all accounts."
        secondary={
          <Allow needs={updateInvoiceEntity.needs}>
            <Button variant="default" onClick={() => panel.open(ENTITY)}>
              Issuing company
            </Button>
          </Allow>
        }
      >
        <PaymentTabs open={CUSTOMER_PAYMENTS} />
      </PageHeader>
      <ListTable
        list={list}
        id="customer_payments"
        label="Payments"
        noun="payments"
        facets={[{ key: 'states', label: 'State', options: STATES }]}
        columns={COLUMNS}
        actions={actions}
        rowKey={(row) => row.id}
        rowName={(row) => `${row.company_name}, ${amountLabel(row)}`}
        empty={
          <EmptyState title="No payments need your decision">
            The first payment with each card, bank transfers, and disputes appear here.
          </EmptyState>
        }
        emptyFiltered={<EmptyState title="No payments match these filters">Clear a filter.</EmptyState>}
      />
      <ReasonDialog request={proposal.request} busy={proposal.busy} onClose={proposal.close} />
      <EntityPanel open={panel.id === ENTITY} onClose={panel.close} />
    </>
  );
}

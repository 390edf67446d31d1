import { PAYMENT_STATUS } from '@parley/contract/billing/payment_statuses.ts';
import { listPayments, PAYMENT_TYPES, type Payment } from '@parley/contract/billing/payments.ts';
import { IconReceipt } from '@tabler/icons-react';
import { ExportMenu } from '../exports/ExportMenu.tsx';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Money } from '../ui/data/Money.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { BillingLayout } from './BillingLayout.tsx';
import { cardLabel } from './cards.ts';
import { PaymentPanel } from './PaymentPanel.tsx';

const FILTERS = ['statuses', 'types'] as const;
const LISTED = ['PENDING', 'PAID', 'FROZEN', 'REFUNDED', 'PARTIALLY_REFUNDED'] as const;

const COLUMNS: Column<Payment>[] = [
  { key: 'type', title: 'Type', fixed: true, card: 'title', render: (row) => row.type },
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
  moneyColumn<Payment, string>({
    key: 'amount',
    title: 'Amount',
    micros: (row) => row.amount_micros,
    currency: (row) => row.currency,
  }),
  moneyColumn<Payment, string>({
    key: 'tax',
    title: 'VAT',
    narrow: false,
    micros: (row) => row.tax_micros,
    currency: (row) => row.currency,
  }),
  {
    key: 'returned',
    title: 'Refunded',
    align: 'end',
    narrow: false,
    render: (row) => (row.returned_micros > 0 ? <Money micros={row.returned_micros} currency={row.currency} /> : '–'),
  },
  {
    key: 'details',
    title: 'Details',
    render: (row) => (row.last4 ? cardLabel(row) : (row.reference ?? (row.note || '–'))),
  },
  { key: 'date', title: 'Date', render: (row) => <DateTime value={row.paid_date ?? row.create_date} /> },
];
const FACETS = [
  {
    key: 'statuses',
    label: 'Status',
    options: LISTED.map((status) => ({ value: status, label: PAYMENT_STATUS[status].label })),
  },
  { key: 'types', label: 'Type', options: PAYMENT_TYPES.map((type) => ({ value: type, label: type })) },
];

export default function PaymentsPage() {
  const panel = usePanel();
  const list = useList(listPayments, { filters: FILTERS, subject: 'The payments' });
  return (
    <BillingLayout title="Payments" needs={listPayments.needs} description="Money added to your balance, and refunds.">
      <ListTable
        list={list}
        id="payments"
        label="Payments"
        noun="payments"
        facets={FACETS}
        tools={<ExportMenu name="payments" list={list} table="payments" columns={COLUMNS} />}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.type}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconReceipt} title="No payments yet">
            Payments by card and bank transfer appear here, with their refunds.
          </EmptyState>
        }
        emptyFiltered={<EmptyState title="No payments match these filters">Clear a filter.</EmptyState>}
      />
      <PaymentPanel id={panel.id} onClose={panel.close} />
    </BillingLayout>
  );
}

import { PAYMENT_STATUS } from '@parley/contract/billing/payment_statuses.ts';
import { getPayment, type Payment } from '@parley/contract/billing/payments.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Money } from '../ui/data/Money.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { cardLabel } from './cards.ts';

/** The details of a payment, for links from the ledger. */
export function PaymentPanel({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useEndpoint(getPayment, { params: { id: id ?? '' } }, { enabled: id !== null });
  const payment = query.data?.data;
  return (
    <SidePanel open={id !== null} onClose={onClose} title={payment?.type ?? 'Payment'}>
      {payment ? (
        <Facts payment={payment} />
      ) : query.error ? (
        <ErrorState
          title="The payment could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={6} />
      )}
    </SidePanel>
  );
}

function Facts({ payment }: { payment: Payment }) {
  const { currency } = payment;
  const money = (micros: number) => <Money micros={micros} currency={currency} />;
  const facts = [
    { label: 'Status', value: <StatusBadge {...PAYMENT_STATUS[payment.status]} /> },
    { label: 'Amount', value: money(payment.amount_micros) },
    { label: 'VAT', value: money(payment.tax_micros) },
    { label: 'Refunded', value: payment.returned_micros > 0 && money(payment.returned_micros) },
    { label: 'Card', value: payment.last4 && cardLabel(payment) },
    { label: 'Reference', value: payment.reference },
    { label: 'Note', value: payment.note },
    { label: 'Reason', value: payment.failure },
    { label: 'Created', value: <DateTime value={payment.create_date} /> },
    { label: 'Paid', value: payment.paid_date && <DateTime value={payment.paid_date} /> },
    { label: 'Payment ID', value: <CopyId value={payment.id} label="payment ID" /> },
  ];
  return <Fields fields={facts.filter(({ value }) => value)} />;
}

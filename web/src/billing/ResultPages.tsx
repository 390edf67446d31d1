/** The pages after a payment: it has arrived or is in review, or it failed. */
import { Button } from '@mantine/core';
import { getPayment, type Payment } from '@parley/contract/billing/payments.ts';
import { IconCircleCheck, IconCircleX, IconHourglass, IconSnowflake } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/http/query.ts';
import { ADD_FUNDS, BILLING } from '../paths.ts';
import { formatMoney } from '../ui/data/format.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageSkeleton } from '../ui/feedback/PageSkeleton.tsx';
import { Buttons } from '../ui/form/FormParts.tsx';

/** The payment is read again until the provider's report has arrived. */
const POLL_MS = 2_000;

function usePayment() {
  const { payment } = useSearch({ strict: false }) as { payment?: string };
  const query = useEndpoint(
    getPayment,
    { params: { id: payment ?? '' } },
    { enabled: payment !== undefined, refetchInterval: POLL_MS },
  );
  return { payment: query.data?.data, isLoading: query.isLoading };
}

const WORDS = {
  paid: { icon: IconCircleCheck, title: 'Payment received' },
  review: { icon: IconSnowflake, title: 'Payment in review' },
  open: { icon: IconHourglass, title: 'Payment in progress' },
  failed: { icon: IconCircleX, title: 'Payment failed' },
};

function paymentOutcome(payment: Payment | undefined): keyof typeof WORDS {
  if (payment?.status === 'FROZEN') return 'review';
  if (payment?.status === 'PENDING') return 'open';
  return payment?.status === 'FAILED' ? 'failed' : 'paid';
}

function outcomeText(payment: Payment | undefined): string {
  if (!payment) return 'Thank you. The amount is added to your balance as soon as the payment arrives.';
  const amount = formatMoney(payment.amount_micros, payment.currency);
  if (payment.status === 'FROZEN')
    return (
      `We received ${amount} and are reviewing it because it is the first payment with this card. ` +
      'The amount is frozen until the review ends.'
    );
  if (payment.status === 'PENDING')
    return 'The bank has not confirmed the payment yet. This page updates automatically.';
  if (payment.status === 'FAILED') return payment.failure ?? 'No money was charged.';
  return `${amount} was added to your balance.`;
}

export function ThankYouPage() {
  const { payment, isLoading } = usePayment();
  if (isLoading) return <PageSkeleton />;
  const outcome = paymentOutcome(payment);
  return (
    <EmptyState
      {...WORDS[outcome]}
      heading
      action={
        <Buttons>
          <Button component={Link} to={outcome === 'failed' ? ADD_FUNDS : '/'}>
            {outcome === 'failed' ? 'Try again' : 'Open dashboard'}
          </Button>
          <Button component={Link} to={BILLING} variant="default">
            Open billing
          </Button>
        </Buttons>
      }
    >
      {outcomeText(payment)}
    </EmptyState>
  );
}

export function FailedPage() {
  const { payment, isLoading } = usePayment();
  if (isLoading) return <PageSkeleton />;
  return (
    <EmptyState
      {...WORDS.failed}
      heading
      action={
        <Buttons>
          <Button component={Link} to={ADD_FUNDS}>
            Try again
          </Button>
          <Button component={Link} to={BILLING} variant="default">
            Open billing
          </Button>
        </Buttons>
      }
    >
      {payment?.failure ?? 'No money was charged. Try again, or use another card.'}
    </EmptyState>
  );
}

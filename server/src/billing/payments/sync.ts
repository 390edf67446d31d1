/** Reads payments from the provider, and applies them: after the browser's report, after a callback, and by a sweep. */
import type { Payment } from '@parley/contract/billing/payments.ts';
import { Problem } from '@parley/contract/problem.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { findProvider, withProvider } from '../cards/cards.ts';
import { findPayment, listPendingPayments } from './queries.ts';
import { applyState } from './settle.ts';

/** Enqueued by callbacks. Several callbacks about one payment become one job. */
export const syncJob = job<{ provider_id: string }>('billing.sync_payment', {
  retry: 20,
  retry_seconds: 10,
  key: ({ provider_id }) => provider_id,
});
export const sweepJob = job('billing.sweep_payments', { cron: '*/5 * * * *', retry: 0, expire_seconds: 280 });

const SWEEP_AFTER_SECONDS = 120;
const SWEEP_SIZE = 100;

/** Applies the current state of a payment, which the caller may not know yet. */
export async function syncPayment(kernel: Kernel, provider_id: string): Promise<void> {
  const provider = await findProvider(kernel);
  if (!provider) return;
  const state = await provider.readPayment(provider_id);
  failpoint('payment.read');
  const applied = await kernel.db.tx((tx) => applyState(tx, state));
  if (!applied) kernel.log.warn({ provider_id }, 'the provider reported an unknown payment');
}

/** Finds payments whose callbacks were lost. */
export async function sweepPayments(kernel: Kernel, older_than_seconds = SWEEP_AFTER_SECONDS): Promise<void> {
  const provider = await findProvider(kernel);
  if (!provider) return;
  for (const { account_id, id } of await listPendingPayments(kernel.db, older_than_seconds, SWEEP_SIZE)) {
    const row = await findPayment(kernel.db, account_id, id);
    // Without an ID, the browser never got the secret, so the payment cannot have happened.
    if (!row?.provider_id) continue;
    await syncPayment(kernel, row.provider_id).catch((error) =>
      kernel.log.error({ err: error, payment: id }, 'a payment could not be read'),
    );
  }
}

/** The browser has confirmed a payment. Its word counts for nothing: the provider is asked. */
export async function reportPayment(kernel: Kernel, { account_id }: Actor, id: string): Promise<Payment> {
  const row = await findPayment(kernel.db, account_id, id);
  if (!row) throw new Problem('PAYMENT_NOT_FOUND');
  const { provider_id } = row;
  if (provider_id === null) return row;
  const state = await withProvider(kernel, (provider) => provider.readPayment(provider_id));
  return (await kernel.db.tx((tx) => applyState(tx, state))) ?? row;
}

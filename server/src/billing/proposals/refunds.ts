/**
 * Refunds that two operators agreed on. A job calls the payment provider. Its key is the proposal and its amount is
 * stored with the approval, so a job repeated after a crash makes the same call, and the provider refunds once.
 */
import { balanceProposalChanged } from '@parley/contract/admin/balance_proposals.ts';
import { CENT } from '@parley/contract/billing/amounts.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { withProvider } from '../cards/cards.ts';
import { findPayment } from '../payments/queries.ts';
import { recordDecision } from '../payments/reviews.ts';
import { applyState } from '../payments/settle.ts';
import * as queries from './queries.ts';

export const refundApproved = job<{ account_id: string; id: string }>('billing.refund_approved', {
  retry: 20,
  retry_seconds: 30,
  key: ({ id }) => id,
  group: ({ account_id }) => account_id,
});

export async function refundProposal(kernel: Kernel, account_id: string, id: string): Promise<void> {
  const row = await queries.findProcessing(kernel.db, account_id, id);
  const payment = row?.payment_id ? await findPayment(kernel.db, account_id, row.payment_id) : null;
  if (!row || !payment?.provider_id) return;
  const { provider_id } = payment;
  const { is_refunded, state } = await withProvider(kernel, async (provider) => ({
    is_refunded: await provider.refund(provider_id, row.refund_micros / CENT, `refund:proposal:${id}`),
    state: await provider.readPayment(provider_id),
  }));
  failpoint('after_proposed_refund');
  await kernel.db.tx(async (tx) => {
    const applied = (await applyState(tx, state)) ?? payment;
    const reason = is_refunded ? null : 'The payment provider refused the refund.';
    if (!(await queries.endProcessing(tx, row, is_refunded ? 'applied' : 'failed', reason))) return;
    if (is_refunded)
      await recordDecision(
        tx,
        { actor: { account_id: row.operators_id, user_id: row.decide_user_id } },
        'payment.refunded',
        applied,
        {
          ...{ refunded_micros: row.refund_micros, reason: row.reason },
          ...{ proposal_id: id, proposed_by: row.proposed_by },
        },
      );
    await emitToOperators(tx, balanceProposalChanged, { id });
  });
}

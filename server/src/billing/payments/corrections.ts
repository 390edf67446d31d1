/** Corrections: operators deduct what was credited by mistake. The reference is the key of the ledger entry. */
import type { correctBalance as Endpoint } from '@parley/contract/admin/payments.ts';
import type { LedgerEntry } from '@parley/contract/billing/billing.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { announceCustomer } from '../../accounts/accounts.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { move } from '../ledger/movements.ts';
import { findLedgerEntry } from '../ledger/queries.ts';
import { type Approval, lockAccount, requireOneOperator } from './second_operator.ts';

export const correctionKey = (reference: string): string => `correction:${reference}`;

/** Throws TOP_UP_REFERENCE_USED if the reference belongs to another amount. */
export async function correctBalance(
  ctx: Ctx,
  account_id: string,
  { amount_micros, reason, reference }: Parsed<typeof Endpoint>['body'],
  approval?: Approval,
): Promise<LedgerEntry> {
  const { tx } = ctx;
  const account = await lockAccount(tx, account_id);
  if (account.kind !== 'CUSTOMER') throw new Problem('ACCOUNT_NOT_FOUND');
  const key = correctionKey(reference);
  const existing = await findLedgerEntry(tx, account_id, key);
  if (existing) {
    if (approval || existing.amount_micros !== amount_micros) throw new Problem('TOP_UP_REFERENCE_USED');
    return existing;
  }
  if (!approval) await requireOneOperator(ctx, tx, { account_id, currency: account.currency, amount_micros });
  await move(tx, {
    ...{ account_id, amount_micros, key, note: `${reason} (${reference})` },
    kind: 'correction',
    from: 'available',
    to: 'outside',
    limit: 'covered',
  }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.name !== 'BALANCE_NOT_ENOUGH') throw error;
    throw new Problem('BALANCE_NOT_ENOUGH', { message: 'The amount is larger than the balance of the account' });
  });
  record(tx, ctx, {
    action: 'balance.corrected',
    account_id,
    target: { type: 'account', id: account_id, name: account.company_name },
    detail: { amount_micros, reason, reference, ...approval },
  });
  await announceCustomer(tx, account_id);
  return (await findLedgerEntry(tx, account_id, key))!;
}

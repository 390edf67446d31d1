/** Manual top-ups. The reference is the key of the ledger entry, so no payment is booked twice. */
import type { createTopUp as Endpoint } from '@parley/contract/admin/top_ups.ts';
import type { LedgerEntry } from '@parley/contract/billing/billing.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { announceCustomer } from '../../accounts/accounts.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { findLedgerEntry } from '../ledger/queries.ts';
import { bookManual } from './manual.ts';
import { type Approval, lockAccount, requireOneOperator } from './second_operator.ts';

const TYPES = { top_up: 'Bank Transfer', bonus: 'Bonus', compensation: 'Compensation' } as const;

export const topUpKey = (reference: string): string => `manual:${reference}`;

/** Throws TOP_UP_REFERENCE_USED if the reference belongs to another amount or kind. */
export async function topUp(
  ctx: Ctx,
  account_id: string,
  { amount_micros, kind, reason, reference }: Parsed<typeof Endpoint>['body'],
  approval?: Approval,
): Promise<LedgerEntry> {
  const { tx } = ctx;
  const account = await lockAccount(tx, account_id);
  if (account.closed) throw new Problem('ACCOUNT_CLOSED');
  const key = topUpKey(reference);
  const existing = await findLedgerEntry(tx, account_id, key);
  if (existing) {
    if (approval || existing.amount_micros !== amount_micros || existing.kind !== kind)
      throw new Problem('TOP_UP_REFERENCE_USED');
    return existing;
  }
  if (!approval) await requireOneOperator(ctx, tx, { account_id, currency: account.currency, amount_micros });
  await bookManual(tx, { account_id, amount_micros, type: TYPES[kind], key, note: `${reason} (${reference})` });
  record(tx, ctx, {
    action: 'balance.topped_up',
    account_id,
    target: { type: 'account', id: account_id, name: account.company_name },
    detail: { amount_micros, kind, reason, reference, ...approval },
  });
  await announceCustomer(tx, account_id);
  return (await findLedgerEntry(tx, account_id, key))!;
}

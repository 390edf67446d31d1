/**
 * Money. Every movement is one row of the ledger from one side to another, written in the transaction that moves the balance, and never
 * changed afterwards. Nothing else writes to balances, ledger or holds.
 */
import { Problem } from '@parley/contract/problem.ts';
import { idAt, newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { announceBalance, type BalanceRow, balanceColumns } from './ledger/balance.ts';

export { type BalanceRow, balanceOf, toBalance } from './ledger/balance.ts';
export { type Charge, charge } from './ledger/charges.ts';
export { billingChecks } from './check.ts';
export { type Closing, closeHolds, type HoldRequest, openHold } from './ledger/holds.ts';
export { type Price, type PriceBook, priceBook } from './prices/prices.ts';

/** Does nothing when the account has one. */
export async function createBalance(
  tx: Tx,
  balance: { account_id: string; currency: string; credit_limit_micros?: number },
): Promise<void> {
  await tx.run(sql`
    insert into balances (account_id, currency, credit_limit_micros)
    values (${balance.account_id}, ${balance.currency}, ${balance.credit_limit_micros ?? 0})
    on conflict (account_id) do nothing`);
}

/** Where the money comes from: from outside, or, for a refund, back from what was spent. */
const SOURCES = { top_up: 'outside', bonus: 'outside', compensation: 'outside', refund: 'spent' } as const;

export interface Credit {
  account_id: string;
  amount_micros: number;
  kind: keyof typeof SOURCES;
  /** Once for each key: a repeated try changes nothing. */
  key: string;
  note?: string;
}

/** False when this key was credited before. The same key with another amount is a defect of the caller and refused. */
export async function credit(tx: Tx, { account_id, amount_micros, kind, key, note = '' }: Credit): Promise<boolean> {
  // The lock comes first: whoever waited for it sees the entry of the one before.
  const balance = await tx.maybeOne<BalanceRow>(
    sql`select ${balanceColumns} from balances b where b.account_id = ${account_id} for update`,
  );
  if (!balance) throw new Problem('BALANCE_NOT_FOUND');
  const before = await tx.maybeOne<{ amount_micros: number }>(
    sql`select amount_micros from ledger where account_id = ${account_id} and key = ${key}`,
  );
  if (before) {
    if (before.amount_micros !== amount_micros) throw new Error(`credit ${key} was of another amount`);
    return false;
  }
  await tx.run(sql`
    insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, available_after_micros, held_after_micros, note, create_date)
    values (${account_id}, ${newId()}, ${SOURCES[kind]}, 'available', ${amount_micros}, ${kind}, ${key},
            ${balance.available_micros + amount_micros}, ${balance.held_micros}, ${note}, ${tx.now})`);
  announceBalance(
    tx,
    await tx.one<BalanceRow>(sql`
      update balances b set available_micros = b.available_micros + ${amount_micros}::bigint, update_date = ${tx.now}
      where b.account_id = ${account_id} returning ${balanceColumns}`),
  );
  return true;
}

/** How far below zero the account may go. CREDIT_LIMIT_TOO_LOW: it is further already. Answers what the limit was. */
export async function setCreditLimit(tx: Tx, account_id: string, credit_limit_micros: number): Promise<number> {
  const balance = await tx.maybeOne<BalanceRow>(
    sql`select ${balanceColumns} from balances b where b.account_id = ${account_id} for update`,
  );
  if (!balance) throw new Problem('BALANCE_NOT_FOUND');
  if (balance.available_micros < -credit_limit_micros) throw new Problem('CREDIT_LIMIT_TOO_LOW');
  if (balance.credit_limit_micros !== credit_limit_micros)
    announceBalance(
      tx,
      await tx.one<BalanceRow>(sql`
        update balances b set credit_limit_micros = ${credit_limit_micros}, update_date = ${tx.now}
        where b.account_id = ${account_id} returning ${balanceColumns}`),
    );
  return balance.credit_limit_micros;
}

/** Messages accepted in the last days, from their holds: every batch has one, so there are far fewer to add up. */
export const acceptedMessages = async (db: Queryable, account_id: string, days: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select coalesce(sum(message_count), 0)::bigint as count from holds
      where account_id = ${account_id} and id >= ${idAt(Date.now() - days * 86_400_000)}::uuid`)
  ).count;

/** Money paid into or returned to an account. */
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { announceBalance, type BalanceRow, balanceColumns } from './balance.ts';

/** The ledger account that each credit comes from: `outside`, or `spent` for refunds. */
const SOURCES = { top_up: 'outside', bonus: 'outside', compensation: 'outside', refund: 'spent' } as const;

interface Credit {
  account_id: string;
  amount_micros: number;
  kind: keyof typeof SOURCES;
  /** Idempotency key. A repeated call with the same key changes nothing. */
  key: string;
  note?: string;
}

/**
 * Adds money to a balance. Returns false if this key was credited before. Using the same key with another amount is a
 * defect in the caller and throws an error.
 */
export async function credit(tx: Tx, { account_id, amount_micros, kind, key, note = '' }: Credit): Promise<boolean> {
  // The lock is taken first, so that a call that had to wait sees the previous call's entry.
  const balance = await tx.maybeOne<BalanceRow>(
    sql`select ${balanceColumns} from balances b where b.account_id = ${account_id} for update`,
  );
  if (!balance) throw new Problem('BALANCE_NOT_FOUND');
  const existing = await tx.maybeOne<{ amount_micros: number }>(
    sql`select amount_micros from ledger where account_id = ${account_id} and key = ${key}`,
  );
  if (existing) {
    if (existing.amount_micros !== amount_micros)
      throw new Error(`credit ${key} was already booked with a different amount`);
    return false;
  }
  await tx.run(sql`
    insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, available_after_micros,
      held_after_micros, note, create_date)
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

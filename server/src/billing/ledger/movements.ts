/** Individual movements of money between an account's books. Holds for messages have their own file. */
import type { LedgerEntry } from '@parley/contract/billing/billing.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { announceBalance, type BalanceRow, balanceColumns } from './balance.ts';

type Book = 'outside' | 'frozen' | 'available' | 'spent';

interface Movement {
  account_id: string;
  amount_micros: number;
  kind: LedgerEntry['kind'];
  from: Book;
  to: Book;
  /** Idempotency key. A repeated call with the same key changes nothing. */
  key: string;
  note?: string;
  payment_id?: string;
  /** `covered`: throws BALANCE_NOT_ENOUGH if the balance would fall below the credit limit. */
  limit: 'covered' | 'none';
  /** The change of the amount by which the balance may be below its limit. */
  takes_back_micros?: number;
}

/**
 * Moves money. Returns false if this key was used before. Using the same key with another amount is a defect in the
 * caller and throws an error. If the balance is too low, nothing is stored, and the transaction can continue. As with
 * holds, the caller takes its other locks first.
 */
export async function move(tx: Tx, movement: Movement): Promise<boolean> {
  const { account_id, amount_micros, kind, from, to, key, note = '', payment_id = null, limit } = movement;
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
      throw new Error(`movement ${key} was already booked with a different amount`);
    return false;
  }
  const change = (book: Book) => (to === book ? amount_micros : 0) - (from === book ? amount_micros : 0);
  const available = balance.available_micros + change('available');
  if (limit === 'covered' && available < -balance.credit_limit_micros) throw new Problem('BALANCE_NOT_ENOUGH');
  if (amount_micros === 0) return true;
  await tx.run(sql`
    insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, payment_id, available_after_micros,
      held_after_micros, note, create_date)
    values (${account_id}, ${newId()}, ${from}, ${to}, ${amount_micros}, ${kind}, ${key}, ${payment_id},
            ${available}, ${balance.held_micros}, ${note}, ${tx.now})`);
  announceBalance(
    tx,
    await tx.one<BalanceRow>(sql`
      update balances b set available_micros = ${available}::bigint,
        frozen_micros = b.frozen_micros + ${change('frozen')}::bigint,
        reclaimed_micros = b.reclaimed_micros + ${movement.takes_back_micros ?? 0}::bigint, update_date = ${tx.now}
      where b.account_id = ${account_id} returning ${balanceColumns}`),
  );
  return true;
}

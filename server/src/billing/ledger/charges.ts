/**
 * Charges for purchases other than messages. An account is charged immediately and in full, in the transaction that
 * makes the purchase.
 */
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { announceBalance, type BalanceRow, balanceColumns } from './balance.ts';

interface Charge {
  account_id: string;
  amount_micros: number;
  /** Idempotency key. A repeated call with the same key changes nothing. */
  key: string;
  note: string;
}

/**
 * Charges an account. Returns false if the key was charged before. Throws BALANCE_NOT_ENOUGH if the balance would fall
 * below the credit limit; nothing is stored then, and the transaction can continue. As with holds, the caller takes its
 * other locks first.
 */
export async function charge(tx: Tx, { account_id, amount_micros, key, note }: Charge): Promise<boolean> {
  const balance = await tx.maybeOne<BalanceRow>(
    sql`select ${balanceColumns} from balances b where b.account_id = ${account_id} for update`,
  );
  if (!balance) throw new Problem('BALANCE_NOT_FOUND');
  const existing = await tx.maybeOne<{ amount_micros: number }>(
    sql`select amount_micros from ledger where account_id = ${account_id} and key = ${key}`,
  );
  if (existing) {
    if (existing.amount_micros !== amount_micros)
      throw new Error(`charge ${key} was already booked with a different amount`);
    return false;
  }
  if (balance.available_micros - amount_micros < -balance.credit_limit_micros) throw new Problem('BALANCE_NOT_ENOUGH');
  if (amount_micros === 0) return true;
  await tx.run(sql`
    insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, available_after_micros,
      held_after_micros, note, create_date)
    values (${account_id}, ${newId()}, 'available', 'spent', ${amount_micros}, 'charge', ${key},
            ${balance.available_micros - amount_micros}, ${balance.held_micros}, ${note}, ${tx.now})`);
  announceBalance(
    tx,
    await tx.one<BalanceRow>(sql`
      update balances b set available_micros = b.available_micros - ${amount_micros}::bigint, update_date = ${tx.now}
      where b.account_id = ${account_id} returning ${balanceColumns}`),
  );
  return true;
}

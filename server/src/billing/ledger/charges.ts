/**
 * Charges for purchases other than messages. An account is charged immediately and in full, in the transaction that
 * makes the purchase.
 */
import type { Tx } from '../../kernel/db/db.ts';
import { move } from './movements.ts';

interface Charge {
  account_id: string;
  amount_micros: number;
  /** Idempotency key. A repeated call with the same key changes nothing. */
  key: string;
  note: string;
}

/**
 * Charges an account. Returns false if the key was charged before. Throws BALANCE_NOT_ENOUGH if the balance would fall
 * below the credit limit.
 */
export const charge = (tx: Tx, { note, ...rest }: Charge): Promise<boolean> =>
  move(tx, { ...rest, note, kind: 'charge', from: 'available', to: 'spent', limit: 'covered' });

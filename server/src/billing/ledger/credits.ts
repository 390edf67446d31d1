/** Money paid into or returned to an account. */
import type { Tx } from '../../kernel/db/db.ts';
import { move } from './movements.ts';

/** The ledger account that each credit comes from: `outside`, or `spent` for refunds. */
const SOURCES = { top_up: 'outside', bonus: 'outside', compensation: 'outside', refund: 'spent' } as const;

interface Credit {
  account_id: string;
  amount_micros: number;
  kind: keyof typeof SOURCES;
  /** Idempotency key. A repeated call with the same key changes nothing. */
  key: string;
  note?: string;
  payment_id?: string;
}

/** Adds money to a balance. Returns false if this key was credited before. */
export const credit = (tx: Tx, { kind, ...rest }: Credit): Promise<boolean> =>
  move(tx, { ...rest, kind, from: SOURCES[kind], to: 'available', limit: 'none' });

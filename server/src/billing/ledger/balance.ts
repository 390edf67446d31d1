/** The balance as the world sees it, and its one event for each account and transaction. */
import { type Balance, balanceChanged } from '@parley/contract/billing/billing.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';

export interface BalanceRow {
  account_id: string;
  currency: Balance['currency'];
  available_micros: number;
  held_micros: number;
  credit_limit_micros: number;
}

export const balanceColumns: Sql = sql`b.account_id, b.currency, b.available_micros, b.held_micros, b.credit_limit_micros`;

const units = (micros: number): number => micros / 1_000_000;

export const toBalance = (row: BalanceRow): Balance => ({
  id: row.account_id,
  account_id: row.account_id,
  balance: units(row.available_micros),
  // Nothing is ever under review while funds come from operators alone.
  pending_balance: 0,
  currency: row.currency,
  configuration: { credit_limit: units(row.credit_limit_micros) },
  available_micros: row.available_micros,
  held_micros: row.held_micros,
});

export const balanceOf = (db: Queryable, account_id: string): Promise<BalanceRow | null> =>
  db.maybeOne<BalanceRow>(sql`select ${balanceColumns} from balances b where b.account_id = ${account_id}`);

const announced = new WeakMap<Tx, Map<string, Balance>>();

/** The payload is written at the commit, so later movements of the same transaction go into the same event. */
export function announceBalance(tx: Tx, row: BalanceRow): void {
  let balances = announced.get(tx);
  if (!balances) {
    balances = new Map();
    announced.set(tx, balances);
  }
  const known = balances.get(row.account_id);
  if (known) {
    Object.assign(known, toBalance(row));
    return;
  }
  const balance = toBalance(row);
  balances.set(row.account_id, balance);
  emit(tx, balanceChanged, row.account_id, balance);
}

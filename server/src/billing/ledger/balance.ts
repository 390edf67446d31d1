/** The public balance and its event, which is emitted once per account and transaction. */
import { type Balance, balanceChanged } from '@parley/contract/billing/billing.ts';
import { Problem } from '@parley/contract/problem.ts';
import { empty, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import { emit } from '../../kernel/live/events.ts';

export interface BalanceRow {
  account_id: string;
  currency: Balance['currency'];
  available_micros: number;
  held_micros: number;
  frozen_micros: number;
  credit_limit_micros: number;
  /** The levels at which the balance is looked at. Null: never. */
  watch_below_micros: number | null;
  watch_above_micros: number | null;
}

/** Implemented by a later stage: alerts and automatic top-ups. */
export const balanceCrossed = job<{ account_id: string }>('billing.balance_crossed', {
  retry: 20,
  retry_seconds: 10,
  key: ({ account_id }) => account_id,
  group: ({ account_id }) => account_id,
});

export const balanceColumns: Sql = sql`b.account_id, b.currency, b.available_micros, b.held_micros,
b.frozen_micros, b.credit_limit_micros, b.watch_below_micros, b.watch_above_micros`;

const toUnits = (micros: number): number => micros / 1_000_000;

export const toBalance = (row: BalanceRow): Balance => ({
  id: row.account_id,
  account_id: row.account_id,
  balance: toUnits(row.available_micros),
  pending_balance: toUnits(row.frozen_micros),
  currency: row.currency,
  configuration: { credit_limit: toUnits(row.credit_limit_micros) },
  available_micros: row.available_micros,
  held_micros: row.held_micros,
  frozen_micros: row.frozen_micros,
});

export const findBalance = (db: Queryable, account_id: string): Promise<BalanceRow | null> =>
  db.maybeOne<BalanceRow>(sql`select ${balanceColumns} from balances b where b.account_id = ${account_id}`);

/** How much an account can hold or spend now. With `lock`, no other transaction can change it before this one ends. */
export async function readSpendable(tx: Tx, account_id: string, { lock }: { lock: boolean }): Promise<number> {
  const row = await tx.maybeOne<{ spendable: number }>(sql`
    select b.available_micros + b.credit_limit_micros as spendable from balances b
    where b.account_id = ${account_id} ${lock ? sql`for update` : empty}`);
  return row?.spendable ?? 0;
}

const announced = new WeakMap<Tx, Map<string, Balance>>();

/** Emits the balance. The payload is stored at the commit, so it includes later movements in the same transaction. */
export function announceBalance(tx: Tx, row: BalanceRow): void {
  const { account_id, available_micros, watch_below_micros, watch_above_micros } = row;
  if (available_micros < (watch_below_micros ?? -Infinity) || available_micros >= (watch_above_micros ?? Infinity))
    tx.beforeCommit(`balance ${account_id}`, (flushed) => enqueue(flushed, balanceCrossed, { account_id }));
  let balances = announced.get(tx);
  if (!balances) {
    balances = new Map();
    announced.set(tx, balances);
  }
  const pending = balances.get(row.account_id);
  if (pending) {
    Object.assign(pending, toBalance(row));
    return;
  }
  const balance = toBalance(row);
  balances.set(row.account_id, balance);
  emit(tx, balanceChanged, row.account_id, balance);
}

/**
 * Sets how far below zero the balance may go, and returns the previous limit. Throws CREDIT_LIMIT_TOO_LOW if the
 * balance is already below the new limit.
 */
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

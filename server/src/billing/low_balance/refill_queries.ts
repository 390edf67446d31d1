import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';

export interface RefillRow {
  account_id: string;
  parent_id: string;
  company_name: string;
  parent_name: string;
  currency: string;
  enabled: boolean;
  threshold_micros: number;
  amount_micros: number;
  daily_limit_micros: number;
  today_micros: number;
  stop_reason: 'balance_short' | null;
  next_date: string | null;
  /** True if a refill may start, as far as `next_date` and the state of the accounts are concerned. */
  is_due: boolean;
}

/** Null if the account has no parent, or no settings of refills. */
export const findRefill = (db: Queryable, account_id: string, now: Date) =>
  db.maybeOne<RefillRow>(sql`
    select r.account_id, a.parent_id, a.company_name, p.company_name as parent_name, a.currency, r.enabled,
      r.threshold_micros, r.amount_micros, r.daily_limit_micros,
      case r.day when (${now}::timestamptz at time zone 'UTC')::date then r.day_micros else 0 end as today_micros,
      r.stop_reason, r.next_date,
      coalesce(r.next_date <= ${now}::timestamptz, true) and a.close_date is null and p.close_date is null
        and a.status = 'VERIFIED' and p.status = 'VERIFIED' and a.currency = p.currency as is_due
    from refills r join accounts a on a.id = r.account_id join accounts p on p.id = a.parent_id
    where r.account_id = ${account_id}`);

type Settings = Pick<RefillRow, 'account_id' | 'enabled' | 'threshold_micros' | 'amount_micros' | 'daily_limit_micros'>;

export const saveRefill = (tx: Tx, row: Settings) =>
  tx.run(sql`
    insert into refills (account_id, enabled, threshold_micros, amount_micros, daily_limit_micros, update_date)
    values (${row.account_id}, ${row.enabled}, ${row.threshold_micros}, ${row.amount_micros},
      ${row.daily_limit_micros}, ${tx.now})
    on conflict (account_id) do update set enabled = excluded.enabled, threshold_micros = excluded.threshold_micros,
      amount_micros = excluded.amount_micros, daily_limit_micros = excluded.daily_limit_micros, stop_reason = null,
      next_date = null, update_date = excluded.update_date`);

export const addRefilled = (tx: Tx, { account_id, today_micros }: RefillRow, amount_micros: number) =>
  tx.run(sql`
    update refills set day = (${tx.now}::timestamptz at time zone 'UTC')::date,
      day_micros = ${today_micros + amount_micros}, next_date = null
    where account_id = ${account_id}`);

export const stopRefill = (tx: Tx, account_id: string) =>
  tx.run(sql`update refills set stop_reason = 'balance_short' where account_id = ${account_id}`);

export const delayRefill = (tx: Tx, account_id: string, next_date: Date) =>
  tx.run(sql`update refills set next_date = ${next_date} where account_id = ${account_id}`);

/** Locks balances in the order of their accounts, as all other movements of several accounts do. */
export const lockBalances = (tx: Tx, account_ids: readonly string[]) =>
  tx.run(sql`
    select 1 from balances where account_id = any(${account_ids}::uuid[]) order by account_id for update`);

import type { AutoTopUp } from '@parley/contract/billing/low_balance.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';

export interface Row {
  account_id: string;
  enabled: boolean;
  threshold_micros: number;
  amount_micros: number;
  target_micros: number | null;
  method_id: string;
  daily_limit: number;
  monthly_limit_micros: number;
  stop_reason: AutoTopUp['stop_reason'];
  next_date: string | null;
  /** True if a top-up may start, as far as `next_date` is concerned. */
  is_due: boolean;
}

export const findAutoTopUp = (db: Queryable, account_id: string, now: Date) =>
  db.maybeOne<Row>(sql`
    select account_id, enabled, threshold_micros, amount_micros, target_micros, method_id, daily_limit,
           monthly_limit_micros, stop_reason, next_date, coalesce(next_date <= ${now}::timestamptz, true) as is_due
    from auto_top_ups where account_id = ${account_id}`);

export const saveAutoTopUp = (tx: Tx, row: Omit<Row, 'stop_reason' | 'next_date' | 'is_due'>) =>
  tx.run(sql`
    insert into auto_top_ups (account_id, enabled, threshold_micros, amount_micros, target_micros, method_id,
      daily_limit, monthly_limit_micros, update_date)
    values (${row.account_id}, ${row.enabled}, ${row.threshold_micros}, ${row.amount_micros}, ${row.target_micros},
      ${row.method_id}, ${row.daily_limit}, ${row.monthly_limit_micros}, ${tx.now})
    on conflict (account_id) do update set enabled = excluded.enabled, threshold_micros = excluded.threshold_micros,
      amount_micros = excluded.amount_micros, target_micros = excluded.target_micros, method_id = excluded.method_id,
      daily_limit = excluded.daily_limit, monthly_limit_micros = excluded.monthly_limit_micros,
      stop_reason = null, next_date = null,
      update_date = excluded.update_date`);

export const stopAutoTopUp = (tx: Tx, account_id: string, reason: NonNullable<Row['stop_reason']>) =>
  tx.run(sql`update auto_top_ups set stop_reason = ${reason} where account_id = ${account_id}`);

export const delayAutoTopUp = (tx: Tx, account_id: string, next_date: Date) =>
  tx.run(sql`update auto_top_ups set next_date = ${next_date} where account_id = ${account_id}`);

/** True if an anomaly alert about spending has been active since a time after the settings were saved. */
export const spendsUnusually = async (tx: Tx, account_id: string): Promise<boolean> =>
  (
    await tx.one<{ found: boolean }>(sql`
      select exists (
        select from anomalies n join auto_top_ups a on a.account_id = n.account_id and n.create_date > a.update_date
        where n.account_id = ${account_id} and n.metric = 'spend' and n.direction = 'above' and n.end_date is null
      ) as found`)
  ).found;

export interface Usage {
  /** The newest automatic top-up since the settings were saved. */
  last_id: string | null;
  last_status: string | null;
  last_failure: string | null;
  last_seconds: number;
  today: number;
  month_micros: number;
}

/** The automatic top-ups of this day and month in UTC, and the newest one. Payments that failed do not count. */
export const readUsage = (tx: Tx, account_id: string) =>
  tx.one<Usage>(sql`
    with bounds as (
      select date_trunc('day', ${tx.now}::timestamptz at time zone 'UTC') at time zone 'UTC' as today,
             date_trunc('month', ${tx.now}::timestamptz at time zone 'UTC') at time zone 'UTC' as month
    ), recent as (
      select p.id, p.status, p.failure, p.create_date, p.amount_micros from payments p, bounds
      where p.account_id = ${account_id} and p.type = 'Auto Top Up'
        and p.create_date >= least(bounds.month, ${tx.now}::timestamptz - interval '7 days')
    ), newest as (
      select r.* from recent r join auto_top_ups a on a.account_id = ${account_id} and r.create_date >= a.update_date
      order by r.id desc limit 1
    )
    select (select id from newest) as last_id, (select status from newest) as last_status,
           (select failure from newest) as last_failure,
           coalesce((select extract(epoch from ${tx.now}::timestamptz - create_date) from newest), 1e9)::float8
             as last_seconds,
           count(*) filter (where status <> 'FAILED' and create_date >= bounds.today) as today,
           coalesce(sum(amount_micros) filter (where status <> 'FAILED' and create_date >= bounds.month), 0)::bigint
             as month_micros
    from bounds left join recent on true group by bounds.today, bounds.month`);

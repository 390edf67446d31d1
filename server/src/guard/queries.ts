import type { Limit, Violation } from '@parley/contract/guard/limits.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import type { Page } from '../kernel/db/list.ts';
import { violationColumns } from './violations.ts';

/** The columns of a limit with its current interval and its violation. */
const columns = raw(`
  l.id, l.account_id, l.type, l.channels, l.countries, l.prefixes, l."limit", l."interval", l.block_traffic, l.enabled,
  l.warn_at, n.percent as warning,
  case when not l.enabled then 'disabled' when v.id is not null then 'reached' when n.percent is not null then 'warning'
    else 'active' end as state,
  case when l.type <> 'messages_per_recipient' then coalesce((
    select max(c.used) from limit_counters c
    where c.account_id = l.account_id and c.limit_id = l.id and c.window_start = w.start), 0) end as used,
  w.start + ('1 ' || l."interval")::interval as reset_date, coalesce(v.blocked, 0) as blocked,
  l.create_date, l.update_date`);

const source = (now: Date): Sql => sql`
  limits l
  cross join lateral (
    select date_trunc(l."interval", ${now}::timestamptz at time zone 'UTC') at time zone 'UTC' as start) w
  left join violations v on v.account_id = l.account_id and v.limit_id = l.id and v.window_start = w.start
    and v.end_date is null
  left join limit_warnings n on n.account_id = l.account_id and n.limit_id = l.id and n.window_start = w.start`;

export const limitPage = (db: Queryable, account_id: string, now: Date, page: Page): Promise<Limit[]> =>
  db.rows<Limit>(sql`
    select ${columns} from ${source(now)} where l.account_id = ${account_id}
    order by l.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countLimits = async (db: Queryable, account_id: string): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from limits where account_id = ${account_id}`))
    .count;

export const limitById = (db: Queryable, account_id: string, id: string, now: Date): Promise<Limit | null> =>
  db.maybeOne<Limit>(sql`select ${columns} from ${source(now)} where l.account_id = ${account_id} and l.id = ${id}`);

export type LimitRow = Pick<
  Limit,
  'id' | 'type' | 'channels' | 'countries' | 'prefixes' | 'limit' | 'interval' | 'block_traffic' | 'warn_at' | 'enabled'
>;

export const lockLimit = (tx: Tx, account_id: string, id: string): Promise<LimitRow | null> =>
  tx.maybeOne<LimitRow>(sql`
    select id, type, channels, countries, prefixes, "limit", "interval", block_traffic, warn_at, enabled from limits
    where account_id = ${account_id} and id = ${id} for update`);

/** Serializes the creation of an account's limits, so that their number is exact. */
export const lockLimits = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7380))`);

export const insertLimit = (tx: Tx, account_id: string, row: LimitRow) =>
  tx.run(sql`
    insert into limits (account_id, id, type, channels, countries, prefixes, "limit", "interval", block_traffic,
      warn_at, enabled, count_date, create_date, update_date)
    values (${account_id}, ${row.id}, ${row.type}, ${row.channels}, ${row.countries}, ${row.prefixes}, ${row.limit},
      ${row.interval}, ${row.block_traffic}, ${row.warn_at}, ${row.enabled}, ${tx.now}, ${tx.now}, ${tx.now})`);

/** `restarts`: the limit counts something else now, so its count starts again. */
export const updateLimit = (tx: Tx, account_id: string, row: LimitRow, restarts: boolean) =>
  tx.run(sql`
    update limits set type = ${row.type}, channels = ${row.channels}, countries = ${row.countries},
      prefixes = ${row.prefixes}, "limit" = ${row.limit}, "interval" = ${row.interval},
      block_traffic = ${row.block_traffic}, warn_at = ${row.warn_at}, enabled = ${row.enabled},
      update_date = ${tx.now},
      count_date = case when ${restarts} then ${tx.now} else count_date end
    where account_id = ${account_id} and id = ${row.id}`);

export const deleteCounters = (tx: Tx, account_id: string, limit_id: string) =>
  tx.run(sql`delete from limit_counters where account_id = ${account_id} and limit_id = ${limit_id}`);

export const deleteLimit = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from limits where account_id = ${account_id} and id = ${id}`);

export interface ViolationFilter {
  limit_id: string | undefined;
  active: 'true' | 'false' | undefined;
}

const matches = (account_id: string, { limit_id, active }: ViolationFilter): Sql =>
  and([
    sql`v.account_id = ${account_id}`,
    limit_id && sql`v.limit_id = ${limit_id}`,
    active === 'true' && sql`v.end_date is null`,
    active === 'false' && sql`v.end_date is not null`,
  ]);

export const violationPage = (
  db: Queryable,
  account_id: string,
  filter: ViolationFilter,
  page: Page,
): Promise<Violation[]> =>
  db.rows<Violation>(sql`
    select ${violationColumns} from violations v where ${matches(account_id, filter)}
    order by v.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countViolations = async (db: Queryable, account_id: string, filter: ViolationFilter, cap: number) =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from (
        select 1 from violations v where ${matches(account_id, filter)} limit ${cap + 1}) capped`)
  ).count;

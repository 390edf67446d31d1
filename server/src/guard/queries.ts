import type { Limit, Violation } from '@parley/contract/guard/limits.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import type { Page } from '../kernel/db/list.ts';
import { violationColumns } from './violations.ts';

/** The columns of a limit with its current interval and its violation. */
const columns = raw(`
  l.id, l.account_id, l.type, l.channels, l.countries, l.prefixes, l."limit", l."interval", l.block_traffic, l.enabled,
  l.warn_at, l.sub_accounts, l.inherited_from, n.percent as warning,
  case when not l.enabled then 'disabled' when v.id is not null then 'reached' when n.percent is not null then 'warning'
    else 'active' end as state,
  case when l.type <> 'messages_per_recipient' then coalesce((
    select max(c.used) from limit_counters c
    where c.account_id = l.counter_id and c.limit_id = l.id and c.window_start = w.start), 0) end as used,
  w.start + ('1 ' || l."interval")::interval as reset_date, coalesce(v.blocked, 0) as blocked,
  l.create_date, l.update_date`);

/** Own and inherited limits, each with the account of its counter. */
const limitsFor = (account_id: string): Sql => sql`
  select l.id, l.account_id, l.type, l.channels, l.countries, l.prefixes, l."limit", l."interval", l.block_traffic,
    l.enabled, l.warn_at, l.sub_accounts, l.create_date, l.update_date, null::text as inherited_from,
    l.account_id as counter_id
  from limits l where l.account_id = ${account_id}
  union all
  select l.id, l.account_id, l.type, l.channels, l.countries, l.prefixes, coalesce(o."limit", l."limit"), l."interval",
    l.block_traffic, l.enabled, l.warn_at, case when o.limit_id is null then l.sub_accounts else 'each' end,
    l.create_date, l.update_date, p.company_name,
    case when l.sub_accounts = 'together' and o.limit_id is null then l.account_id else a.id end
  from accounts a
  join accounts p on p.id = a.parent_id
  join limits l on l.account_id = a.parent_id and l.sub_accounts <> 'none' and l.enabled
  left join limit_overrides o on o.account_id = l.account_id and o.limit_id = l.id and o.sub_account_id = a.id
  where a.id = ${account_id} and (o.limit_id is null or o."limit" is not null)`;

const source = (account_id: string, now: Date): Sql => sql`
  (${limitsFor(account_id)}) l
  cross join lateral (
    select date_trunc(l."interval", ${now}::timestamptz at time zone 'UTC') at time zone 'UTC' as start) w
  left join violations v on v.account_id = ${account_id} and v.limit_id = l.id and v.window_start = w.start
    and v.end_date is null
  left join limit_warnings n on n.account_id = l.counter_id and n.limit_id = l.id and n.window_start = w.start`;

export const listLimitRows = (db: Queryable, account_id: string, now: Date, page: Page): Promise<Limit[]> =>
  db.rows<Limit>(sql`
    select ${columns} from ${source(account_id, now)}
    order by l.id desc limit ${page.size + 1} offset ${page.offset}`);

/** The number of own limits. */
export const countLimits = async (db: Queryable, account_id: string): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from limits where account_id = ${account_id}`))
    .count;

export const countAllLimits = async (db: Queryable, account_id: string): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from (${limitsFor(account_id)}) l`)).count;

export const findLimit = (db: Queryable, account_id: string, id: string, now: Date): Promise<Limit | null> =>
  db.maybeOne<Limit>(sql`select ${columns} from ${source(account_id, now)} where l.id = ${id}`);

/** Whether the limit is one of the account's company that applies to its sub-accounts. */
export const isInherited = async (db: Queryable, account_id: string, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from accounts a join limits l on l.account_id = a.parent_id
    where a.id = ${account_id} and l.id = ${id} and l.sub_accounts <> 'none'`)) !== null;

/** The account and its sub-accounts. */
export const groupIds = (account_id: string): Sql => sql`
  select ${account_id}::uuid union all select id from accounts where parent_id = ${account_id}`;

export type LimitRow = Pick<
  Limit,
  | 'id'
  | 'type'
  | 'channels'
  | 'countries'
  | 'prefixes'
  | 'limit'
  | 'interval'
  | 'block_traffic'
  | 'warn_at'
  | 'enabled'
  | 'sub_accounts'
>;

export const lockLimit = (tx: Tx, account_id: string, id: string): Promise<LimitRow | null> =>
  tx.maybeOne<LimitRow>(sql`
    select id, type, channels, countries, prefixes, "limit", "interval", block_traffic, warn_at, enabled,
      sub_accounts
    from limits where account_id = ${account_id} and id = ${id} for update`);

/** Serializes the creation of an account's limits, so that their number is exact. */
export const lockLimits = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7380))`);

export const insertLimit = (tx: Tx, account_id: string, row: LimitRow) =>
  tx.run(sql`
    insert into limits (account_id, id, type, channels, countries, prefixes, "limit", "interval", block_traffic,
      warn_at, enabled, sub_accounts, count_date, create_date, update_date)
    values (${account_id}, ${row.id}, ${row.type}, ${row.channels}, ${row.countries}, ${row.prefixes}, ${row.limit},
      ${row.interval}, ${row.block_traffic}, ${row.warn_at}, ${row.enabled}, ${row.sub_accounts}, ${tx.now},
      ${tx.now}, ${tx.now})`);

/** `restarts`: the limit counts something else now, so its count starts again. */
export const updateLimit = (tx: Tx, account_id: string, row: LimitRow, restarts: boolean) =>
  tx.run(sql`
    update limits set type = ${row.type}, channels = ${row.channels}, countries = ${row.countries},
      prefixes = ${row.prefixes}, "limit" = ${row.limit}, "interval" = ${row.interval},
      block_traffic = ${row.block_traffic}, warn_at = ${row.warn_at}, enabled = ${row.enabled},
      sub_accounts = ${row.sub_accounts}, update_date = ${tx.now},
      count_date = case when ${restarts} then ${tx.now} else count_date end
    where account_id = ${account_id} and id = ${row.id}`);

export const deleteCounters = (tx: Tx, account_ids: Sql, limit_id: string) =>
  tx.run(sql`delete from limit_counters where account_id in (${account_ids}) and limit_id = ${limit_id}`);

export const deleteLimit = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from limits where account_id = ${account_id} and id = ${id}`);

export interface ViolationFilter {
  limit_id: string | undefined;
  active: 'true' | 'false' | undefined;
}

const matches = (account: Sql, { limit_id, active }: ViolationFilter): Sql =>
  and([
    account,
    limit_id && sql`v.limit_id = ${limit_id}`,
    active === 'true' && sql`v.end_date is null`,
    active === 'false' && sql`v.end_date is not null`,
  ]);

/** Violations of the account, and those of its own limits by sub-accounts. No violation is in both. */
const bothKinds = (account_id: string, filter: ViolationFilter, select: Sql, last: Sql): Sql => sql`
  (select ${select} from violations v where ${matches(sql`v.account_id = ${account_id}`, filter)} ${last})
  union all
  (select ${select} from violations v where ${matches(sql`v.limit_account_id = ${account_id}`, filter)} ${last})`;

export const listViolations = (
  db: Queryable,
  account_id: string,
  filter: ViolationFilter,
  page: Page,
): Promise<Violation[]> => {
  const last = sql`order by v.id desc limit ${page.offset + page.size + 1}`;
  return db.rows<Violation>(sql`
    select ${violationColumns} from (${bothKinds(account_id, filter, sql`v.*`, last)}) v
    order by v.id desc limit ${page.size + 1} offset ${page.offset}`);
};

export const countViolations = async (db: Queryable, account_id: string, filter: ViolationFilter, cap: number) =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from (
        select 1 from (${bothKinds(account_id, filter, sql`1`, sql`limit ${cap + 1}`)}) v limit ${cap + 1}) capped`)
  ).count;

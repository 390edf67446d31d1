import type { Rate } from '@parley/contract/billing/billing.ts';
import { and, type Queryable, raw, type Sql, sql } from '../../kernel/db/db.ts';
import { likePattern, type Page } from '../../kernel/db/list.ts';
import { lastChange } from './history_queries.ts';

interface RateFilter {
  account_id: string;
  channel?: string | undefined;
  country?: string | undefined;
  /** Only the account's own prices. */
  is_own?: boolean;
}

/** The prices in force now. */
const CURRENT: Sql = sql`
  select id, account_id, channel, country, mccmnc, purpose, currency, price_micros from rates`;

/** The prices in force at a time: the current prices, with all later changes undone. */
const pricesAt = (account_id: string, date: string): Sql => sql`
  with later as (
    select distinct on (account_id, channel, country, mccmnc, purpose) *
    from (
      select * from price_changes where account_id = ${account_id} and create_date > ${date}::timestamptz
      union all
      select * from price_changes
      where account_id is null and create_date > ${date}::timestamptz
        and currency = (select currency from balances where account_id = ${account_id})
    ) c
    where currency = (select currency from balances where account_id = ${account_id})
    order by account_id, channel, country, mccmnc, purpose, number
  )
  select id, account_id, channel, country, mccmnc, purpose, currency, before_micros as price_micros
  from later where before_micros is not null
  union all
  select p.id, p.account_id, p.channel, p.country, p.mccmnc, p.purpose, p.currency, p.price_micros
  from rates p
  where (p.account_id is null or p.account_id = ${account_id}) and not exists (
    select from later l
    where l.account_id is not distinct from p.account_id and l.channel = p.channel and l.country = p.country
      and l.mccmnc is not distinct from p.mccmnc and l.purpose is not distinct from p.purpose
      and l.currency = p.currency)`;

/** A standard price is left out if the account has its own price for the same destination. */
const rateRows = (filter: RateFilter, source: Sql): Sql => sql`
  from ${source} r
  join balances b on b.account_id = ${filter.account_id} and b.currency = r.currency
  left join networks n on n.mccmnc = r.mccmnc
  where (r.account_id = ${filter.account_id} or (r.account_id is null and not exists (
          select 1 from ${source} own
          where own.account_id = ${filter.account_id} and own.channel = r.channel and own.country = r.country
            and own.mccmnc is not distinct from r.mccmnc and own.purpose is not distinct from r.purpose
            and own.currency = r.currency)))
    and ${and([
      filter.is_own && sql`r.account_id = ${filter.account_id}`,
      filter.channel && sql`r.channel = ${filter.channel}`,
      filter.country &&
        (filter.country.length === 2
          ? sql`r.country = ${filter.country.toUpperCase()}`
          : sql`n.name ilike ${likePattern(filter.country)}`),
    ])}`;

/** `date` is a time in the past. Without it, the prices in force now. */
export const ratePage = (db: Queryable, filter: RateFilter, page: Page, date?: string) =>
  db.rows<Rate>(sql`
    with prices as ${raw(date ? 'materialized' : 'not materialized')} (
      ${date ? pricesAt(filter.account_id, date) : CURRENT}
    ), page as materialized (
      select r.*, n.name as network ${rateRows(filter, sql`prices`)}
      order by r.country, r.channel, r.mccmnc nulls first, r.purpose nulls first, r.id
      limit ${page.size + 1} offset ${page.offset}
    )
    select r.id, r.channel, r.country, r.mccmnc, r.network, r.purpose, r.price_micros, r.currency,
      r.account_id is not null as custom, c.create_date as since, c.before_micros as previous_micros
    from page r left join lateral (${lastChange(filter.account_id, date)}) c on c.after_micros = r.price_micros
    order by r.country, r.channel, r.mccmnc nulls first, r.purpose nulls first, r.id`);

export const countRates = async (db: Queryable, filter: RateFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) ${rateRows(filter, sql`rates`)}`)).count;

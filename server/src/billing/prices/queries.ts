import type { AnnouncedRate } from '@parley/contract/billing/announced_rates.ts';
import type { Rate } from '@parley/contract/billing/rates.ts';
import { and, type Queryable, raw, type Sql, sql } from '../../kernel/db/db.ts';
import { likePattern, type Page } from '../../kernel/db/list.ts';
import { lastChange } from './history_queries.ts';

interface RateFilter {
  account_id: string;
  channel?: string | undefined;
  country?: string | undefined;
  /** Only the account's custom prices. */
  is_own?: boolean;
}

/** Standard prices `p` of a planned change and a price `r` for the same destination. */
const samePlanned: Sql = sql`
  p.channel = r.channel and p.country = r.country and p.currency = r.currency
  and coalesce(p.mccmnc, '') = coalesce(r.mccmnc, '') and coalesce(p.purpose, '') = coalesce(r.purpose, '')`;

/** Planned changes until a time that have taken effect, and those that customers know of. */
const knownUntil = (date: string | Date, now: Date): Sql => sql`
  p.effective_date <= ${date}::timestamptz and (p.effective_date <= ${now}::timestamptz or exists (
    select from price_plans plan where plan.id = p.plan_id and plan.notice_date is not null))`;

/** The price list with the planned changes until a time. Changes that have taken effect are soon part of `rates`. */
const withPlanned = (date: string | Date, now: Date): Sql => sql`
  select r.id, r.account_id, r.channel, r.country, r.mccmnc, r.purpose, r.currency, r.price_micros from rates r
  where r.account_id is not null or not exists (
    select from planned_prices p where ${knownUntil(date, now)} and ${samePlanned})
  union all
  select id, null::uuid, channel, country, mccmnc, purpose, currency, price_micros from (
    select distinct on (channel, country, mccmnc, purpose, currency) p.* from planned_prices p
    where ${knownUntil(date, now)}
    order by channel, country, mccmnc, purpose, currency, effective_date desc) planned
  where price_micros is not null`;
/** The prices in force at a time: the price list of that time, with all later changes undone. */
const pricesAt = (account_id: string, date: string, now: Date): Sql => sql`
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
  from (${withPlanned(date, now)}) p
  where (p.account_id is null or p.account_id = ${account_id}) and not exists (
    select from later l
    where l.account_id is not distinct from p.account_id and l.channel = p.channel and l.country = p.country
      and l.mccmnc is not distinct from p.mccmnc and l.purpose is not distinct from p.purpose
      and l.currency = p.currency)`;

/** A standard price is left out if the account has a custom price for the same destination. */
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

/** The next change of list price `r` that its accounts know of. */
const nextChange = (after: string | Date): Sql => sql`
  select p.price_micros, p.effective_date from planned_prices p join price_plans plan on plan.id = p.plan_id
  where r.account_id is null and p.effective_date > ${after}::timestamptz and plan.notice_date is not null
    and ${samePlanned}
  order by p.effective_date limit 1`;

/** Volume prices of rate `r`: those of the account, or those of all accounts that pay the list price. */
const ofRate = (account_id: string): Sql => sql`
  (p.account_id = ${account_id} or (p.account_id is null and r.account_id is null)) and ${samePlanned}`;
const month = (date: string | Date): Sql => sql`date_trunc('month', ${date}::timestamptz at time zone 'UTC')::date`;
const stepsUntil = (account_id: string, date: string | Date): Sql => sql`
  select p.steps from volume_prices p where ${ofRate(account_id)} and p.month <= ${month(date)}
  order by p.account_id nulls last, p.month desc limit 1`;
const nextSteps = (account_id: string, date: string | Date): Sql => sql`
  select p.steps, p.month from volume_prices p where ${ofRate(account_id)} and p.month > ${month(date)}
    and (p.account_id is not null or not exists (
      select from volume_prices own where own.account_id = ${account_id} and own.channel = p.channel
        and own.country = p.country and own.currency = p.currency and own.mccmnc is not distinct from p.mccmnc
        and own.purpose is not distinct from p.purpose and own.month <= p.month))
  order by p.month, p.account_id nulls last limit 1`;

/** `date` is the time of the prices. Without it, the prices in force now. */
export const listRateRows = (db: Queryable, filter: RateFilter, now: Date, page: Page, date?: string) =>
  db.rows<Rate>(sql`
    with prices as ${raw(date ? 'materialized' : 'not materialized')} (
      ${date ? pricesAt(filter.account_id, date, now) : withPlanned(now, now)}
    ), page as materialized (
      select r.*, n.name as network ${rateRows(filter, sql`prices`)}
      order by r.country, r.channel, r.mccmnc nulls first, r.purpose nulls first, r.id
      limit ${page.size + 1} offset ${page.offset}
    )
    select r.id, r.channel, r.country, r.mccmnc, r.network, r.purpose, r.price_micros, r.currency,
      r.account_id is not null as custom, c.create_date as since, c.before_micros as previous_micros,
      n.price_micros as next_micros, n.effective_date as next_date, coalesce(s.steps, '[]') as steps,
      case when jsonb_array_length(s.steps) > 0 then coalesce(v.units, 0) end as month_units,
      t.steps as next_steps, to_char(t.month, 'YYYY-MM') as next_steps_month
    from page r left join lateral (${lastChange(filter.account_id, date)}) c on c.after_micros = r.price_micros
    left join lateral (${nextChange(date ?? now)}) n on true
    left join lateral (${stepsUntil(filter.account_id, date ?? now)}) s on true
    left join lateral (${nextSteps(filter.account_id, date ?? now)}) t on true
    left join price_volumes v on v.account_id = ${filter.account_id} and v.channel = r.channel
      and v.month = date_trunc('month', ${date ?? now}::timestamptz at time zone 'UTC')::date
      and v.country = r.country and v.mccmnc = coalesce(r.mccmnc, '') and v.purpose = coalesce(r.purpose, '')
      and v.currency = r.currency
    order by r.country, r.channel, r.mccmnc nulls first, r.purpose nulls first, r.id`);

export const countRates = async (db: Queryable, filter: RateFilter, now: Date): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      with prices as not materialized (${withPlanned(now, now)}) select count(*) ${rateRows(filter, sql`prices`)}`)
  ).count;

/** Changes in the currency of the account that were announced, unless a custom price replaces the standard price. */
export const listAnnounced = (db: Queryable, account_id: string, now: Date) =>
  db.rows<AnnouncedRate>(sql`
    select r.id, r.channel, r.country, r.mccmnc, n.name as network, r.purpose, r.currency,
           (select p.price_micros from (${withPlanned(now, now)}) p where p.account_id is null and ${samePlanned})
             as before_micros,
           r.price_micros as after_micros, r.effective_date
    from planned_prices r join price_plans plan on plan.id = r.plan_id
    left join networks n on n.mccmnc = r.mccmnc
    where r.effective_date > ${now} and plan.notice_date is not null
      and r.currency = (select currency from balances where account_id = ${account_id})
      and not exists (select from rates p where p.account_id = ${account_id} and ${samePlanned})
    order by r.effective_date, r.country, r.channel, r.mccmnc nulls first, r.purpose nulls first
    limit ${MAX_ANNOUNCED}`);
const MAX_ANNOUNCED = 1_000;

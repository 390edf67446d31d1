import type { Rate } from '@parley/contract/billing/billing.ts';
import { and, type Queryable, type Sql, sql } from '../../kernel/db/db.ts';
import { likePattern, type Page } from '../../kernel/db/list.ts';

interface RateFilter {
  account_id: string;
  channel?: string | undefined;
  country?: string | undefined;
  /** Only the account's own prices. */
  is_own?: boolean;
}

/** A standard price is left out if the account has its own price for the same destination. */
const rateRows = (filter: RateFilter): Sql => sql`
  from rates r
  join balances b on b.account_id = ${filter.account_id} and b.currency = r.currency
  left join networks n on n.mccmnc = r.mccmnc
  where (r.account_id = ${filter.account_id} or (r.account_id is null and not exists (
          select 1 from rates own
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

export const ratePage = (db: Queryable, filter: RateFilter, page: Page) =>
  db.rows<Rate>(sql`
    select r.id, r.channel, r.country, r.mccmnc, n.name as network, r.purpose, r.price_micros, r.currency,
      r.account_id is not null as custom
    ${rateRows(filter)}
    order by r.country, r.channel, r.mccmnc nulls first, r.purpose nulls first, r.id
    limit ${page.size + 1} offset ${page.offset}`);

export const countRates = async (db: Queryable, filter: RateFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) ${rateRows(filter)}`)).count;

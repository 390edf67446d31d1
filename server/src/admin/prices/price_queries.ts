import type { ListPrice, PriceChange, PriceDifference } from '@parley/contract/admin/prices.ts';
import { newId } from '../../kernel/clock.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, likePattern, type Page } from '../../kernel/db/list.ts';
import type { PriceRow } from './price_file.ts';

export interface PriceFilter {
  /** The account whose custom prices are listed, instead of the list prices. */
  account_id?: string | undefined;
  search?: string | undefined;
  channel?: string | undefined;
  country?: string | undefined;
  currency?: string | undefined;
}

/** The conditions for table `p` with network `n`. A search finds countries by code and networks by name or code. */
const conditions = ({ search, channel, country, currency }: PriceFilter): Sql =>
  and([
    search && sql`(p.country = ${search.toUpperCase()} or n.name ilike ${likePattern(search)} or p.mccmnc = ${search})`,
    channel && sql`p.channel = ${channel}`,
    country && sql`p.country = ${country}`,
    currency && sql`p.currency = ${currency}`,
  ]);

const priceColumns: Sql = sql`
  p.id, p.account_id, p.channel, p.country, p.mccmnc, n.name as network, p.purpose, p.currency, p.price_micros,
  c.create_date as since, c.before_micros as previous_micros, c.user_name`;
/** The last change, unless the price is older than the history and has been changed without being recorded in it. */
const lastChange: Sql = sql`
  left join lateral (
    select create_date, before_micros, after_micros, user_name from price_changes
    where account_id is not distinct from p.account_id and channel = p.channel and country = p.country
      and currency = p.currency
      and coalesce(mccmnc, '') = coalesce(p.mccmnc, '') and coalesce(purpose, '') = coalesce(p.purpose, '')
    order by number desc limit 1
  ) c on c.after_micros = p.price_micros`;
const fromPrices = (filter: PriceFilter): Sql => sql`
  from rates p left join networks n on n.mccmnc = p.mccmnc
  where ${filter.account_id ? sql`p.account_id = ${filter.account_id}` : sql`p.account_id is null`}
    and ${conditions(filter)}`;
const ORDER: Sql = sql`p.country, p.channel, p.mccmnc nulls first, p.purpose nulls first, p.currency, p.id`;

export const listPriceRows = (db: Queryable, filter: PriceFilter, page: Page) =>
  db.rows<ListPrice>(sql`
    select ${priceColumns}
    from (select p.* ${fromPrices(filter)} order by ${ORDER} limit ${page.size + 1} offset ${page.offset}) p
    left join networks n on n.mccmnc = p.mccmnc ${lastChange}
    order by ${ORDER}`);

export const countPrices = async (db: Queryable, filter: PriceFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from (select 1 ${fromPrices(filter)} limit ${CAP + 1}) capped`))
    .count;

/** All list prices that match the filter, in the order of the page. */
export const listAllPrices = (db: Queryable, filter: PriceFilter) =>
  db.rows<PriceRow>(sql`
    select p.channel, p.country, p.mccmnc, p.purpose, p.currency, p.price_micros
    ${fromPrices(filter)} order by ${ORDER}`);

export const selectPrice = (db: Queryable, id: string) =>
  db.maybeOne<ListPrice>(sql`
    select ${priceColumns} from rates p left join networks n on n.mccmnc = p.mccmnc ${lastChange}
    where p.id = ${id}`);

export const lockPrice = (tx: Tx, id: string) =>
  tx.maybeOne<PriceRow & { account_id: string | null }>(sql`
    select account_id, channel, country, mccmnc, purpose, currency, price_micros from rates
    where id = ${id} for update`);

/** Returns false if the destination already has a price. */
export const insertPrice = async (tx: Tx, id: string, account_id: string | null, row: PriceRow): Promise<boolean> =>
  (await tx.run(sql`
    insert into rates (id, account_id, channel, country, mccmnc, purpose, currency, price_micros)
    values (${id}, ${account_id}, ${row.channel}, ${row.country}, ${row.mccmnc}, ${row.purpose}, ${row.currency},
            ${row.price_micros})
    on conflict do nothing`)) > 0;

export const updatePrice = (tx: Tx, id: string, price_micros: number) =>
  tx.run(sql`update rates set price_micros = ${price_micros} where id = ${id}`);

export const deletePrice = (tx: Tx, id: string) => tx.run(sql`delete from rates where id = ${id}`);

const changesSource = (changes: readonly PriceDifference[]): Sql => {
  const column = <T>(pick: (row: PriceDifference) => T): T[] => changes.map(pick);
  return sql`unnest(
    ${changes.map(() => newId())}::uuid[], ${column(({ channel }) => channel)}::text[],
    ${column(({ country }) => country)}::text[], ${column(({ mccmnc }) => mccmnc)}::text[],
    ${column(({ purpose }) => purpose)}::text[], ${column(({ currency }) => currency)}::text[],
    ${column(({ before_micros }) => before_micros)}::bigint[], ${column(({ after_micros }) => after_micros)}::bigint[]
  ) as c(id, channel, country, mccmnc, purpose, currency, before_micros, after_micros)`;
};

/** Writes all changes in two statements, so that the prices change at once. */
export async function writeChanges(tx: Tx, changes: readonly PriceDifference[]): Promise<void> {
  await tx.run(sql`
    insert into rates (id, channel, country, mccmnc, purpose, currency, price_micros)
    select id, channel, country, mccmnc, purpose, currency, after_micros from ${changesSource(changes)}
    where after_micros is not null
    on conflict (account_id, channel, country, mccmnc, currency, purpose)
      do update set price_micros = excluded.price_micros`);
  await tx.run(sql`
    delete from rates r using ${changesSource(changes)}
    where c.after_micros is null and r.account_id is null and r.channel = c.channel and r.country = c.country
      and r.mccmnc is not distinct from c.mccmnc and r.purpose is not distinct from c.purpose
      and r.currency = c.currency`);
}

/**
 * Names the operator and the time for the history, which a trigger writes, of all price changes that follow in the
 * transaction.
 */
export const announceChanges = (
  tx: Tx,
  { user_id, import_id = null, date = tx.now }: { user_id: string; import_id?: string | null; date?: Date },
) =>
  tx.run(sql`
    select set_config('parley.price_change', json_build_object(
      'user_id', ${user_id}::uuid, 'import_id', ${import_id}::uuid, 'date', ${date}::timestamptz,
      'user_name', (select trim(first_name || ' ' || last_name) from users where id = ${user_id}::uuid))::text, true)`);

const fromChanges = (filter: PriceFilter): Sql => sql`
  from price_changes p left join networks n on n.mccmnc = p.mccmnc left join price_imports i on i.id = p.import_id
  where p.account_id is null and ${conditions(filter)}`;

export const changePage = (db: Queryable, filter: PriceFilter, page: Page) =>
  db.rows<PriceChange>(sql`
    select p.id, p.channel, p.country, p.mccmnc, n.name as network, p.purpose, p.currency, p.before_micros,
           p.after_micros, p.user_name, i.filename, p.create_date
    ${fromChanges(filter)} order by p.number desc limit ${page.size + 1} offset ${page.offset}`);

export const countChanges = async (db: Queryable, filter: PriceFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from (select 1 ${fromChanges(filter)} limit ${CAP + 1}) capped`))
    .count;

/** Increases with every change of a price or network. */
export const readRevision = async (db: Queryable): Promise<number> =>
  (await db.one<{ revision: number }>(sql`select revision from price_revision`)).revision;

/** Other changes of prices and networks wait until the transaction ends. */
export const lockRevision = async (tx: Tx): Promise<number> =>
  (await tx.one<{ revision: number }>(sql`select revision from price_revision for update`)).revision;

/** The codes that are not in the numbering plan. */
export const listUnknownNetworks = async (db: Queryable, codes: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ code: string }>(sql`
      select code from unnest(${codes}::text[]) as g(code)
      where not exists (select from networks n where n.mccmnc = g.code)`)
  ).map(({ code }) => code);

/** Keeps an unapplied preview for a day. */
export const prunePreviews = (tx: Tx) =>
  tx.run(sql`
    delete from price_imports i
    where apply_date is null and create_date < ${tx.now}::timestamptz - interval '1 day'
      and not exists (select from price_plans where import_id = i.id)`);

export const isCustomer = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from accounts where id = ${id} and kind = 'CUSTOMER'`)) !== null;

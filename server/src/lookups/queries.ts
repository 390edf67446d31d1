import type { Conditions } from '@parley/contract/audiences/conditions.ts';
import type { BulkLookup, listNumberLookups, NumberLookup } from '@parley/contract/lookups/lookups.ts';
import { and, customPlan, type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { afterKey, CAP, likePattern, orderBy, type Page, prefixPattern, type Sorts } from '../kernel/db/list.ts';
import type { LookupResult } from './providers/provider.ts';

const columns = raw(`
  id, account_id, bulk_id, number, country, case status when 'sent' then 'pending' else status end as status, is_live,
  live_status, network, operator, line_type, ported, mccmnc, provider, price_micros, currency, charged, result_date,
  is_cached, create_date`);

export interface LookupFilter {
  search?: string | undefined;
  statuses?: readonly string[] | undefined;
  bulk_id?: string | undefined;
}

const conditions = (account_id: string, { search, statuses, bulk_id }: LookupFilter): Sql =>
  and([
    sql`account_id = ${account_id}`,
    search && sql`number like ${prefixPattern(search.replace(/\D/g, '') || '-')}`,
    statuses?.length && sql`case status when 'sent' then 'pending' else status end = any(${statuses}::text[])`,
    bulk_id && sql`bulk_id = ${bulk_id}`,
  ]);

const SORTS: Sorts<typeof listNumberLookups> = { create_date: 'id' };

export const listLookups = (db: Queryable, account_id: string, filter: LookupFilter, page: Page) =>
  db.rows<NumberLookup>(sql`
    select ${columns} from number_lookups where ${conditions(account_id, filter)} and ${afterKey(page, 'id')}
    order by ${orderBy(page, SORTS, 'id', 'id desc')} limit ${page.size + 1} offset ${page.offset}`);

export const countLookups = async (
  db: Queryable,
  account_id: string,
  filter: LookupFilter,
  page: Page,
): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from number_lookups where ${conditions(account_id, filter)} limit ${page.count_limit}) c`)
  ).count;

export const findLookup = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<NumberLookup>(sql`select ${columns} from number_lookups where account_id = ${account_id} and id = ${id}`);

/** Returns the results of these numbers since a time, the newest of each. */
export const listResultsSince = (db: Queryable, since: Date, account_id: string, numbers: readonly string[]) =>
  db.rows<LookupResult & { provider: string; is_live: boolean; result_date: string }>(sql`
    select l.* from unnest(${numbers}::text[]) as n(number) cross join lateral (
      select number, status, live_status, network, operator, line_type, ported, mccmnc, provider, is_live, result_date
      from number_lookups
      where account_id = ${account_id} and number = n.number and status in ('good', 'bad', 'landline') and is_live
        and result_date > ${since}::timestamptz
      order by result_date desc limit 1
    ) l`);

export interface NewLookup {
  id: string;
  number: string;
  country: string;
  price_micros: number;
  /** A result that is known immediately. */
  result: (LookupResult & { is_live: boolean; result_date: string | null; is_cached: boolean }) | null;
}

interface LookupOrigin {
  account_id: string;
  bulk_id: string | null;
  provider: string;
  currency: string;
  hold_id: string | null;
}

export const insertLookups = (tx: Tx, origin: LookupOrigin, rows: readonly NewLookup[]) =>
  tx.run(sql`
    insert into number_lookups (account_id, id, bulk_id, number, country, status, is_live, live_status, network,
      operator, line_type, ported, mccmnc, provider, price_micros, currency, hold_id, result_date, is_cached,
      create_date)
    select ${origin.account_id}::uuid, id, ${origin.bulk_id}::uuid, number, country, status, is_live, live_status,
           network, operator, line_type, ported, mccmnc, ${origin.provider}, price_micros, ${origin.currency},
           case when status = 'pending' then ${origin.hold_id}::uuid end,
           case when status <> 'pending' then coalesce(result_date, ${tx.now}::timestamptz) end, is_cached,
           ${tx.now}::timestamptz
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ number }) => number)}::text[],
      ${rows.map(({ country }) => country)}::text[], ${rows.map(({ result }) => result?.status ?? 'pending')}::text[],
      ${rows.map(({ result }) => result?.is_live ?? true)}::boolean[],
      ${rows.map(({ result }) => result?.live_status ?? null)}::text[],
      ${rows.map(({ result }) => result?.network ?? null)}::text[],
      ${rows.map(({ result }) => result?.operator ?? null)}::text[],
      ${rows.map(({ result }) => result?.line_type ?? null)}::text[],
      ${rows.map(({ result }) => result?.ported ?? null)}::boolean[],
      ${rows.map(({ result }) => result?.mccmnc ?? null)}::text[],
      ${rows.map(({ price_micros }) => price_micros)}::bigint[],
      ${rows.map(({ result }) => (result?.result_date ? `${result.result_date}Z` : null))}::timestamptz[],
      ${rows.map(({ result }) => result?.is_cached ?? false)}::boolean[]
    ) as t(id, number, country, status, is_live, live_status, network, operator, line_type, ported, mccmnc,
           price_micros, result_date, is_cached)`);

/** Marks the next numbers as sent, and returns them. Paused bulk lookups have none. */
export const takeNumbers = async (
  tx: Tx,
  { account_id, bulk_id, id }: { account_id: string; bulk_id: string | null; id: string | null },
  batch_id: string,
  limit: number,
): Promise<string[]> =>
  (
    await tx.rows<{ number: string }>(sql`
      with next as (
        select l.account_id, l.id from number_lookups l
        where l.account_id = ${account_id} and l.status = 'pending'
          and ${bulk_id === null ? sql`l.id = ${id}::uuid` : sql`l.bulk_id = ${bulk_id}::uuid`}
          and (l.bulk_id is null or exists (select 1 from bulk_lookups b
            where b.account_id = l.account_id and b.id = l.bulk_id and b.status = 'in_progress'))
        order by l.id limit ${limit} for update of l skip locked
      )
      update number_lookups l set status = 'sent', batch_id = ${batch_id}, sent_date = ${tx.now}
      from next where l.account_id = next.account_id and l.id = next.id
      returning l.number`)
  ).map(({ number }) => number);

/** The request failed before the provider had it, so the numbers can be sent again. */
export const returnNumbers = (tx: Tx, account_id: string, batch_id: string) =>
  tx.run(sql`
    update number_lookups set status = 'pending', batch_id = null, sent_date = null
    where account_id = ${account_id} and batch_id = ${batch_id} and status = 'sent'`);

export interface StoredResult {
  id: string;
  bulk_id: string | null;
  status: NumberLookup['status'];
  ported: boolean | null;
  hold_id: string | null;
  price_micros: number;
  charged: boolean;
}

/** Stores results of a request. A repeated callback changes nothing. */
export const storeResults = (tx: Tx, account_id: string, batch_id: string, results: readonly LookupResult[]) =>
  tx.rows<StoredResult>(sql`
    update number_lookups l set
      status = r.status, live_status = r.live_status, network = r.network, operator = r.operator,
      line_type = r.line_type, ported = r.ported, mccmnc = r.mccmnc, charged = r.status <> 'unknown',
      result_date = ${tx.now}
    from unnest(
      ${results.map(({ number }) => number)}::text[], ${results.map(({ status }) => status)}::text[],
      ${results.map(({ live_status }) => live_status)}::text[], ${results.map(({ network }) => network)}::text[],
      ${results.map(({ operator }) => operator)}::text[], ${results.map(({ line_type }) => line_type)}::text[],
      ${results.map(({ ported }) => ported)}::boolean[], ${results.map(({ mccmnc }) => mccmnc)}::text[]
    ) as r(number, status, live_status, network, operator, line_type, ported, mccmnc)
    where l.account_id = ${account_id} and l.batch_id = ${batch_id} and l.status = 'sent' and l.number = r.number
    returning l.id, l.bulk_id, l.status, l.ported, l.hold_id, l.price_micros, l.charged`);

/** Requests whose results did not arrive in time. */
export const listLate = (db: Queryable, before: Date) =>
  db.rows<{ account_id: string; batch_id: string; numbers: string[] }>(sql`
    select account_id, batch_id, array_agg(number) as numbers from number_lookups
    where status = 'sent' and sent_date < ${before}::timestamptz group by 1, 2 limit 100`);

/** Returns bulk lookups that made no progress since a time, and counts this as progress. */
export const takeStalled = (tx: Tx, before: Date) =>
  tx.rows<{ account_id: string; id: string }>(sql`
    with stalled as (
      select account_id, id from bulk_lookups where status = 'in_progress' and update_date < ${before}::timestamptz
      order by update_date limit 100 for update skip locked
    )
    update bulk_lookups b set update_date = ${tx.now} from stalled s
    where b.account_id = s.account_id and b.id = s.id returning b.account_id, b.id`);

export const deleteLookup = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from number_lookups where account_id = ${account_id} and id = ${id}`);

const bulkColumns = raw(`
  id, account_id, name, audience_id, status, total, done, invalid, good, bad, landline, unknown, ported, cost_micros,
  currency, create_date, update_date`);

export const findBulk = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<BulkLookup>(sql`select ${bulkColumns} from bulk_lookups where account_id = ${account_id} and id = ${id}`);

export const lockBulk = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<BulkLookup>(
    sql`select ${bulkColumns} from bulk_lookups where account_id = ${account_id} and id = ${id} for update`,
  );

const bulkConditions = (account_id: string, search: string | undefined): Sql => sql`
  account_id = ${account_id} ${search ? sql`and name ilike ${likePattern(search)}` : sql``}`;

export const listBulks = (db: Queryable, account_id: string, search: string | undefined, page: Page) =>
  db.rows<BulkLookup>(sql`
    select ${bulkColumns} from bulk_lookups where ${bulkConditions(account_id, search)}
    order by id desc limit ${page.size + 1} offset ${page.offset}`);

export const countBulks = async (db: Queryable, account_id: string, search: string | undefined): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from bulk_lookups where ${bulkConditions(account_id, search)} limit ${CAP + 1}) capped`)
  ).count;

type NewBulk = Pick<BulkLookup, 'account_id' | 'id' | 'name' | 'audience_id' | 'total' | 'invalid' | 'currency'>;

export const insertBulk = (tx: Tx, bulk: NewBulk) =>
  tx.run(sql`
    insert into bulk_lookups (account_id, id, name, audience_id, status, total, invalid, currency, create_date,
      update_date)
    values (${bulk.account_id}, ${bulk.id}, ${bulk.name}, ${bulk.audience_id}, 'in_progress', ${bulk.total},
            ${bulk.invalid}, ${bulk.currency}, ${tx.now}, ${tx.now})`);

export const setBulkStatus = (tx: Tx, account_id: string, id: string, status: BulkLookup['status']) =>
  tx.run(sql`
    update bulk_lookups set status = ${status}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

type BulkCounts = Pick<BulkLookup, 'done' | 'good' | 'bad' | 'landline' | 'unknown' | 'ported' | 'cost_micros'>;

/** Adds results to the counts. The last result completes the bulk lookup, even if it is paused. */
export const addToBulk = (tx: Tx, account_id: string, id: string, counts: BulkCounts) =>
  tx.one<BulkLookup>(sql`
    update bulk_lookups set done = done + ${counts.done}::int, good = good + ${counts.good}::int,
      bad = bad + ${counts.bad}::int, landline = landline + ${counts.landline}::int,
      unknown = unknown + ${counts.unknown}::int, ported = ported + ${counts.ported}::int,
      cost_micros = cost_micros + ${counts.cost_micros}::bigint,
      status = case when done + ${counts.done}::int >= total then 'completed' else status end, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id} returning ${bulkColumns}`);

interface OpenHold {
  hold_id: string;
  micros: number;
}

/** Deletes the numbers that the provider does not have yet, and returns what their holds cover. */
export const deletePending = async (
  tx: Tx,
  account_id: string,
  bulk_id: string,
): Promise<{ count: number; holds: OpenHold[] }> => {
  const rows = await tx.rows<{ hold_id: string | null; micros: number; count: number }>(sql`
    with deleted as (
      delete from number_lookups
      where account_id = ${account_id} and bulk_id = ${bulk_id} and status = 'pending'
      returning hold_id, price_micros
    )
    select hold_id, sum(price_micros)::bigint as micros, count(*)::int as count from deleted group by 1`);
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    holds: rows.flatMap(({ hold_id, micros }) => (hold_id === null ? [] : [{ hold_id, micros }])),
  };
};

/** Removes numbers from the total. Without open ones, the bulk lookup is completed. */
export const shrinkBulk = (tx: Tx, account_id: string, id: string, count: number) =>
  tx.one<BulkLookup>(sql`
    update bulk_lookups set total = total - ${count}::int,
      status = case when done >= total - ${count}::int then 'completed' else 'in_progress' end, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id} returning ${bulkColumns}`);

/** Deletes a bulk lookup with its numbers, and returns what its open hold still covers. */
export const deleteBulk = async (tx: Tx, account_id: string, id: string): Promise<OpenHold[]> => {
  const { holds } = await deletePending(tx, account_id, id);
  await tx.run(sql`delete from number_lookups where account_id = ${account_id} and bulk_id = ${id}`);
  await tx.run(sql`delete from bulk_lookups where account_id = ${account_id} and id = ${id}`);
  return holds;
};

/** The rest of the hold of a lookup is released. */
export const toReleases = (account_id: string, holds: readonly OpenHold[]) =>
  holds.map(({ hold_id, micros }) => ({
    ...{ account_id, hold_id, outcome: 'released' as const, amount_micros: micros },
    ...{ message_count: 0, campaign_id: null },
  }));

export const hasSent = async (tx: Tx, account_id: string, bulk_id: string): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from number_lookups
    where account_id = ${account_id} and bulk_id = ${bulk_id} and status = 'sent' limit 1`)) !== null;

export const listBulkNumbers = (db: Queryable, account_id: string, id: string, statuses: readonly string[]) =>
  db.rows<{ number: string; country: string; status: 'good' | 'bad' | 'landline' | 'unknown' }>(sql`
    select number, country, status from number_lookups
    where account_id = ${account_id} and bulk_id = ${id} and status = any(${statuses}::text[]) order by id`);

export const findAudience = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<{ name: string; conditions: Conditions | null }>(
    sql`select name, conditions from audiences where account_id = ${account_id} and id = ${id}`,
  );

export const listAudienceNumbers = (db: Queryable, account_id: string, id: string, limit: number) =>
  db.rows<{ number: string; country: string }>(sql`
    select number, country from contacts where account_id = ${account_id} and audience_id = ${id}
    order by id limit ${limit}`);

/** The numbers of the people who match a condition on `people p`. */
export const listMatchingNumbers = (db: Queryable, where: Sql, limit: number) =>
  db.rows<{ number: string; country: string }>(
    customPlan(sql`select p.number, p.country from people p where ${where} order by p.id limit ${limit}`),
  );

export const removeContacts = async (tx: Tx, account_id: string, audience_id: string, numbers: readonly string[]) =>
  (
    await tx.one<{ count: number }>(sql`
      with removed as (
        delete from contacts
        where account_id = ${account_id} and audience_id = ${audience_id} and number = any(${numbers}::text[])
        returning 1
      ), counted as (
        update audiences set contacts_count = contacts_count - (select count(*) from removed), update_date = ${tx.now}
        where account_id = ${account_id} and id = ${audience_id}
      )
      select count(*)::int as count from removed`)
  ).count;

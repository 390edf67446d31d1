import type { ApiRequest, ApiRequestDetail, listApiRequests } from '@parley/contract/api_requests/api_requests.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { ID_MARGIN_MS, idAt } from '../kernel/clock.ts';
import { and, type Queryable, raw, type Sql, sql } from '../kernel/db/db.ts';
import { afterKey, CAP, likePattern, type Page } from '../kernel/db/list.ts';

type Filter = NonNullable<Parsed<typeof listApiRequests>['query']['filter']>;

const columns = raw(`
  r.id, r.account_id, r.key_id,
  (select k.name from api_keys k
    where k.account_id = r.account_id and k.id = r.key_id and k.revoke_date is null) as key_name,
  coalesce((select k.test from api_keys k where k.account_id = r.account_id and k.id = r.key_id), false) as test,
  r.method, r.path, r.status, r.code, r.ms, r.address, r.agent, r.create_date`);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const STATUSES = { success: [0, 399], client_error: [400, 499], server_error: [500, 599] } as const;

const matches = (account_id: string, filter: Filter): Sql => {
  const { search, key_ids, methods, outcomes, code, created_date_start: start, created_date_end: end } = filter;
  const first = start && parseTimestamp(start);
  // The filter includes the whole last second.
  const last = end && new Date(parseTimestamp(end).getTime() + 1_000);
  const statuses = outcomes?.map((outcome) => STATUSES[outcome]);
  return and([
    sql`r.account_id = ${account_id}`,
    search && (UUID.test(search) ? sql`r.id = ${search}::uuid` : sql`r.path ilike ${likePattern(search)}`),
    key_ids?.length && sql`r.key_id = any(${key_ids}::uuid[])`,
    methods?.length && sql`r.method = any(${methods}::text[])`,
    // Lets the index of failed requests serve the filter.
    outcomes?.length && !outcomes.includes('success') && sql`r.status >= 400`,
    statuses?.length &&
      sql`exists (
        select from unnest(${statuses.map(([from]) => from)}::int[], ${statuses.map(([, to]) => to)}::int[]) as s(a, z)
        where r.status between s.a and s.z)`,
    code !== undefined && sql`r.code = ${code}`,
    // The range of IDs limits the index scan; the time selects the rows.
    first && sql`r.id >= ${idAt(first.getTime() - ID_MARGIN_MS)}::uuid and r.create_date >= ${first}`,
    last && sql`r.id < ${idAt(last.getTime() + ID_MARGIN_MS)}::uuid and r.create_date < ${last}`,
  ]);
};

export const listRequestRows = (db: Queryable, account_id: string, filter: Filter, page: Page): Promise<ApiRequest[]> =>
  db.rows<ApiRequest>(sql`
    select ${columns} from api_requests r where ${matches(account_id, filter)} and ${afterKey(page, 'r.id')}
    order by r.id desc limit ${page.size + 1} offset ${page.offset}`);

export async function countRequests(db: Queryable, account_id: string, filter: Filter): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) as count from (
      select 1 from api_requests r where ${matches(account_id, filter)} limit ${CAP + 1}) capped`);
  return count;
}

type StoredRequest = Omit<ApiRequestDetail, 'is_hidden'> & { endpoint: string | null };

export const findRequest = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<StoredRequest>(sql`
    select ${columns}, r.endpoint, r.request_body, r.response_body, r.is_masked from api_requests r
    where r.account_id = ${account_id} and r.id = ${id}`);

/** The account after this one that has requests, in the order of their IDs. */
export const nextAccount = (db: Queryable, after: string | null) =>
  db.maybeOne<{ account_id: string }>(sql`
    select account_id from api_requests
    where ${after === null ? sql`true` : sql`account_id > ${after}`} order by account_id limit 1`);

/** Deletes up to `limit` requests from before the ID, and returns how many it deleted. */
export const deleteRequests = (db: Queryable, account_id: string, before: string, limit: number): Promise<number> =>
  db.run(sql`
    delete from api_requests where account_id = ${account_id} and id in (
      select id from api_requests where account_id = ${account_id} and id < ${before}::uuid
      order by id limit ${limit})`);

const USAGE_KEPT_DAYS = 400;

export const deleteUsage = (db: Queryable, account_id: string): Promise<number> =>
  db.run(sql`
    delete from key_usage
    where account_id = ${account_id} and day < (now() at time zone 'UTC')::date - ${USAGE_KEPT_DAYS}::int`);

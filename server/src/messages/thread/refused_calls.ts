/** The calls that the kernel kept because they were refused. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { type listRefusedCalls, REFUSED_CALL_DAYS, type RefusedCall } from '@parley/contract/messages/refused_calls.ts';
import { and, type Queryable, sql } from '../../kernel/db/db.ts';
import { CAP, type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Actor } from '../../kernel/security/auth.ts';

export async function readRefusedCalls(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof listRefusedCalls>['query'],
): Promise<Paged<RefusedCall>> {
  const page = readPage(query);
  const { code, created_date_start, created_date_end } = query.filter ?? {};
  const matches = and([
    sql`r.account_id = ${account_id}`,
    code !== undefined && sql`r.code = ${code}`,
    created_date_start && sql`r.create_date >= ${created_date_start}::timestamp at time zone 'UTC'`,
    created_date_end && sql`r.create_date < ${created_date_end}::timestamp at time zone 'UTC' + interval '1 second'`,
  ]);
  const rows = await db.rows<RefusedCall>(sql`
    select r.id, r.account_id, r.method, r.path, r.status, r.code, r.message, r.field, r.channel, r."from", r."to",
           r.user_id, nullif(concat_ws(' ', u.first_name, u.last_name), '') as user_name, r.key_id,
           k.name as key_name, r.request_id, r.create_date
    from refused_calls r
    left join users u on u.account_id = r.account_id and u.id = r.user_id
    left join api_keys k on k.account_id = r.account_id and k.id = r.key_id
    where ${matches} order by r.id desc limit ${page.size + 1} offset ${page.offset}`);
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) as count from (select 1 from refused_calls r where ${matches} limit ${CAP + 1}) capped`);
  return paged(page, rows, count);
}

/** Deletes up to `limit` old calls, and returns how many it deleted. */
export const pruneRefusedCalls = (db: Queryable, limit: number): Promise<number> =>
  db.run(sql`
    delete from refused_calls where (account_id, id) in (
      select account_id, id from refused_calls where create_date < now() - ${`${REFUSED_CALL_DAYS} days`}::interval
      order by create_date limit ${limit})`);

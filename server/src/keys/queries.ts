import type { ApiKey } from '@parley/contract/keys/keys.ts';
import type { Permissions } from '@parley/contract/permission.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, likePattern, type Page } from '../kernel/db/list.ts';

const columns = raw(`
  k.id, k.account_id, k.name, k.start || '…' || k.hint as key, k.permissions, k.addresses, k.test,
  k.requests_per_second, k.spend_limit_micros, k.approval_recipients, k.approval_micros,
  coalesce((select s.spent_micros from key_spending s where s.account_id = k.account_id and s.key_id = k.id
    and s.month = date_trunc('month', now() at time zone 'UTC')), 0) as spent_micros,
  case when k.expire_date <= now() then 'expired' else 'active' end as state, k.expire_date, k.last_used_date,
  k.last_used_address, case when k.previous_expire_date > now() then k.previous_expire_date end as previous_expire_date,
  (select nullif(trim(u.first_name || ' ' || u.last_name), '') from users u
    where u.account_id = k.account_id and u.id = k.user_id) as created_by,
  k.create_date, k.update_date`);

const matches = (account_id: string, search: string | undefined): Sql => sql`
  k.account_id = ${account_id} and k.revoke_date is null
  ${search ? sql`and (k.name ilike ${likePattern(search)} or k.hint = ${search.slice(-4)})` : sql``}`;

export const listKeys = (
  db: Queryable,
  account_id: string,
  search: string | undefined,
  page: Page,
): Promise<ApiKey[]> =>
  db.rows<ApiKey>(sql`
    select ${columns} from api_keys k where ${matches(account_id, search)}
    order by k.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countKeys = async (db: Queryable, account_id: string, search: string | undefined): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from (
        select 1 from api_keys k where ${matches(account_id, search)} limit ${CAP + 1}) capped`)
  ).count;

export const findKey = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<ApiKey>(sql`
    select ${columns} from api_keys k
    where k.account_id = ${account_id} and k.id = ${id} and k.revoke_date is null`);

interface LockedKey {
  id: string;
  name: string;
  permissions: Permissions;
  addresses: string[];
  expire_date: string | null;
  test: boolean;
  requests_per_second: number | null;
  spend_limit_micros: number | null;
  approval_recipients: number | null;
  approval_micros: number | null;
}

export const lockKey = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<LockedKey>(sql`
    select id, name, permissions, addresses, expire_date, test, requests_per_second, spend_limit_micros,
      approval_recipients, approval_micros
    from api_keys
    where account_id = ${account_id} and id = ${id} and revoke_date is null for update`);

/** Serializes the creation of an account's keys, so that the limit holds for simultaneous calls. */
export const lockKeys = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7304))`);

interface StoredText {
  hash: Buffer;
  start: string;
  hint: string;
}

export const insertKey = (tx: Tx, row: LockedKey & { account_id: string; user_id: string | null; text: StoredText }) =>
  tx.run(sql`
    insert into api_keys (account_id, id, name, key_hash, start, hint, permissions, addresses, expire_date, user_id,
      test, requests_per_second, spend_limit_micros, approval_recipients, approval_micros)
    values (${row.account_id}, ${row.id}, ${row.name}, ${row.text.hash}, ${row.text.start}, ${row.text.hint},
            ${JSON.stringify(row.permissions)}::jsonb, ${row.addresses}::text[],
            ${row.expire_date}::timestamp at time zone 'UTC', ${row.user_id}::uuid, ${row.test},
            ${row.requests_per_second}, ${row.spend_limit_micros}, ${row.approval_recipients},
            ${row.approval_micros})`);

export const updateKey = (tx: Tx, account_id: string, row: LockedKey) =>
  tx.run(sql`
    update api_keys set name = ${row.name}, permissions = ${JSON.stringify(row.permissions)}::jsonb,
      addresses = ${row.addresses}::text[], expire_date = ${row.expire_date}::timestamp at time zone 'UTC',
      requests_per_second = ${row.requests_per_second}, spend_limit_micros = ${row.spend_limit_micros},
      approval_recipients = ${row.approval_recipients}, approval_micros = ${row.approval_micros},
      update_date = ${tx.now}
    where account_id = ${account_id} and id = ${row.id}`);

export const rotateKey = (tx: Tx, account_id: string, id: string, text: StoredText, grace_seconds: number) =>
  tx.run(sql`
    update api_keys set
      previous_hash = case when ${grace_seconds}::int > 0 then key_hash end,
      previous_expire_date =
        case when ${grace_seconds}::int > 0 then ${tx.now}::timestamptz + make_interval(secs => ${grace_seconds}) end,
      key_hash = ${text.hash}, start = ${text.start}, hint = ${text.hint}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

export const revokeKey = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    update api_keys set revoke_date = ${tx.now}, previous_hash = null, previous_expire_date = null
    where account_id = ${account_id} and id = ${id}`);

/** Adds to what the key has spent this month, and returns the sum. The row stays locked until the commit. */
export const addSpending = async (tx: Tx, account_id: string, key_id: string, micros: number): Promise<number> =>
  (
    await tx.one<{ spent_micros: number }>(sql`
      insert into key_spending as s (account_id, key_id, month, spent_micros)
      values (${account_id}, ${key_id}, date_trunc('month', ${tx.now}::timestamptz at time zone 'UTC'), ${micros})
      on conflict (account_id, key_id, month) do update set spent_micros = s.spent_micros + excluded.spent_micros
      returning s.spent_micros`)
  ).spent_micros;

/** The requests of each day, including days without any. */
export const listUsage = (db: Queryable, account_id: string, key_id: string, days: number) =>
  db.rows<{ date: string; requests: number; errors: number }>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as date, coalesce(u.requests, 0) as requests, coalesce(u.errors, 0) as errors
    from generate_series((now() at time zone 'UTC')::date - ${days - 1}::int, (now() at time zone 'UTC')::date,
      interval '1 day') as d(day)
    left join key_usage u on u.account_id = ${account_id} and u.key_id = ${key_id} and u.day = d.day::date
    order by d.day`);

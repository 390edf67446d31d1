import type { BindType, SmppAccount, SmppSession } from '@parley/contract/smpp/smpp.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, likePattern, type Page } from '../kernel/db/list.ts';

/** A session whose process has not reported it for this long has ended. */
const SEEN_SECONDS = 30;

/** True for rows of sessions that are bound. */
export const isLive: Sql = raw(`s.seen_date > now() - interval '${SEEN_SECONDS} seconds'`);

const columns = raw(`
  a.id, a.account_id, a.name, a.system_id, null as password, a.addresses, a.sources, a.bind_types,
  a.max_pending as window, a.throughput, a.max_binds, a.tls, a.receives_inbound, a.status, a.last_bound_date,
  a.last_error, a.last_error_date, case when a.previous_expire_date > now() then a.previous_expire_date end
    as previous_expire_date, a.create_date, a.update_date,
  a.pending_count,
  (select count(*)::int from smpp_sessions s where s.account_id = a.account_id and s.smpp_account_id = a.id
    and s.seen_date > now() - interval '${SEEN_SECONDS} seconds') as bound_count,
  (select nullif(trim(u.first_name || ' ' || u.last_name), '') from users u
    where u.account_id = a.account_id and u.id = a.user_id) as created_by`);

const matches = (account_id: string, search: string | undefined): Sql => sql`
  a.account_id = ${account_id} and a.delete_date is null
  ${search ? sql`and (a.name ilike ${likePattern(search)} or a.system_id = ${search})` : sql``}`;

export const listAccounts = (db: Queryable, account_id: string, search: string | undefined, page: Page) =>
  db.rows<SmppAccount>(sql`
    select ${columns} from smpp_accounts a where ${matches(account_id, search)}
    order by a.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countAccounts = async (db: Queryable, account_id: string, search: string | undefined): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from (
        select 1 from smpp_accounts a where ${matches(account_id, search)} limit ${CAP + 1}) capped`)
  ).count;

export const findAccount = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<SmppAccount>(sql`
    select ${columns} from smpp_accounts a
    where a.account_id = ${account_id} and a.id = ${id} and a.delete_date is null`);

export interface Settings {
  name: string;
  addresses: string[];
  sources: string[];
  bind_types: BindType[];
  window: number;
  throughput: number | null;
  max_binds: number;
  tls: boolean;
  receives_inbound: boolean;
  status: 'active' | 'paused';
}

export const lockAccount = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<Settings>(sql`
    select name, addresses, sources, bind_types, max_pending as window, throughput, max_binds, tls, receives_inbound,
      status
    from smpp_accounts where account_id = ${account_id} and id = ${id} and delete_date is null for update`);

/** Serializes the creation of a company's SMPP accounts, so that the limit holds for simultaneous calls. */
export const lockAccounts = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7306))`);

export const insertAccount = (
  tx: Tx,
  row: Settings & { account_id: string; id: string; system_id: string; password: string; user_id: string | null },
) =>
  tx.run(sql`
    insert into smpp_accounts (account_id, id, name, system_id, password, addresses, sources, bind_types, max_pending,
      throughput, max_binds, tls, receives_inbound, status, user_id)
    values (${row.account_id}, ${row.id}, ${row.name}, ${row.system_id}, ${row.password}, ${row.addresses}::text[],
      ${row.sources}::text[], ${row.bind_types}::text[], ${row.window}, ${row.throughput}, ${row.max_binds}, ${row.tls},
      ${row.receives_inbound}, ${row.status}, ${row.user_id}::uuid)`);

export const updateAccount = (tx: Tx, account_id: string, id: string, row: Settings) =>
  tx.run(sql`
    update smpp_accounts set name = ${row.name}, addresses = ${row.addresses}::text[], sources = ${row.sources}::text[],
      bind_types = ${row.bind_types}::text[], max_pending = ${row.window}, throughput = ${row.throughput},
      max_binds = ${row.max_binds}, tls = ${row.tls}, receives_inbound = ${row.receives_inbound},
      status = ${row.status}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

export const replacePassword = (tx: Tx, account_id: string, id: string, password: string, grace_seconds: number) =>
  tx.run(sql`
    update smpp_accounts set password = ${password}, update_date = ${tx.now},
      previous_password = case when ${grace_seconds}::int > 0 then password end,
      previous_expire_date =
        case when ${grace_seconds}::int > 0 then ${tx.now}::timestamptz + make_interval(secs => ${grace_seconds}) end
    where account_id = ${account_id} and id = ${id}`);

export const deleteAccount = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    update smpp_accounts set delete_date = ${tx.now}, status = 'paused', password = '',
      previous_password = null, previous_expire_date = null
    where account_id = ${account_id} and id = ${id}`);

export const listSessions = (db: Queryable, account_id: string, id: string) =>
  db.rows<SmppSession>(sql`
    select s.id, s.bind_type, s.address, s.tls, s.max_pending as window, s.bound_date, s.accepted_count,
      s.refused_count, s.delivered_count, (s.rate_tenths / 10.0)::float8 as rate, s.last_error, s.last_error_date
    from smpp_sessions s
    where s.account_id = ${account_id} and s.smpp_account_id = ${id} and ${isLive}
    order by s.id desc`);

export const closeSession = async (tx: Tx, account_id: string, id: string, session_id: string): Promise<boolean> =>
  (await tx.run(sql`
    update smpp_sessions s set close_date = ${tx.now}
    where s.account_id = ${account_id} and s.smpp_account_id = ${id} and s.id = ${session_id} and ${isLive}`)) > 0;

/** The statements with which the listener reads and writes accounts and their sessions. */
import type { BindType } from '@parley/contract/smpp/smpp.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { isLive } from './queries.ts';

/** The settings of an SMPP account that apply to its sessions. */
export interface BoundAccount {
  account_id: string;
  id: string;
  system_id: string;
  addresses: string[];
  sources: string[];
  bind_types: BindType[];
  window: number;
  throughput: number | null;
  max_binds: number;
  tls: boolean;
  receives_inbound: boolean;
  /** False if the SMPP account is paused or deleted, or its company is blocked or closed. */
  is_active: boolean;
  verified: boolean;
  /** The live sessions in all processes. */
  bound_count: number;
  /** The limits of all SMPP accounts of the company together. Null: none. */
  company_max_binds: number | null;
  company_throughput: number | null;
  /** The live sessions of the company in all processes. */
  company_bound_count: number;
}

const columns: Sql = sql`
  a.account_id, a.id, a.system_id, a.addresses, a.sources, a.bind_types, a.max_pending as window, a.throughput,
  a.max_binds, a.tls, a.receives_inbound, c.status = 'VERIFIED' as verified,
  a.status = 'active' and a.delete_date is null and c.status <> 'BLOCKED' and c.close_date is null
    and (l.max_accounts is null or l.max_accounts >= (
      select count(*) from smpp_accounts o
      where o.account_id = a.account_id and o.id <= a.id and o.delete_date is null)) as is_active,
  l.max_binds as company_max_binds, l.throughput as company_throughput,
  (select count(*)::int from smpp_sessions s where s.account_id = a.account_id and ${isLive}) as company_bound_count,
  (select count(*)::int from smpp_sessions s where s.account_id = a.account_id and s.smpp_account_id = a.id
    and ${isLive}) as bound_count`;

/** Finds an account for a bind, with its sealed passwords: the current one, and the previous one while it is valid. */
export const findAccountBySystemId = (db: Queryable, system_id: string) =>
  db.maybeOne<BoundAccount & { passwords: string[] }>(sql`
    select ${columns},
      array_remove(array[a.password, case when a.previous_expire_date > now() then a.previous_password end], null)
        as passwords
    from smpp_accounts a join accounts c on c.id = a.account_id
    left join smpp_caps l on l.account_id = a.account_id
    where a.system_id = ${system_id} and a.delete_date is null`);

export interface NewSession {
  id: string;
  account_id: string;
  smpp_account_id: string;
  bind_type: BindType;
  address: string;
  tls: boolean;
  window: number;
}

/** Returns why the session cannot be bound: the account or the company has as many as it may have. */
export async function insertSession(tx: Tx, session: NewSession, max_binds: number): Promise<string | null> {
  const { account_id, smpp_account_id } = session;
  // The row of the company comes first, so that two accounts of a company cannot both take its last session.
  const caps = await tx.maybeOne<{ max_binds: number | null }>(sql`
    select max_binds from smpp_caps where account_id = ${account_id} for update`);
  await tx.run(sql`
    select 1 from smpp_accounts where account_id = ${account_id} and id = ${smpp_account_id} for update`);
  const { count, all } = await tx.one<{ count: number; all: number }>(sql`
    select count(*) filter (where s.smpp_account_id = ${smpp_account_id})::int as count, count(*)::int as all
    from smpp_sessions s where s.account_id = ${account_id} and ${isLive}`);
  if (count >= max_binds) return `All ${max_binds} sessions are bound`;
  if (caps && caps.max_binds !== null && all >= caps.max_binds)
    return `All ${caps.max_binds} sessions of the company are bound`;
  await tx.run(sql`
    insert into smpp_sessions (account_id, id, smpp_account_id, bind_type, address, tls, max_pending)
    values (${account_id}, ${session.id}, ${smpp_account_id}, ${session.bind_type}, ${session.address}, ${session.tls},
      ${session.window})`);
  await tx.run(sql`
    update smpp_accounts set last_bound_date = now(), last_error = null, last_error_date = null
    where account_id = ${account_id} and id = ${smpp_account_id}`);
  return null;
}

/** Writes at most once per second, even if a program retries without a pause. */
export const storeBindError = (db: Queryable, account_id: string, id: string, error: string) =>
  db.run(sql`
    update smpp_accounts set last_error = ${error.slice(0, 200)}, last_error_date = now()
    where account_id = ${account_id} and id = ${id}
      and (last_error_date is null or last_error_date < now() - interval '1 second')`);

export const deleteSession = (db: Queryable, account_id: string, id: string) =>
  db.run(sql`delete from smpp_sessions where account_id = ${account_id} and id = ${id}`);

export interface SessionReport {
  account_id: string;
  id: string;
  accepted: number;
  refused: number;
  delivered: number;
  rate: number;
  last_error: string | null;
  last_error_at: Date | null;
}

/** Reports that sessions are bound. Returns those that must unbind, and those that no longer have a row. */
export async function reportSessions(db: Queryable, reports: readonly SessionReport[]): Promise<Set<string>> {
  const column = <T>(pick: (report: SessionReport) => T): T[] => reports.map(pick);
  const rows = await db.rows<{ id: string }>(sql`
    update smpp_sessions s set seen_date = now(), accepted_count = t.accepted, refused_count = t.refused,
      delivered_count = t.delivered, rate_tenths = t.rate, last_error = t.last_error,
      last_error_date = t.last_error_date
    from unnest(
      ${column(({ account_id }) => account_id)}::uuid[], ${column(({ id }) => id)}::uuid[],
      ${column(({ accepted }) => accepted)}::bigint[], ${column(({ refused }) => refused)}::bigint[],
      ${column(({ delivered }) => delivered)}::bigint[], ${column(({ rate }) => Math.round(rate * 10))}::int[],
      ${column(({ last_error }) => last_error)}::text[], ${column(({ last_error_at }) => last_error_at)}::timestamptz[]
    ) as t(account_id, id, accepted, refused, delivered, rate, last_error, last_error_date)
    where s.account_id = t.account_id and s.id = t.id and s.close_date is null
    returning s.id`);
  const open = new Set(rows.map(({ id }) => id));
  return new Set(reports.flatMap(({ id }) => (open.has(id) ? [] : [id])));
}

/**
 * The newest sessions above the limits of their SMPP account or their company, after a limit was lowered. A session
 * that is above the limit of its account does not count for its company.
 */
export const listSurplusSessions = async (db: Queryable, account_ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db.rows<{ id: string }>(sql`
    with ranked as (
      select s.account_id, s.id,
        row_number() over (partition by s.account_id, s.smpp_account_id order by s.id) > a.max_binds as is_surplus
      from unnest(${account_ids}::uuid[]) as t(account_id)
      join smpp_sessions s on s.account_id = t.account_id
      join smpp_accounts a on a.account_id = s.account_id and a.id = s.smpp_account_id
      where s.close_date is null and ${isLive}
    )
    select id from ranked where is_surplus
    union all
    select id from (
      select r.id, row_number() over (partition by r.account_id order by r.id) > l.max_binds as is_surplus
      from ranked r join smpp_caps l on l.account_id = r.account_id where not r.is_surplus
    ) companies where is_surplus`);
  return new Set(rows.map(({ id }) => id));
};

export const listBoundAccounts = (db: Queryable, keys: readonly { account_id: string; id: string }[]) =>
  db.rows<BoundAccount>(sql`
    select ${columns}
    from unnest(${keys.map(({ account_id }) => account_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
      as t(account_id, id)
    join smpp_accounts a on a.account_id = t.account_id and a.id = t.id
    join accounts c on c.id = a.account_id
    left join smpp_caps l on l.account_id = a.account_id`);

/** Deletes the rows of sessions whose processes have died. */
export const pruneSessions = (db: Queryable) =>
  db.run(raw(`delete from smpp_sessions where seen_date < now() - interval '1 hour'`));

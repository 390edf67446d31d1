import type { Permissions } from '@parley/contract/permission.ts';
import { type Queryable, raw, sql } from '../kernel/db.ts';

/** Of the account `a`: 30 days from its creation, unless an operator made it. */
export const trialExpired = raw(
  "('PAID0' = any(a.tags) and not a.admin_created and a.create_date < now() - interval '30 days')",
);

export interface SignInUser {
  account_id: string;
  id: string;
  login_id: string;
  password_hash: string | null;
  blocked: boolean;
  account_status: string;
}

export const userByEmail = (db: Queryable, email: string) =>
  db.maybeOne<SignInUser>(sql`
    select u.account_id, u.id, l.id as login_id, l.password_hash, u.blocked, a.status as account_status
    from logins l join users u on u.login_id = l.id join accounts a on a.id = u.account_id
    where lower(l.email) = ${email}
    order by u.blocked or a.status = 'BLOCKED', u.last_seen_date desc nulls last, u.create_date limit 1`);

export const insertSession = (
  tx: Queryable,
  session: {
    token_hash: Buffer;
    id: string;
    account_id: string;
    user_id: string;
    address: string;
    agent: string;
    expires: Date;
  },
) =>
  tx.run(sql`
    insert into sessions (token_hash, id, account_id, user_id, address, agent, expire_date, login_id)
    select ${session.token_hash}, ${session.id}, account_id, id, ${session.address}, ${session.agent.slice(0, 300)},
           ${session.expires}, login_id
    from users where account_id = ${session.account_id} and id = ${session.user_id}`);

export interface SessionRow {
  account_id: string;
  user_id: string;
  session_id: string;
  real_user_id: string | null;
  method: string;
  permissions: Permissions;
  is_owner: boolean;
  blocked: boolean;
  login_status: string;
  account_status: string;
  account_kind: string;
  trial_expired: boolean;
  idle_ms: number;
}

export const sessionByToken = (db: Queryable, token_hash: Buffer, idle_hours: number) =>
  db.maybeOne<SessionRow>(sql`
    select s.account_id, s.user_id, s.id as session_id, s.real_user_id, s.method, u.permissions, u.is_owner, u.blocked,
           l.status as login_status, a.status as account_status, a.kind as account_kind, ${trialExpired} as trial_expired,
           (extract(epoch from now() - s.last_used_date) * 1000)::float8 as idle_ms
    from sessions s
    join users u on u.account_id = s.account_id and u.id = s.user_id
    join logins l on l.id = u.login_id
    join accounts a on a.id = s.account_id
    where s.token_hash = ${token_hash} and s.revoke_date is null and s.expire_date > now()
      and s.last_used_date > now() - make_interval(hours => ${idle_hours})`);

export const touchSession = (db: Queryable, account_id: string, id: string) =>
  db.run(sql`update sessions set last_used_date = now() where account_id = ${account_id} and id = ${id}`);

export const revokeSession = (tx: Queryable, account_id: string, id: string) =>
  tx.run(
    sql`update sessions set revoke_date = now() where account_id = ${account_id} and id = ${id} and revoke_date is null`,
  );

export interface KeyRow {
  account_id: string;
  id: string;
  permissions: Permissions;
  account_status: string;
  trial_expired: boolean;
  unused_ms: number | null;
}

export const keyByHash = (db: Queryable, key_hash: Buffer) =>
  db.maybeOne<KeyRow>(sql`
    select k.account_id, k.id, k.permissions, a.status as account_status, ${trialExpired} as trial_expired,
           (extract(epoch from now() - k.last_used_date) * 1000)::float8 as unused_ms
    from api_keys k join accounts a on a.id = k.account_id
    where k.key_hash = ${key_hash} and k.revoke_date is null`);

export const touchKey = (db: Queryable, account_id: string, id: string) =>
  db.run(sql`update api_keys set last_used_date = now() where account_id = ${account_id} and id = ${id}`);

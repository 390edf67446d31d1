import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';

export interface Target {
  account_id: string;
  company_name: string;
  kind: 'CUSTOMER' | 'OPERATOR';
  account_blocked: boolean;
  closed: boolean;
  user_id: string;
  full_name: string;
  blocked: boolean;
}

/** Returns the given user, or the owner by default. Returns null for a company where no user has signed in yet. */
export const findTarget = (db: Queryable, account_id: string, user_id: string | null) =>
  db.maybeOne<Target>(sql`
    select a.id as account_id, a.company_name, a.kind, a.status = 'BLOCKED' as account_blocked,
           a.close_date is not null as closed, u.id as user_id, trim(u.first_name || ' ' || u.last_name) as full_name,
           u.blocked
    from accounts a join users u on u.account_id = a.id and u.remove_date is null and u.login_id is not null
    where a.id = ${account_id} and case when ${user_id}::uuid is null then u.is_owner else u.id = ${user_id}::uuid end
    order by u.id limit 1`);

export const hasAccount = async (db: Queryable, account_id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from accounts where id = ${account_id}`)) !== null;

interface Key {
  operator_account_id: string;
  operator_user_id: string;
  operator_session_id: string | null;
  account_id: string;
  user_id: string;
  reason: string;
}

export const insertKey = (tx: Tx, id: string, secret_hash: Buffer, key: Key, expires: Date) =>
  tx.run(sql`
    insert into auth_sessions (id, secret_hash, operator_account_id, operator_user_id, operator_session_id, account_id,
                               user_id, reason, create_date, expire_date)
    values (${id}, ${secret_hash}, ${key.operator_account_id}, ${key.operator_user_id}, ${key.operator_session_id},
            ${key.account_id}, ${key.user_id}, ${key.reason}, ${tx.now}, ${expires})`);

/** Marks the key as used. If several callers try at the same time, only one gets the key. */
export const useKey = (tx: Tx, secret_hash: Buffer) =>
  tx.maybeOne<Key>(sql`
    update auth_sessions set use_date = ${tx.now}
    where secret_hash = ${secret_hash} and use_date is null and expire_date > ${tx.now}
    returning operator_account_id, operator_user_id, operator_session_id, account_id, user_id, reason`);

export const findKeyByHash = (tx: Tx, secret_hash: Buffer) =>
  tx.maybeOne<{
    operator_account_id: string;
    operator_user_id: string;
    account_id: string;
    company_name: string;
    used: boolean;
    expired: boolean;
  }>(sql`
    select k.operator_account_id, k.operator_user_id, k.account_id, a.company_name, k.use_date is not null as used,
           k.expire_date <= ${tx.now} as expired
    from auth_sessions k join accounts a on a.id = k.account_id where k.secret_hash = ${secret_hash}`);

/** True if the operator still has the permission and the session that requested the key is still open. */
export const canStillEnter = async (tx: Tx, key: Key): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from users u join accounts a on a.id = u.account_id
    join sessions s on s.id = ${key.operator_session_id} and s.revoke_date is null and s.expire_date > ${tx.now}
    where u.account_id = ${key.operator_account_id} and u.id = ${key.operator_user_id} and u.remove_date is null
      and not u.blocked
      and a.kind = 'OPERATOR' and a.status <> 'BLOCKED'
      and (u.is_owner or coalesce((u.permissions->>'ACCOUNTS')::int, 0) & 4 <> 0)`)) !== null;

interface EnteredSession {
  account_id: string;
  company_name: string;
  full_name: string;
  method: 'impersonation' | 'switch';
  real_account_id: string;
  reason: string;
}

/** Returns the session if it acts on behalf of another user. */
export const findEnteredSession = (db: Queryable, session_id: string) =>
  db.maybeOne<EnteredSession>(sql`
    select s.account_id, a.company_name, trim(u.first_name || ' ' || u.last_name) as full_name, s.method,
      s.real_account_id, s.reason
    from sessions s join users u on u.account_id = s.account_id and u.id = s.user_id
    join accounts a on a.id = s.account_id
    where s.id = ${session_id} and s.real_user_id is not null`);

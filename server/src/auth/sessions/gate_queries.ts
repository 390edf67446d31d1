import type { Permissions } from '@parley/contract/permission.ts';
import { type Queryable, raw, sql } from '../../kernel/db/db.ts';

/**
 * True if the 30-day trial of account `a` is over. A sub-account shares its parent's trial. Accounts created by
 * operators have no trial.
 */
const trialExpired = raw(`exists (
  select 1 from accounts t
  where t.id = coalesce(a.parent_id, a.id) and t.kind = 'CUSTOMER' and 'PAID0' = any(t.tags) and not t.admin_created
    and t.create_date < now() - interval '30 days')`);

export interface SessionRow {
  token_hash: Buffer;
  account_id: string;
  user_id: string;
  session_id: string;
  real_user_id: string | null;
  method: string;
  second_factor: boolean;
  second_factor_required: boolean;
  permissions: Permissions;
  is_owner: boolean;
  blocked: boolean;
  login_status: string;
  account_status: string;
  account_kind: string;
  trial_expired: boolean;
  idle_ms: number;
  /** The `real_` columns describe the user who acts on behalf of another user. */
  real_permissions: Permissions | null;
  real_is_owner: boolean | null;
  real_blocked: boolean | null;
}

/**
 * `idle` contains the minutes without a request after which a session ends, for customers and for operators. Sessions
 * of a closed account are not returned. A user who has not accepted their invitation has no sessions of their own, but
 * others can act on their behalf.
 */
export const listSessionsByToken = (
  db: Queryable,
  token_hashes: readonly Buffer[],
  now: Date,
  idle: { customer: number; operator: number },
) =>
  db.rows<SessionRow>(sql`
    select s.token_hash, s.account_id, s.user_id, s.id as session_id, s.real_user_id, s.method, s.second_factor,
           u.permissions, u.is_owner, u.blocked, coalesce(l.status, 'NEW') as login_status, a.status as account_status,
           a.kind as account_kind, ${trialExpired} as trial_expired,
           a.second_factor_required or a.kind = 'OPERATOR' as second_factor_required,
           (extract(epoch from ${now}::timestamptz - s.last_used_date) * 1000)::float8 as idle_ms,
           r.permissions as real_permissions, r.is_owner as real_is_owner,
           r.blocked or ra.status = 'BLOCKED' as real_blocked
    from sessions s
    join users u on u.account_id = s.account_id and u.id = s.user_id
    left join logins l on l.id = u.login_id
    join accounts a on a.id = s.account_id
    left join users r on r.account_id = s.real_account_id and r.id = s.real_user_id and r.login_id is not null
    left join accounts ra on ra.id = r.account_id
    left join sessions rs on rs.id = s.real_session_id
    where s.token_hash = any(${token_hashes}::bytea[]) and s.revoke_date is null and s.expire_date > ${now}
      and a.close_date is null and u.remove_date is null
      and case when s.real_user_id is null then l.id is not null else r.id is not null end
      and (s.real_session_id is null or rs.revoke_date is null and rs.expire_date > ${now})
      and s.last_used_date > ${now}::timestamptz
        - make_interval(mins =>
            case a.kind when 'OPERATOR' then ${idle.operator}::int else ${idle.customer}::int end)`);

/** Also updates the time when the user was last seen, unless someone else is acting on their behalf. */
export const touchSession = (db: Queryable, account_id: string, id: string, now: Date) =>
  db.run(sql`
    with touched as (
      update sessions set last_used_date = ${now}
      where account_id = ${account_id} and id = ${id} and last_used_date < ${now}
      returning account_id, user_id, real_user_id
    )
    update users u set last_seen_date = ${now} from touched t
    where u.account_id = t.account_id and u.id = t.user_id and t.real_user_id is null`);

export interface KeyRow {
  key_hash: Buffer;
  account_id: string;
  id: string;
  permissions: Permissions;
  account_status: string;
  trial_expired: boolean;
  unused_ms: number | null;
  addresses: string[];
  expired: boolean;
  test: boolean;
  requests_per_second: number | null;
  spend_limit_micros: number | null;
  approval_recipients: number | null;
  approval_micros: number | null;
  last_used_address: string | null;
}

/** Finds keys by their current texts, or by the previous ones until the end of their grace periods. */
export const listKeysByHash = (db: Queryable, key_hashes: readonly Buffer[], now: Date) =>
  db.rows<KeyRow>(sql`
    select h.key_hash, k.account_id, k.id, k.permissions, a.status as account_status,
           ${trialExpired} as trial_expired,
           (extract(epoch from now() - k.last_used_date) * 1000)::float8 as unused_ms, k.addresses,
           coalesce(k.expire_date <= ${now}, false) as expired, k.last_used_address, k.test,
           k.requests_per_second, k.spend_limit_micros, k.approval_recipients, k.approval_micros
    from unnest(${key_hashes}::bytea[]) as h(key_hash)
    join api_keys k
      on k.key_hash = h.key_hash or k.previous_hash = h.key_hash and k.previous_expire_date > ${now}
    join accounts a on a.id = k.account_id
    where k.revoke_date is null and a.close_date is null`);

export const touchKey = (db: Queryable, account_id: string, id: string, address: string) =>
  db.run(sql`
    update api_keys set last_used_date = now(), last_used_address = ${address}
    where account_id = ${account_id} and id = ${id}
      and (last_used_date is null or last_used_date < now() - interval '1 minute'
           or last_used_address is distinct from ${address})`);

/** A user without a session. */
export const findUser = (db: Queryable, account_id: string, user_id: string) =>
  db.maybeOne<Pick<SessionRow, 'permissions' | 'is_owner' | 'account_status' | 'account_kind' | 'trial_expired'>>(sql`
    select u.permissions, u.is_owner, a.status as account_status, a.kind as account_kind,
           ${trialExpired} as trial_expired
    from users u join logins l on l.id = u.login_id join accounts a on a.id = u.account_id
    where u.account_id = ${account_id} and u.id = ${user_id} and not u.blocked and u.remove_date is null
      and a.close_date is null and a.status <> 'BLOCKED'`);

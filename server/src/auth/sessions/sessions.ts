/**
 * Sessions have opaque tokens, which are stored as hashes. Each session has a row. Only `endSessions` ends sessions. It
 * emits an event for each session, so that its browsers sign out within a second. A session never gains permissions;
 * more permissions require a new session. Its token is replaced when the person changes the password.
 */
import { forceLogout } from '@parley/contract/accounts/accounts.ts';
import type { Session } from '@parley/contract/auth/sessions.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId, secret } from '../../kernel/clock.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import type { Client } from '../people/client.ts';
import { describeDevice } from '../people/device.ts';
import { hashToken } from '../people/tokens.ts';

/** A session ends after this many minutes without a request. */
export const IDLE_MINUTES = { customer: 12 * 60, operator: 30 };
/** A session ends after this many minutes even if it is in use. */
export const ABSOLUTE_MINUTES = { customer: 30 * 24 * 60, operator: 12 * 60 };

/** Ended sessions are kept for this many days. A device used during that time does not count as new. */
export const SESSIONS_KEPT_DAYS = 90;

export type SignInMethod = 'password' | 'social' | 'passkey' | 'invitation' | 'email' | 'switch' | 'impersonation';

interface SessionOptions {
  method?: SignInMethod;
  /** True if the second factor was given, either now or in the session that this one was opened from. */
  second_factor?: boolean;
  /**
   * The time when the password or passkey was given in the session that this one was opened from. Defaults to the
   * current time if the sign-in method is one of these.
   */
  prove_date?: string | null;
  /** The user who acts on behalf of another user. */
  real?: { account_id: string; user_id: string; session_id: string | null };
  reason?: string;
  /** A shorter lifetime than the default. */
  minutes?: number;
}

interface OpenedSession {
  access_token: string;
  expire_date: string;
  session_id: string;
}

export async function openSession(
  tx: Tx,
  owner: { account_id: string; user_id: string },
  client: Client,
  { method = 'password', second_factor = false, prove_date, real, reason = '', minutes }: SessionOptions = {},
): Promise<OpenedSession> {
  const token = secret();
  const authenticated = method === 'password' || method === 'passkey' ? tx.now : null;
  const lifetime = minutes ?? ABSOLUTE_MINUTES.customer;
  const { id, expire_date } = await tx.one<{ id: string; expire_date: string }>(sql`
    insert into sessions (token_hash, id, account_id, user_id, login_id, address, agent, method, second_factor,
                          real_account_id, real_user_id, real_session_id, reason, prove_date, create_date,
                          last_used_date, expire_date)
    select ${hashToken(token)}, ${newId()}, u.account_id, u.id, u.login_id, ${client.address},
           ${client.agent.slice(0, 300)}, ${method}, ${second_factor}, ${real?.account_id ?? null}::uuid,
           ${real?.user_id ?? null}::uuid, ${real?.session_id ?? null}::uuid, ${reason},
           ${prove_date === undefined ? authenticated : prove_date}::timestamptz, ${tx.now}, ${tx.now},
           ${tx.now}::timestamptz + make_interval(mins => case a.kind
             when 'OPERATOR' then least(${lifetime}::int, ${ABSOLUTE_MINUTES.operator}::int) else ${lifetime}::int end)
    from users u join accounts a on a.id = u.account_id
    where u.account_id = ${owner.account_id} and u.id = ${owner.user_id}
    returning id, expire_date`);
  return { access_token: token, expire_date, session_id: id };
}

export type RenewedToken = Pick<OpenedSession, 'access_token' | 'expire_date'>;

/**
 * Gives the session a new token; the old one is invalid after the commit. Throws TOKEN_INVALID if the session has
 * ended.
 */
export async function renewToken(tx: Tx, { account_id, session_id }: Actor): Promise<RenewedToken> {
  const access_token = secret();
  const session = await tx.maybeOne<{ expire_date: string }>(sql`
    update sessions set token_hash = ${hashToken(access_token)}
    where account_id = ${account_id} and id = ${session_id} and revoke_date is null
    returning expire_date`);
  if (!session) throw new Problem('TOKEN_INVALID');
  return { access_token, expire_date: session.expire_date };
}

/** At least one condition is required. The filter selects sessions that meet all of them. */
interface SessionFilter {
  login_id?: string;
  account_id?: string;
  user_id?: string;
  session_id?: string;
  /** Selects sessions in which this user acts on behalf of another user. */
  real_user_id?: string;
  except?: string | null;
}

/**
 * Also ends sessions on behalf of other users that were opened from these sessions. Returns the number of ended
 * sessions.
 */
export async function endSessions(tx: Tx, filter: SessionFilter): Promise<number> {
  const { login_id, account_id, user_id, session_id, real_user_id, except } = filter;
  const conditions: (Sql | undefined)[] = [
    login_id === undefined
      ? undefined
      : sql`(login_id = ${login_id} and real_user_id is null
            or real_user_id in (select id from users where login_id = ${login_id}))`,
    account_id === undefined ? undefined : sql`account_id = ${account_id}`,
    user_id === undefined ? undefined : sql`user_id = ${user_id}`,
    session_id === undefined ? undefined : sql`id = ${session_id}`,
    real_user_id === undefined ? undefined : sql`real_user_id = ${real_user_id}`,
  ];
  if (conditions.every((condition) => condition === undefined)) throw new Error('endSessions needs a condition');
  const ended = await end(tx, sql`${and(conditions)} and id is distinct from ${except ?? null}::uuid`);
  if (ended.length > 0) await end(tx, sql`real_session_id = any(${ended}::uuid[])`);
  return ended.length;
}

/**
 * Ends the sessions of a user in a company, and in the accounts that the user has entered: sub-accounts or, for an
 * operator, customers. Called when a user is removed and when a block ends, so that a stolen session does not open
 * again. During the block, the sessions stay, so that they report it.
 */
export async function endUserSessions(tx: Tx, account_id: string, user_id: string): Promise<void> {
  await endSessions(tx, { account_id, user_id });
  await endSessions(tx, { real_user_id: user_id });
}

async function end(tx: Tx, matching: Sql): Promise<string[]> {
  const ended = await tx.rows<{ account_id: string; user_id: string; id: string }>(sql`
    update sessions set revoke_date = ${tx.now}
    where revoke_date is null and expire_date > ${tx.now} and ${matching}
    returning account_id, user_id, id`);
  for (const session of ended)
    emit(tx, forceLogout, session.account_id, { user_id: session.user_id, session_id: session.id });
  return ended.map(({ id }) => id);
}

interface SessionRow extends Omit<Session, 'current' | 'device'> {}

/** Lists a person's sessions in all companies, except those in which someone else is acting on their behalf. */
export async function listSessions(db: Queryable, actor: Actor, now: Date): Promise<Session[]> {
  const rows = await db.rows<SessionRow>(sql`
    select s.id, a.company_name, s.method, s.second_factor, s.agent, s.address, s.create_date, s.last_used_date,
           s.expire_date
    from sessions s join accounts a on a.id = s.account_id
    where s.login_id = (select login_id from users where account_id = ${actor.account_id} and id = ${actor.user_id})
      and s.real_user_id is null and s.revoke_date is null and s.expire_date > ${now}
      and s.last_used_date > ${now}::timestamptz - make_interval(mins =>
        case a.kind when 'OPERATOR' then ${IDLE_MINUTES.operator}::int else ${IDLE_MINUTES.customer}::int end)
    order by s.id = ${actor.session_id} desc, s.last_used_date desc limit 200`);
  return rows.map((row) => ({ ...row, device: describeDevice(row.agent), current: row.id === actor.session_id }));
}

/** Throws SESSION_NOT_FOUND if the person has no such open session in any of their companies. */
export async function endOwnSession(ctx: Ctx, session_id: string): Promise<void> {
  const { tx, actor } = ctx;
  if ((await endSessions(tx, { login_id: await selectLogin(tx, actor), session_id })) === 0)
    throw new Problem('SESSION_NOT_FOUND');
  record(tx, ctx, { action: 'session.ended', target: { type: 'session', id: session_id, name: '' } });
}

export async function endOtherSessions(ctx: Ctx): Promise<{ ended: number }> {
  const { tx, actor } = ctx;
  const ended = await endSessions(tx, { login_id: await selectLogin(tx, actor), except: actor.session_id });
  if (ended > 0) record(tx, ctx, { action: 'session.others_ended', detail: { ended } });
  return { ended };
}

const selectLogin = async (tx: Tx, { account_id, user_id }: Actor): Promise<string> =>
  (
    await tx.one<{ login_id: string }>(sql`
      select login_id from users where account_id = ${account_id} and id = ${user_id}`)
  ).login_id;

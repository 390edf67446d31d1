import type { Permissions } from '@parley/contract/permission.ts';
import { type Queryable, raw, sql } from '../kernel/db/db.ts';

/** True if account `a` is open. */
const OPEN = raw("(a.close_date is null and a.status <> 'BLOCKED')");
/** True if login `l` has a confirmed address. */
const CONFIRMED = raw("l.status <> 'NEW'");

export interface Offer {
  company_name: string;
  invited_by_name: string;
  email: string;
  first_name: string;
  last_name: string;
  existing: boolean;
  expire_date: string;
  open: boolean;
}

export const selectOffer = (db: Queryable, token_hash: Buffer) =>
  db.maybeOne<Offer>(sql`
    select a.company_name, i.email, i.first_name, i.last_name, i.expire_date,
           i.status = 'PENDING' and i.expire_date > now() and ${OPEN} as open,
           exists (select 1 from logins l where lower(l.email) = lower(i.email) and ${CONFIRMED}) as existing,
           coalesce((select trim(b.first_name || ' ' || b.last_name) from users b
             where b.account_id = i.inviter_account_id and b.id = i.invited_by), '') as invited_by_name
    from invitations i join accounts a on a.id = i.account_id where i.token_hash = ${token_hash}`);

export const isOpen = async (db: Queryable, account_id: string): Promise<boolean> =>
  (await db.one<{ open: boolean }>(sql`select ${OPEN} as open from accounts a where a.id = ${account_id}`)).open;

export const selectLogin = async (db: Queryable, email: string): Promise<string | null> =>
  (
    await db.maybeOne<{ id: string }>(sql`
      select l.id from logins l where lower(l.email) = ${email.toLowerCase()} and ${CONFIRMED} for share`)
  )?.id ?? null;

/**
 * Creates a login, or takes over an unconfirmed one and removes everything that was set up in it. Returns null if the
 * address was confirmed in the meantime.
 */
export async function confirmLogin(
  db: Queryable,
  login: { id: string; email: string; password_hash: string; now: Date },
): Promise<string | null> {
  const existing = await db.maybeOne<{ id: string }>(sql`
    update logins l set password_hash = ${login.password_hash}, password_change_date = ${login.now},
      status = 'EMAIL_VERIFIED',
      phone_number = null, totp_secret = null, totp_date = null, update_date = ${login.now}
    where lower(l.email) = ${login.email.toLowerCase()} and l.status = 'NEW' returning id`);
  if (existing) {
    await db.run(sql`delete from passkeys where login_id = ${existing.id}`);
    await db.run(sql`delete from social_networks where login_id = ${existing.id}`);
    await db.run(sql`delete from recovery_codes where login_id = ${existing.id}`);
    await db.run(sql`delete from verifications where login_id = ${existing.id}`);
    await db.run(
      sql`update sessions set revoke_date = ${login.now} where login_id = ${existing.id} and revoke_date is null`,
    );
    return existing.id;
  }
  if (await selectLogin(db, login.email)) return null;
  await db.run(sql`
    insert into logins (id, email, password_hash, password_change_date, status)
    values (${login.id}, ${login.email}, ${login.password_hash}, ${login.now}, 'EMAIL_VERIFIED')`);
  return login.id;
}

export const isLinked = async (db: Queryable, account_id: string, login_id: string): Promise<boolean> =>
  (
    await db.one<{ there: boolean }>(sql`
      select exists (select 1 from users where account_id = ${account_id} and login_id = ${login_id}) as there`)
  ).there;

export const selectOtherName = (db: Queryable, login_id: string) =>
  db.maybeOne<{ first_name: string; last_name: string }>(sql`
    select first_name, last_name from users where login_id = ${login_id} order by create_date limit 1`);

export const linkLogin = (
  db: Queryable,
  account_id: string,
  id: string,
  user: { login_id: string; first_name: string; last_name: string },
) =>
  db.run(sql`
    update users set login_id = ${user.login_id}, first_name = ${user.first_name}, last_name = ${user.last_name},
      update_date = now()
    where account_id = ${account_id} and id = ${id} and login_id is null and remove_date is null`);

/** Returns the inviter, unless they were removed or blocked. */
export const findInviter = (
  db: Queryable,
  { inviter_account_id, invited_by }: { inviter_account_id: string; invited_by: string | null },
) =>
  db.maybeOne<{ email: string; first_name: string; is_owner: boolean; permissions: Permissions }>(sql`
    select email, first_name, is_owner, permissions from users
    where account_id = ${inviter_account_id} and id = ${invited_by}::uuid and remove_date is null and not blocked`);

/** Returns the session if it belongs to the person with this address. */
export const matchSession = (db: Queryable, account_id: string, id: string, email: string) =>
  db.maybeOne<{ second_factor: boolean }>(sql`
    select s.second_factor from sessions s join logins l on l.id = s.login_id
    where s.account_id = ${account_id} and s.id = ${id} and lower(l.email) = ${email.toLowerCase()} and ${CONFIRMED}`);

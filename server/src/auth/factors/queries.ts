import type { Factor } from '@parley/contract/auth/auth.ts';
import { type Queryable, raw, sql, type Tx } from '../../kernel/db/db.ts';

/** True if any of the companies of login `l` requires two-factor authentication. */
const required = raw(`exists (
  select 1 from users m join accounts b on b.id = m.account_id
  where m.login_id = l.id and b.close_date is null and (b.kind = 'OPERATOR' or b.second_factor_required))`);

/** A person's sign-in methods. */
export interface SecurityProfile {
  login_id: string;
  email: string;
  first_name: string;
  password_hash: string | null;
  totp: boolean;
  totp_date: string | null;
  recovery_codes: number;
  passkeys: number;
  social_providers: string[];
  required: boolean;
}

export const selectSecurity = (db: Queryable, account_id: string, user_id: string) =>
  db.one<SecurityProfile>(sql`
    select l.id as login_id, l.email, u.first_name, l.password_hash, l.totp_secret is not null as totp, l.totp_date,
           (select count(*)::int from recovery_codes r where r.login_id = l.id and r.use_date is null)
             as recovery_codes,
           (select count(*)::int from passkeys p where p.login_id = l.id) as passkeys,
           array(select provider from social_networks n where n.login_id = l.id) as social_providers,
           ${required} as required
    from users u join logins l on l.id = u.login_id
    where u.account_id = ${account_id} and u.id = ${user_id}`);

/**
 * The factors that can follow a password. A person whose only factor is a passkey is asked for it only if one of their
 * companies requires two-factor authentication.
 */
export const listFactors = async (db: Queryable, login_id: string): Promise<Factor[]> => {
  const row = await db.maybeOne<{ methods: Factor[] }>(sql`
    select array_remove(array[
             case when l.totp_secret is not null then 'totp' end,
             case when exists (select 1 from recovery_codes r where r.login_id = l.id and r.use_date is null)
               then 'recovery_code' end,
             case when exists (select 1 from passkeys p where p.login_id = l.id) then 'passkey' end], null) as methods
    from logins l where l.id = ${login_id} and (l.totp_secret is not null or ${required})`);
  return row?.methods ?? [];
};

/** Locks the row, so that concurrent attempts with the same code run one after the other. */
export const lockLogin = (tx: Tx, login_id: string) =>
  tx.maybeOne<{ email: string; totp_secret: string | null; totp_step: number }>(sql`
    select email, totp_secret, totp_step from logins where id = ${login_id} for update`);

export const selectEmail = (db: Queryable, login_id: string) =>
  db.one<{ email: string }>(sql`select email from logins where id = ${login_id}`);

export const setTotpStep = (tx: Tx, login_id: string, step: number) =>
  tx.run(sql`update logins set totp_step = ${step} where id = ${login_id}`);

export const setTotp = (tx: Tx, login_id: string, secret: string, step: number) =>
  tx.run(sql`
    update logins set totp_secret = ${secret}, totp_date = ${tx.now}, totp_step = ${step}, update_date = ${tx.now}
    where id = ${login_id}`);

export const removeTotp = (tx: Tx, login_id: string) =>
  tx.run(sql`
    update logins set totp_secret = null, totp_date = null, update_date = ${tx.now} where id = ${login_id}`);

/** Each session has one setup, so that a second tab or a reloaded page gets the same secret. */
export const beginSetup = (tx: Tx, account_id: string, session_id: string, sealed: string, minutes: number) =>
  tx.one<{ totp_setup: string }>(sql`
    update sessions set
      totp_setup = case when totp_setup_date > ${tx.now}::timestamptz - make_interval(mins => ${minutes})
        then totp_setup else ${sealed} end,
      totp_setup_date = ${tx.now}
    where account_id = ${account_id} and id = ${session_id}
    returning totp_setup`);

export const selectSetup = async (tx: Tx, account_id: string, session_id: string, minutes: number) =>
  (
    await tx.maybeOne<{ totp_setup: string | null }>(sql`
      select totp_setup from sessions
      where account_id = ${account_id} and id = ${session_id}
        and totp_setup_date > ${tx.now}::timestamptz - make_interval(mins => ${minutes})`)
  )?.totp_setup ?? null;

export const endSetup = (tx: Tx, account_id: string, session_id: string) =>
  tx.run(sql`
    update sessions set totp_setup = null, totp_setup_date = null, second_factor = true
    where account_id = ${account_id} and id = ${session_id}`);

export const insertRecoveryCodes = (tx: Tx, login_id: string, hashes: readonly Buffer[]) =>
  tx.run(sql`
    insert into recovery_codes (login_id, code_hash) select ${login_id}, code from unnest(${hashes}::bytea[]) as code`);

export const deleteRecoveryCodes = (tx: Tx, login_id: string) =>
  tx.run(sql`delete from recovery_codes where login_id = ${login_id}`);

/** Returns the number of unused codes that remain, or null if the code is wrong or has already been used. */
export const useRecoveryCode = async (tx: Tx, login_id: string, hash: Buffer): Promise<number | null> => {
  const used = await tx.run(sql`
    update recovery_codes set use_date = ${tx.now}
    where login_id = ${login_id} and code_hash = ${hash} and use_date is null`);
  if (used === 0) return null;
  const { remaining } = await tx.one<{ remaining: number }>(sql`
    select count(*)::int as remaining from recovery_codes where login_id = ${login_id} and use_date is null`);
  return remaining;
};

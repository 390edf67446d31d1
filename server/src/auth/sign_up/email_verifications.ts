/**
 * Codes and links sent by email, to confirm the address of a sign-up or to reset a password. A request for an address
 * without a user gets the same response and counts toward the same limits. A password reset code can be used only to
 * choose a new password.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { Problem } from '@parley/contract/problem.ts';
import { CODE_TRIES, type Verification } from '@parley/contract/verify/codes.ts';
import { secret } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { addLink, checkCode, consumeTry, markUsed, type OpenVerification } from '../../verify/verify.ts';
import { replacePassword } from '../passwords/password_change.ts';
import { hashPassword, rejectWeakPassword } from '../passwords/passwords.ts';
import { auditOrigin, type Client } from '../people/client.ts';
import { requestPasswordReset, requestSignUpCode } from '../people/code_mails.ts';
import { findPersonByEmail, findPersonByLogin, normalizeEmail } from '../people/people.ts';
import { recordInEveryCompany } from '../people/record.ts';
import { hashToken } from '../people/tokens.ts';
import { admit } from '../sign_in/admission.ts';
import { forgetSignUpPassword } from '../sign_in/sign_up_passwords.ts';
import { reserveNames } from './unconfirmed.ts';

/** Sends nothing to a confirmed address, because a code must not replace a password. */
export async function createEmailVerification(
  tx: Tx,
  kernel: Kernel,
  address: string,
  client: Client,
): Promise<Verification> {
  const email = normalizeEmail(address);
  const person = await findPersonByEmail(tx, email);
  return requestSignUpCode(tx, kernel, person?.status === 'NEW' ? person : null, client, 'refuse', email);
}

export async function createPasswordReset(
  tx: Tx,
  kernel: Kernel,
  address: string,
  client: Client,
): Promise<Verification> {
  const email = normalizeEmail(address);
  const person = await findPersonByEmail(tx, email);
  return requestPasswordReset(tx, kernel, 'password_reset', { email, login_id: person?.login_id ?? null }, client);
}

type Confirmed = SignIn & { purpose: 'sign_up' | 'password_reset'; hash: string | null };

export async function confirmEmail(kernel: Kernel, id: string, code: string, client: Client): Promise<Confirmed> {
  const purposes = ['sign_up', 'password_reset'] as const;
  const open = await consumeTry(kernel.db, kernel.clock.now(), { id, purposes });
  checkCode(kernel, open, code);
  const confirmed = await kernel.db.tx((tx) =>
    open.purpose === 'sign_up' ? confirmAddress(tx, kernel, open, client) : exchangeCode(tx, open),
  );
  if (open.purpose === 'sign_up') await reserveNames(kernel.db, open.login_id!);
  return confirmed;
}

async function confirmAddress(tx: Tx, kernel: Kernel, open: OpenVerification, client: Client): Promise<Confirmed> {
  await markUsed(tx, open.id);
  const confirmed = await tx.run(sql`
    update logins set status = 'EMAIL_VERIFIED', update_date = ${tx.now}
    where id = ${open.login_id} and status = 'NEW' and lower(email) = ${open.target}`);
  // The address has since been confirmed in another way, so this code must not sign the person in.
  if (confirmed === 0) throw new Problem('VERIFICATION_EXPIRED');
  await forgetSignUpPassword(tx, open.target);
  const person = (await findPersonByLogin(tx, open.login_id!))!;
  await recordInEveryCompany(tx, auditOrigin(client), person.login_id, {
    action: 'email.verified',
  });
  const signedIn = await admit(tx, kernel, person, client, { method: 'email' });
  return { ...signedIn, purpose: 'sign_up', hash: null };
}

/** Exchanges the code for a secret, which the page sends with the new password. */
async function exchangeCode(tx: Tx, open: OpenVerification): Promise<Confirmed> {
  const exchanged = await tx.run(sql`
    update verifications set tries = ${CODE_TRIES}, detail = detail || '{"exchanged": true}'
    where id = ${open.id} and use_date is null and not detail ? 'exchanged'`);
  if (exchanged === 0) throw new Problem('VERIFICATION_EXPIRED');
  const hash = secret();
  await addLink(tx, open.id, hashToken(hash));
  return {
    access_token: null,
    expire_date: null,
    next: null,
    verification_id: null,
    methods: [],
    email: open.target,
    purpose: 'password_reset',
    hash,
  };
}

/**
 * Sets a new password and ends all sessions. A person who can read the mailbox owns the address, so this also confirms
 * the address. It removes the identities that someone else may have attached to the unconfirmed sign-up: sign-in
 * providers, passkeys, and an authenticator.
 */
export async function resetPassword(kernel: Kernel, link: string, password: string, client: Client): Promise<void> {
  const { db } = kernel;
  const link_hash = hashToken(link);
  const isValid = (now: Date) => sql`
    link_hash = ${link_hash} and purpose = 'password_reset' and login_id is not null and use_date is null
    and expire_date > ${now}`;
  const open = await db.maybeOne<{ login_id: string }>(sql`
    select login_id from verifications where ${isValid(kernel.clock.now())}`);
  if (!open) throw new Problem('VERIFICATION_EXPIRED');
  const person = await findPersonByLogin(db, open.login_id);
  if (!person) throw new Problem('VERIFICATION_EXPIRED');
  rejectWeakPassword(password, [person.email.split('@')[0]!, person.company_name]);
  const password_hash = await hashPassword(password);
  await db.tx(async (tx) => {
    const used = await tx.run(sql`update verifications set use_date = ${tx.now} where ${isValid(tx.now)}`);
    if (used === 0) throw new Problem('VERIFICATION_EXPIRED');
    const { was_new } = await tx.one<{ was_new: boolean }>(sql`
      with before as (select id, status from logins where id = ${person.login_id} for update)
      update logins l set status = case when l.status = 'NEW' then 'EMAIL_VERIFIED' else l.status end
      from before where l.id = before.id
      returning before.status = 'NEW' as was_new`);
    await forgetSignUpPassword(tx, person.email);
    if (was_new) await removeIdentities(tx, person.login_id);
    await replacePassword(tx, kernel, auditOrigin(client), {
      ...person,
      password_hash,
      action: 'password.reset',
      except: null,
    });
  });
  await reserveNames(db, person.login_id);
}

async function removeIdentities(tx: Tx, login_id: string): Promise<void> {
  await tx.run(sql`delete from social_networks where login_id = ${login_id}`);
  await tx.run(sql`delete from passkeys where login_id = ${login_id}`);
  await tx.run(sql`delete from recovery_codes where login_id = ${login_id}`);
  await tx.run(sql`update logins set totp_secret = null, totp_date = null where id = ${login_id}`);
}

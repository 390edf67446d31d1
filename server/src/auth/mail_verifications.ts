/**
 * Codes and links that come by mail: confirming the address of a sign-up, and a password that was forgotten. What is asked for an address nobody has
 * is answered and counted just the same. A code of a password reset opens nothing but the choice of a new password.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { CODE_TRIES, type Verification } from '@parley/contract/auth/sign_up.ts';
import { Problem } from '@parley/contract/problem.ts';
import { secret } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { admit } from './admission.ts';
import { addLink, demandRight, type Open, takeTry, useUp } from './codes.ts';
import { sendReset, sendSignUpCode } from './letters.ts';
import { changePasswordOf } from './password_change.ts';
import { demandUnusual, hashPassword } from './passwords.ts';
import { normalEmail, personByEmail, personByLogin } from './people.ts';
import { recordEverywhere } from './record.ts';
import { hashToken } from './tokens.ts';
import { forgetTry, holdNames } from './unconfirmed.ts';
import { acting, type Visitor } from './visitor.ts';

/** For addresses that are confirmed, nothing is sent: a code is no way around a password. */
export async function createEmailVerification(
  tx: Tx,
  kernel: Kernel,
  address: string,
  visitor: Visitor,
): Promise<Verification> {
  const email = normalEmail(address);
  const person = await personByEmail(tx, email);
  return sendSignUpCode(tx, kernel, person?.status === 'NEW' ? person : null, visitor, 'refuse', email);
}

export async function createPasswordReset(
  tx: Tx,
  kernel: Kernel,
  address: string,
  visitor: Visitor,
): Promise<Verification> {
  const email = normalEmail(address);
  const person = await personByEmail(tx, email);
  return sendReset(tx, kernel, 'password_reset', { email, login_id: person?.login_id ?? null }, visitor);
}

type Confirmed = SignIn & { purpose: 'sign_up' | 'password_reset'; hash: string | null };

export async function confirmEmail(kernel: Kernel, id: string, code: string, visitor: Visitor): Promise<Confirmed> {
  const asked = { id, purposes: ['sign_up', 'password_reset'] as const };
  const open = await takeTry(kernel.db, kernel.clock.now(), asked);
  demandRight(kernel, open, code);
  const answer = await kernel.db.tx((tx) =>
    open.purpose === 'sign_up' ? confirmAddress(tx, kernel, open, visitor) : exchange(tx, open),
  );
  if (open.purpose === 'sign_up') await holdNames(kernel.db, open.login_id!);
  return answer;
}

async function confirmAddress(tx: Tx, kernel: Kernel, open: Open, visitor: Visitor): Promise<Confirmed> {
  await useUp(tx, open.id);
  const confirmed = await tx.run(sql`
    update logins set status = 'EMAIL_VERIFIED', update_date = ${tx.now}
    where id = ${open.login_id} and status = 'NEW' and lower(email) = ${open.target}`);
  // Confirmed by another way in the meantime, which this code would now go around.
  if (confirmed === 0) throw new Problem('VERIFICATION_EXPIRED');
  await forgetTry(tx, open.target);
  const person = (await personByLogin(tx, open.login_id!))!;
  await recordEverywhere(tx, acting(visitor), person.login_id, {
    action: 'email.verified',
  });
  const answer = await admit(tx, kernel, person, visitor, { method: 'email' });
  return { ...answer, purpose: 'sign_up', hash: null };
}

/** The code is gone; what stands for it from now on is the secret, which the page brings back with the new password. */
async function exchange(tx: Tx, open: Open): Promise<Confirmed> {
  const taken = await tx.run(sql`
    update verifications set tries = ${CODE_TRIES}, detail = detail || '{"exchanged": true}'
    where id = ${open.id} and use_date is null and not detail ? 'exchanged'`);
  if (taken === 0) throw new Problem('VERIFICATION_EXPIRED');
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
 * Ends all sessions. Whoever reads the mailbox owns the address, so it is confirmed by this; and what a stranger may have hung on it before that
 * (sign-in providers, passkeys, an authenticator) is taken off.
 */
export async function resetPassword(kernel: Kernel, link: string, password: string, visitor: Visitor): Promise<void> {
  const { db } = kernel;
  const link_hash = hashToken(link);
  const valid = (now: Date) => sql`
    link_hash = ${link_hash} and purpose = 'password_reset' and login_id is not null and use_date is null and expire_date > ${now}`;
  const open = await db.maybeOne<{ login_id: string }>(sql`
    select login_id from verifications where ${valid(kernel.clock.now())}`);
  if (!open) throw new Problem('VERIFICATION_EXPIRED');
  const person = await personByLogin(db, open.login_id);
  if (!person) throw new Problem('VERIFICATION_EXPIRED');
  demandUnusual(password, [person.email.split('@')[0]!, person.company_name]);
  const password_hash = await hashPassword(password);
  await db.tx(async (tx) => {
    const used = await tx.run(sql`update verifications set use_date = ${tx.now} where ${valid(tx.now)}`);
    if (used === 0) throw new Problem('VERIFICATION_EXPIRED');
    const { was_new } = await tx.one<{ was_new: boolean }>(sql`
      with before as (select id, status from logins where id = ${person.login_id} for update)
      update logins l set status = case when l.status = 'NEW' then 'EMAIL_VERIFIED' else l.status end
      from before where l.id = before.id
      returning before.status = 'NEW' as was_new`);
    await forgetTry(tx, person.email);
    if (was_new) await takeOff(tx, person.login_id);
    await changePasswordOf(tx, kernel, acting(visitor), {
      ...person,
      password_hash,
      action: 'password.reset',
      except: null,
    });
  });
  await holdNames(db, person.login_id);
}

async function takeOff(tx: Tx, login_id: string): Promise<void> {
  await tx.run(sql`delete from social_networks where login_id = ${login_id}`);
  await tx.run(sql`delete from passkeys where login_id = ${login_id}`);
  await tx.run(sql`delete from recovery_codes where login_id = ${login_id}`);
  await tx.run(sql`update logins set totp_secret = null, totp_date = null where id = ${login_id}`);
}

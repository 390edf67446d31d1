/**
 * Second factors belong to the person and apply in all of their companies. A code is valid once, and wrong codes delay
 * more attempts. Every change is recorded in the audit log of each of the person's companies and emailed to the
 * person. Secrets are sealed. Only `createTotp` returns a secret, and none is ever logged.
 */

import { sessionChanged } from '@parley/contract/accounts/accounts.ts';
import type { Factor } from '@parley/contract/auth/auth.ts';
import type { SecondFactors } from '@parley/contract/auth/second_factors.ts';
import { Problem } from '@parley/contract/problem.ts';
import { readPersonBrand } from '../../kernel/brand/brand.ts';
import { type Queryable, runTogether, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { type Acting, record } from '../../kernel/security/audit.ts';
import { requirePassword } from '../passwords/password_check.ts';
import { listMemberships } from '../people/people.ts';
import { clearFactorFailures, recordFactorFailure, rejectPausedFactor } from './factor_attempts.ts';
import { sendSecurityMail } from './mails.ts';
import * as queries from './queries.ts';
import { hashRecoveryCode, renewRecoveryCodes } from './recovery_codes.ts';
import { matchingStep, newTotpSecret, totpUri } from './totp.ts';

/** The time allowed between showing the QR code and entering the first code. */
const SETUP_MINUTES = 15;

const loginPlace = (id: string) => ({ table: 'logins', row: id });
const sessionPlace = (id: string) => ({ table: 'sessions', row: id });

/**
 * Returns the factors that can follow a password or a provider's sign-in. The list is empty if no second factor is
 * required.
 */
export const listFactors = (db: Queryable, login_id: string): Promise<Factor[]> => queries.listFactors(db, login_id);

/**
 * Returns true once for each correct code. Even if it returns false, the caller must commit `tx`, or the wrong code is
 * not counted. Throws SIGN_IN_ATTEMPTS_EXCEEDED after too many wrong codes, even if this code is correct.
 */
export async function checkSecondFactor(
  tx: Tx,
  kernel: Kernel,
  login_id: string,
  method: 'totp' | 'recovery_code',
  code: string,
): Promise<boolean> {
  const login = await queries.lockLogin(tx, login_id);
  if (!login) return false;
  await rejectPausedFactor(tx, login_id, tx.now);
  const isCorrect =
    method === 'totp'
      ? await useTotp(tx, kernel, login_id, login, code)
      : await useRecoveryCode(tx, kernel, login_id, login.email, code);
  if (isCorrect) await clearFactorFailures(tx, login_id);
  else await recordFactorFailure(tx, login_id, tx.now);
  return isCorrect;
}

/**
 * Distinguishes authenticator codes from recovery codes by their format, so that users can enter either in the same
 * field.
 */
export const codeMethod = (code: string): 'totp' | 'recovery_code' => (/^\d{6}$/.test(code) ? 'totp' : 'recovery_code');

async function useTotp(
  tx: Tx,
  { seals }: Kernel,
  login_id: string,
  login: { totp_secret: string | null; totp_step: number },
  code: string,
): Promise<boolean> {
  if (login.totp_secret === null) return false;
  const step = matchingStep(seals.open(login.totp_secret, loginPlace(login_id)), code, tx.now, login.totp_step);
  if (step === null) return false;
  await queries.setTotpStep(tx, login_id, step);
  return true;
}

async function useRecoveryCode(tx: Tx, kernel: Kernel, login_id: string, email: string, code: string) {
  const remaining = await queries.useRecoveryCode(tx, login_id, hashRecoveryCode(code));
  if (remaining === null) return false;
  await recordSecurityChange(tx, null, login_id, 'recovery_code.used', { left: remaining });
  await sendSecurityMail(tx, kernel, email, 'recovery_code_used', [`Remaining codes: ${remaining}.`]);
  return true;
}

/** Records the change in each of the person's companies, since a company must know how its users sign in. */
export async function recordSecurityChange(
  tx: Tx,
  acting: Acting | null,
  login_id: string,
  action: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const [memberships, { email: name }] = await runTogether(
    listMemberships(tx, login_id),
    queries.selectEmail(tx, login_id),
  );
  for (const actor of memberships) {
    record(tx, { ...acting, actor }, { action, target: { type: 'user', id: actor.user_id, name }, detail });
    emit(tx, sessionChanged, actor.account_id, { user_id: actor.user_id });
  }
}

export type Caller = Pick<Ctx, 'kernel' | 'actor' | 'address' | 'headers' | 'request_id'>;

export const readSecurity = (db: Queryable, { account_id, user_id }: Ctx['actor']): Promise<queries.SecurityProfile> =>
  queries.selectSecurity(db, account_id, user_id!);

/** Counts the connected providers that are still configured. */
export const countProviders = (
  { config }: Pick<Kernel, 'config'>,
  { social_providers }: queries.SecurityProfile,
): number => config.SIGN_IN_PROVIDERS.filter(({ id }) => social_providers.includes(id)).length;

export async function getSecondFactors(db: Queryable, actor: Ctx['actor']): Promise<SecondFactors> {
  const person = await readSecurity(db, actor);
  return {
    has_password: person.password_hash !== null,
    totp: person.totp,
    totp_date: person.totp_date,
    recovery_codes_left: person.recovery_codes,
    passkeys: person.passkeys,
    required: person.required,
  };
}

export async function createTotp({ kernel, actor }: Caller): Promise<{ secret: string; uri: string }> {
  const person = await readSecurity(kernel.db, actor);
  if (person.totp) throw new Problem('SECOND_FACTOR_EXISTS');
  const place = sessionPlace(actor.session_id!);
  const { totp_setup } = await kernel.db.tx((tx) =>
    queries.beginSetup(
      tx,
      actor.account_id,
      actor.session_id!,
      kernel.seals.seal(newTotpSecret(), place),
      SETUP_MINUTES,
    ),
  );
  const secret = kernel.seals.open(totp_setup, place);
  const brand = await readPersonBrand(kernel.db, person.email);
  return { secret, uri: totpUri(secret, brand.name, person.email) };
}

export async function confirmTotp(tx: Tx, caller: Caller, code: string): Promise<{ recovery_codes: string[] }> {
  const { kernel, actor } = caller;
  const { login_id, email } = await readSecurity(tx, actor);
  const login = await queries.lockLogin(tx, login_id);
  if (login!.totp_secret !== null) throw new Problem('SECOND_FACTOR_EXISTS');
  const sealed = await queries.selectSetup(tx, actor.account_id, actor.session_id!, SETUP_MINUTES);
  if (sealed === null) throw new Problem('VERIFICATION_EXPIRED');
  const secret = kernel.seals.open(sealed, sessionPlace(actor.session_id!));
  const step = matchingStep(secret, code, tx.now, 0);
  if (step === null) throw new Problem('SECOND_FACTOR_INVALID');
  await queries.setTotp(tx, login_id, kernel.seals.seal(secret, loginPlace(login_id)), step);
  await queries.endSetup(tx, actor.account_id, actor.session_id!);
  const recovery_codes = await renewRecoveryCodes(tx, login_id);
  await recordSecurityChange(tx, caller, login_id, 'totp.added');
  await sendSecurityMail(tx, kernel, email, 'totp_added');
  return { recovery_codes };
}

/** Requires a code in addition to the password. */
export async function removeTotp(
  caller: Caller,
  body: { current_password?: string | undefined; code: string },
): Promise<null> {
  const { kernel, actor } = caller;
  const person = await readSecurity(kernel.db, actor);
  await requirePassword(kernel, person, body.current_password, caller.address);
  const method = codeMethod(body.code);
  const removed = await kernel.db.tx(async (tx) => {
    await queries.lockLogin(tx, person.login_id);
    const { totp, passkeys, required } = await readSecurity(tx, actor);
    if (totp && passkeys === 0 && required) throw new Problem('SECOND_FACTOR_REQUIRED');
    if (!totp || !(await checkSecondFactor(tx, kernel, person.login_id, method, body.code))) return false;
    await queries.removeTotp(tx, person.login_id);
    await queries.deleteRecoveryCodes(tx, person.login_id);
    await recordSecurityChange(tx, caller, person.login_id, 'totp.removed');
    await sendSecurityMail(tx, kernel, person.email, 'totp_removed');
    return true;
  });
  // Thrown after the transaction that counted the wrong code has committed.
  if (!removed) throw new Problem('SECOND_FACTOR_INVALID');
  return null;
}

/** Recovery codes replace a lost authenticator or passkey, so the person must already have one of them. */
export async function createRecoveryCodes(caller: Caller): Promise<{ recovery_codes: string[] }> {
  const { kernel } = caller;
  const person = await readSecurity(kernel.db, caller.actor);
  return kernel.db.tx(async (tx) => {
    await queries.lockLogin(tx, person.login_id);
    const { totp, passkeys } = await readSecurity(tx, caller.actor);
    if (!totp && passkeys === 0) throw new Problem('SECOND_FACTOR_REQUIRED');
    const recovery_codes = await renewRecoveryCodes(tx, person.login_id);
    await recordSecurityChange(tx, caller, person.login_id, 'recovery_codes.renewed');
    await sendSecurityMail(tx, kernel, person.email, 'recovery_codes_renewed');
    return { recovery_codes };
  });
}

/** Sets up an authenticator without asking for a first code. Used for the demo's users. */
export async function plantTotp(
  tx: Tx,
  { seals }: Pick<Kernel, 'seals'>,
  login_id: string,
  secret: string,
): Promise<void> {
  await queries.setTotp(tx, login_id, seals.seal(secret, loginPlace(login_id)), 0);
}

/**
 * Second factors belong to the person, whatever company they are in at the moment. A code counts once, wrong ones slow down, and every change is
 * logged in each company of the person and told to the mailbox. Secrets are sealed; nothing here may log or return one but `createTotp`.
 */

import { sessionChanged } from '@parley/contract/accounts/accounts.ts';
import type { Factor } from '@parley/contract/auth/auth.ts';
import type { SecondFactors } from '@parley/contract/auth/second_factors.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, type Tx, together } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { type Acting, record } from '../kernel/security/audit.ts';
import { demandFactorFree, factorFailed, factorSucceeded } from './factor_attempts.ts';
import { membershipsOf } from './people.ts';
import { demandPassword } from './reauthentication.ts';
import { hashRecoveryCode, renewRecoveryCodes } from './recovery_codes.ts';
import { tellLocks } from './second_factor_mails.ts';
import * as queries from './second_factor_queries.ts';
import { matchingStep, newTotpSecret, totpUri } from './totp.ts';

const ISSUER = 'Parley';
/** Between seeing the QR code and giving the first code. */
const SETUP_MINUTES = 15;

const loginPlace = (id: string) => ({ table: 'logins', row: id });
const sessionPlace = (id: string) => ({ table: 'sessions', row: id });

export type { Factor };

/** What has to follow a password or a provider's word; nothing: that is enough. */
export const factorsOf = (db: Queryable, login_id: string): Promise<Factor[]> => queries.factorsOf(db, login_id);

/**
 * True once for each right code. The caller commits `tx` also when this says false, or wrong codes are not counted.
 * Problem SIGN_IN_ATTEMPTS_EXCEEDED after too many of them, whatever the code is.
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
  await demandFactorFree(tx, login_id, tx.now);
  const right =
    method === 'totp'
      ? await useTotp(tx, kernel, login_id, login, code)
      : await useRecoveryCode(tx, kernel, login_id, login.email, code);
  if (right) await factorSucceeded(tx, login_id);
  else await factorFailed(tx, login_id, tx.now);
  return right;
}

/** Nobody has to say which of the two they have typed. */
export const methodOf = (code: string): 'totp' | 'recovery_code' => (/^\d{6}$/.test(code) ? 'totp' : 'recovery_code');

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
  const left = await queries.useRecoveryCode(tx, login_id, hashRecoveryCode(code));
  if (left === null) return false;
  await logEverywhere(tx, null, login_id, 'recovery_code.used', { left });
  await tellLocks(tx, kernel, email, 'recovery_code_used', [`Codes that are left: ${left}.`]);
  return true;
}

/** In the log of every company of the person: each has to know how its people sign in. */
export async function logEverywhere(
  tx: Tx,
  who: Acting | null,
  login_id: string,
  action: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const [memberships, { email: name }] = await together(membershipsOf(tx, login_id), queries.mailboxOf(tx, login_id));
  for (const actor of memberships) {
    record(tx, { ...who, actor }, { action, target: { type: 'user', id: actor.user_id, name }, detail });
    emit(tx, sessionChanged, actor.account_id, { user_id: actor.user_id });
  }
}

export type Who = Pick<Ctx, 'kernel' | 'actor' | 'address' | 'headers' | 'request_id'>;

export const locksOf = (db: Queryable, { account_id, user_id }: Ctx['actor']): Promise<queries.Locks> =>
  queries.locksOfUser(db, account_id, user_id!);

/** Providers that are connected and still set up. */
export const socialWays = ({ config }: Pick<Kernel, 'config'>, { social_providers }: queries.Locks): number =>
  config.SIGN_IN_PROVIDERS.filter(({ id }) => social_providers.includes(id)).length;

export async function getSecondFactors(db: Queryable, actor: Ctx['actor']): Promise<SecondFactors> {
  const person = await locksOf(db, actor);
  return {
    has_password: person.password_hash !== null,
    totp: person.totp,
    totp_date: person.totp_date,
    recovery_codes_left: person.recovery_codes,
    passkeys: person.passkeys,
    required: person.required,
  };
}

export async function createTotp({ kernel, actor }: Who): Promise<{ secret: string; uri: string }> {
  const person = await locksOf(kernel.db, actor);
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
  return { secret, uri: totpUri(secret, ISSUER, person.email) };
}

export async function confirmTotp(tx: Tx, who: Who, code: string): Promise<{ recovery_codes: string[] }> {
  const { kernel, actor } = who;
  const { login_id, email } = await locksOf(tx, actor);
  const login = await queries.lockLogin(tx, login_id);
  if (login!.totp_secret !== null) throw new Problem('SECOND_FACTOR_EXISTS');
  const sealed = await queries.setupOf(tx, actor.account_id, actor.session_id!, SETUP_MINUTES);
  if (sealed === null) throw new Problem('VERIFICATION_EXPIRED');
  const secret = kernel.seals.open(sealed, sessionPlace(actor.session_id!));
  const step = matchingStep(secret, code, tx.now, 0);
  if (step === null) throw new Problem('SECOND_FACTOR_INVALID');
  await queries.setTotp(tx, login_id, kernel.seals.seal(secret, loginPlace(login_id)), step);
  await queries.endSetup(tx, actor.account_id, actor.session_id!);
  const recovery_codes = await renewRecoveryCodes(tx, login_id);
  await logEverywhere(tx, who, login_id, 'totp.added');
  await tellLocks(tx, kernel, email, 'totp_added');
  return { recovery_codes };
}

/** The code is a proof of its own beside the password. */
export async function removeTotp(
  who: Who,
  body: { current_password?: string | undefined; code: string },
): Promise<null> {
  const { kernel, actor } = who;
  const person = await locksOf(kernel.db, actor);
  await demandPassword(kernel, person, body.current_password, who.address);
  const method = methodOf(body.code);
  const removed = await kernel.db.tx(async (tx) => {
    await queries.lockLogin(tx, person.login_id);
    const { totp, passkeys, required } = await locksOf(tx, actor);
    if (totp && passkeys === 0 && required) throw new Problem('SECOND_FACTOR_REQUIRED');
    if (!totp || !(await checkSecondFactor(tx, kernel, person.login_id, method, body.code))) return false;
    await queries.removeTotp(tx, person.login_id);
    await queries.deleteRecoveryCodes(tx, person.login_id);
    await logEverywhere(tx, who, person.login_id, 'totp.removed');
    await tellLocks(tx, kernel, person.email, 'totp_removed');
    return true;
  });
  // Outside: the wrong try is counted.
  if (!removed) throw new Problem('SECOND_FACTOR_INVALID');
  return null;
}

/** They stand in for the authenticator or the passkey; with neither there is nothing to stand in for. */
export async function createRecoveryCodes(who: Who): Promise<{ recovery_codes: string[] }> {
  const { kernel } = who;
  const person = await locksOf(kernel.db, who.actor);
  return kernel.db.tx(async (tx) => {
    await queries.lockLogin(tx, person.login_id);
    const { totp, passkeys } = await locksOf(tx, who.actor);
    if (!totp && passkeys === 0) throw new Problem('SECOND_FACTOR_REQUIRED');
    const recovery_codes = await renewRecoveryCodes(tx, person.login_id);
    await logEverywhere(tx, who, person.login_id, 'recovery_codes.renewed');
    await tellLocks(tx, kernel, person.email, 'recovery_codes_renewed');
    return { recovery_codes };
  });
}

/** For installations that bring a person along (the demo): set up already, as if a code had been given. */
export async function plantTotp(
  tx: Tx,
  { seals }: Pick<Kernel, 'seals'>,
  login_id: string,
  secret: string,
): Promise<void> {
  await queries.setTotp(tx, login_id, seals.seal(secret, loginPlace(login_id)), 0);
}

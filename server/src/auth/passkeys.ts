/**
 * Passkeys (WebAuthn): a key pair on a person's device, unlocked by that device. It stands for both factors, so user verification is demanded
 * always. A challenge is good for one answer, right or wrong. What is wrong with an answer is never said.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import type { Passkey } from '@parley/contract/auth/second_factors.ts';
import { Problem } from '@parley/contract/problem.ts';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Config } from '../kernel/settings/config.ts';
import { admit } from './admission.ts';
import * as queries from './passkey_queries.ts';
import { personByLogin } from './people.ts';
import { tellLocks } from './second_factor_mails.ts';
import { lockLogin } from './second_factor_queries.ts';
import { locksOf, logEverywhere, socialWays, type Who } from './second_factors.ts';
import { visitorOf } from './visitor.ts';

const CHALLENGE_MINUTES = 5;
/** ES256, EdDSA, RS256: what every authenticator has one of. */
const ALGORITHMS = [-7, -8, -257];
const RP_NAME = 'Parley';

type Credential = Record<string, unknown>;
interface Challenge {
  id: string;
  options: Record<string, unknown>;
}

/**
 * Passkeys belong to a host name and those below it. The admin view under the app's name shares the app's; under a name of its own it has its own.
 */
export function relyingParties({ PUBLIC_URL, ADMIN_URL }: Pick<Config, 'PUBLIC_URL' | 'ADMIN_URL'>): {
  origins: string[];
  ids: string[];
  idFor(origin: string | undefined): string;
} {
  const [app, admin] = [new URL(PUBLIC_URL), new URL(ADMIN_URL)];
  // Browsers let nobody speak for a name without a dot, not even for `localhost`.
  const below = app.hostname.includes('.') && admin.hostname.endsWith(`.${app.hostname}`);
  const apart = admin.hostname !== app.hostname && !below;
  return {
    origins: [app.origin, admin.origin],
    ids: apart ? [app.hostname, admin.hostname] : [app.hostname],
    idFor: (origin) => (apart && origin === admin.origin ? admin.hostname : app.hostname),
  };
}

export const listPasskeys = async (db: Queryable, actor: Ctx['actor']): Promise<Passkey[]> =>
  queries.passkeysOf(db, (await locksOf(db, actor)).login_id);

export async function createPasskeyChallenge({ kernel, actor, headers }: Who): Promise<Challenge> {
  const person = await locksOf(kernel.db, actor);
  const known = await queries.passkeysOf(kernel.db, person.login_id);
  const options = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: relyingParties(kernel.config).idFor(headers.origin),
    userName: person.email,
    userDisplayName: person.first_name || person.email,
    userID: new Uint8Array(Buffer.from(person.login_id)),
    attestationType: 'none',
    timeout: CHALLENGE_MINUTES * 60_000,
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
  });
  return keepChallenge(kernel, person.login_id, { ...options });
}

/** Says nothing of anybody: which passkeys there are only the device knows. */
export async function createSignInChallenge(kernel: Kernel, headers: Ctx['headers']): Promise<Challenge> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParties(kernel.config).idFor(headers.origin),
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: 'required',
  });
  return keepChallenge(kernel, null, { ...options });
}

async function keepChallenge(
  kernel: Kernel,
  login_id: string | null,
  options: { challenge: string } & Record<string, unknown>,
): Promise<Challenge> {
  const id = newId();
  await queries.insertChallenge(kernel.db, {
    id,
    login_id,
    challenge: options.challenge,
    now: kernel.clock.now(),
    minutes: CHALLENGE_MINUTES,
  });
  return { id, options };
}

export async function createPasskey(
  who: Who,
  body: { challenge_id: string; name: string; credential: Credential },
): Promise<Passkey> {
  const { kernel, actor } = who;
  const { login_id, email } = await locksOf(kernel.db, actor);
  const challenge = await queries.takeChallenge(kernel.db, body.challenge_id, login_id, kernel.clock.now());
  if (!challenge) throw new Problem('PASSKEY_INVALID');
  const { origins, ids } = relyingParties(kernel.config);
  const proof = await verifyRegistrationResponse({
    response: body.credential as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: ids,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!proof?.verified) throw new Problem('PASSKEY_INVALID');
  const { id, publicKey, counter, transports = [] } = proof.registrationInfo.credential;
  return kernel.db.tx(async (tx) => {
    await lockLogin(tx, login_id);
    const passkey = await queries.insertPasskey(tx, {
      id: newId(),
      login_id,
      credential_id: id,
      public_key: publicKey,
      counter,
      transports: transports.map(String).slice(0, 10),
      name: body.name,
    });
    if (!passkey) throw new Problem('PASSKEY_INVALID');
    await queries.markSecondFactor(tx, actor.account_id, actor.session_id!);
    await logEverywhere(tx, who, login_id, 'passkey.added', { name: body.name });
    await tellLocks(tx, kernel, email, 'passkey_added', [`Its name: ${body.name}`]);
    return passkey;
  });
}

export async function removePasskey(tx: Tx, who: Who, id: string): Promise<null> {
  const { login_id } = await locksOf(tx, who.actor);
  await lockLogin(tx, login_id);
  const person = await locksOf(tx, who.actor);
  const removed = await queries.deletePasskey(tx, login_id, id);
  if (!removed) throw new Problem('PASSKEY_NOT_FOUND');
  const last = person.passkeys === 1;
  if (last && person.required && !person.totp) throw new Problem('SECOND_FACTOR_REQUIRED');
  if (last && person.password_hash === null && socialWays(who.kernel, person) === 0)
    throw new Problem('LAST_SIGN_IN_METHOD');
  await logEverywhere(tx, who, login_id, 'passkey.removed', { name: removed.name });
  await tellLocks(tx, who.kernel, person.email, 'passkey_removed', [`Its name: ${removed.name}`]);
  return null;
}

interface Given {
  challenge_id: string;
  credential: Credential;
}
interface Answered {
  passkey_id: string;
  login_id: string;
  counter: number;
}

/** Whose passkey answered; null for anything that is not right. It counts once `countPasskey` says so: a copied key lags behind. */
export async function readAnswer(kernel: Kernel, { challenge_id, credential }: Given): Promise<Answered | null> {
  const challenge = await queries.takeChallenge(kernel.db, challenge_id, null, kernel.clock.now());
  const { id } = credential;
  const stored = challenge && typeof id === 'string' ? await queries.passkeyByCredential(kernel.db, id) : null;
  if (!challenge || !stored) return null;
  const { origins, ids } = relyingParties(kernel.config);
  const proof = await verifyAuthenticationResponse({
    response: credential as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: ids,
    requireUserVerification: true,
    credential: {
      id: stored.credential_id,
      publicKey: new Uint8Array(stored.public_key),
      counter: stored.counter,
    },
  }).catch(() => null);
  if (!proof?.verified) return null;
  return { passkey_id: stored.id, login_id: stored.login_id, counter: proof.authenticationInfo.newCounter };
}

export const countPasskey = (tx: Tx, { passkey_id, counter }: Answered): Promise<boolean> =>
  queries.usePasskey(tx, passkey_id, counter);

export async function signInWithPasskey(
  who: Pick<Ctx, 'kernel' | 'address' | 'headers' | 'request_id'>,
  body: Given,
): Promise<SignIn> {
  const { kernel } = who;
  const answer = await readAnswer(kernel, body);
  if (!answer) throw new Problem('PASSKEY_INVALID');
  return kernel.db.tx(async (tx) => {
    if (!(await countPasskey(tx, answer))) throw new Problem('PASSKEY_INVALID');
    const person = await personByLogin(tx, answer.login_id);
    return admit(tx, kernel, person!, visitorOf(who), { method: 'passkey', second_factor: true });
  });
}

/**
 * Passkeys (WebAuthn): a key pair on a person's device, unlocked by that device. A passkey counts as both factors, so
 * user verification is always required. Any answer uses up the challenge, whether or not it is correct. The response
 * never says why an answer was refused.
 */
import type { Passkey } from '@parley/contract/auth/second_factors.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { readPersonBrand } from '../../kernel/brand/brand.ts';
import { newId } from '../../kernel/clock.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Config } from '../../kernel/settings/config.ts';
import { type Caller, countProviders, readSecurity, recordSecurityChange } from './factors.ts';
import { sendSecurityMail } from './mails.ts';
import * as queries from './passkey_queries.ts';
import { lockLogin } from './queries.ts';

/** The library has 300 modules, a fifth of all modules of a process, so it loads with the first passkey. */
const loadWebauthn = () => import('@simplewebauthn/server');

const CHALLENGE_MINUTES = 5;
/** ES256, EdDSA, and RS256. Every authenticator supports at least one of them. */
const ALGORITHMS = [-7, -8, -257];

type Credential = Record<string, unknown>;
interface Challenge {
  id: string;
  options: Record<string, unknown>;
}

/**
 * A passkey is valid for a host name and its subdomains. The admin view shares the app's passkeys if it is on a
 * subdomain of the app's host.
 */
export function relyingParties({ PUBLIC_URL, ADMIN_URL }: Pick<Config, 'PUBLIC_URL' | 'ADMIN_URL'>): {
  origins: string[];
  ids: string[];
  idFor(origin: string | undefined): string;
} {
  const [app, admin] = [new URL(PUBLIC_URL), new URL(ADMIN_URL)];
  // For a host name without a dot, such as `localhost`, browsers do not accept subdomains.
  const isSubdomain = app.hostname.includes('.') && admin.hostname.endsWith(`.${app.hostname}`);
  const isSeparate = admin.hostname !== app.hostname && !isSubdomain;
  return {
    origins: [app.origin, admin.origin],
    ids: isSeparate ? [app.hostname, admin.hostname] : [app.hostname],
    idFor: (origin) => (isSeparate && origin === admin.origin ? admin.hostname : app.hostname),
  };
}

export const listPasskeys = async (db: Queryable, actor: Ctx['actor']): Promise<Passkey[]> =>
  queries.selectPasskeys(db, (await readSecurity(db, actor)).login_id);

export async function createPasskeyChallenge({ kernel, actor, headers }: Caller): Promise<Challenge> {
  const person = await readSecurity(kernel.db, actor);
  const existing = await queries.selectPasskeys(kernel.db, person.login_id);
  const brand = await readPersonBrand(kernel.db, person.email);
  const { generateRegistrationOptions } = await loadWebauthn();
  const options = await generateRegistrationOptions({
    rpName: brand.name,
    rpID: relyingParties(kernel.config).idFor(headers.origin),
    userName: person.email,
    userDisplayName: person.first_name || person.email,
    userID: new Uint8Array(Buffer.from(person.login_id)),
    attestationType: 'none',
    timeout: CHALLENGE_MINUTES * 60_000,
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: existing.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
  });
  return saveChallenge(kernel, person.login_id, { ...options });
}

/**
 * Creates the same challenge options for every client, so that they reveal nothing. Only the device knows which
 * passkeys it has.
 */
export async function createSignInChallenge(kernel: Kernel, headers: Ctx['headers']): Promise<Challenge> {
  const { generateAuthenticationOptions } = await loadWebauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParties(kernel.config).idFor(headers.origin),
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: 'required',
  });
  return saveChallenge(kernel, null, { ...options });
}

async function saveChallenge(
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
  caller: Caller,
  body: { challenge_id: string; name: string; credential: Credential },
): Promise<Passkey> {
  const { kernel, actor } = caller;
  const { login_id, email } = await readSecurity(kernel.db, actor);
  const challenge = await queries.consumeChallenge(kernel.db, body.challenge_id, login_id, kernel.clock.now());
  if (!challenge) throw new Problem('PASSKEY_INVALID');
  const { origins, ids } = relyingParties(kernel.config);
  const { verifyRegistrationResponse } = await loadWebauthn();
  const verification = await verifyRegistrationResponse({
    response: body.credential as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: ids,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!verification?.verified) throw new Problem('PASSKEY_INVALID');
  const { id, publicKey, counter, transports = [] } = verification.registrationInfo.credential;
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
    await recordSecurityChange(tx, caller, login_id, 'passkey.added', { name: body.name });
    await sendSecurityMail(tx, kernel, email, 'passkey_added', [`Name: ${body.name}`]);
    return passkey;
  });
}

export async function removePasskey(tx: Tx, caller: Caller, id: string): Promise<null> {
  const { login_id } = await readSecurity(tx, caller.actor);
  await lockLogin(tx, login_id);
  const person = await readSecurity(tx, caller.actor);
  const removed = await queries.deletePasskey(tx, login_id, id);
  if (!removed) throw new Problem('PASSKEY_NOT_FOUND');
  const isLast = person.passkeys === 1;
  if (isLast && person.required && !person.totp) throw new Problem('SECOND_FACTOR_REQUIRED');
  if (isLast && person.password_hash === null && countProviders(caller.kernel, person) === 0)
    throw new Problem('LAST_SIGN_IN_METHOD');
  await recordSecurityChange(tx, caller, login_id, 'passkey.removed', { name: removed.name });
  await sendSecurityMail(tx, caller.kernel, person.email, 'passkey_removed', [`Name: ${removed.name}`]);
  return null;
}

export interface PasskeyAnswer {
  challenge_id: string;
  credential: Credential;
}
interface VerifiedAnswer {
  passkey_id: string;
  login_id: string;
  counter: number;
}

/**
 * Verifies a passkey answer. Returns null if any part of it is invalid. The caller must also call `countPasskey`, which
 * detects a copied key by its counter.
 */
export async function readAnswer(
  kernel: Kernel,
  { challenge_id, credential }: PasskeyAnswer,
): Promise<VerifiedAnswer | null> {
  const challenge = await queries.consumeChallenge(kernel.db, challenge_id, null, kernel.clock.now());
  const { id } = credential;
  const stored = challenge && typeof id === 'string' ? await queries.selectPasskeyByCredential(kernel.db, id) : null;
  if (!challenge || !stored) return null;
  const { origins, ids } = relyingParties(kernel.config);
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const verification = await verifyAuthenticationResponse({
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
  if (!verification?.verified) return null;
  return { passkey_id: stored.id, login_id: stored.login_id, counter: verification.authenticationInfo.newCounter };
}

export const countPasskey = (tx: Tx, { passkey_id, counter }: VerifiedAnswer): Promise<boolean> =>
  queries.advanceCounter(tx, passkey_id, counter);

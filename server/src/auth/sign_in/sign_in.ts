/**
 * Signs people in with a password, and checks the second step. A wrong password and an unknown address get the same
 * refusal after the same amount of work.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { Problem } from '@parley/contract/problem.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { record } from '../../kernel/security/audit.ts';
import { consumeTry, markUsed, wireTime } from '../../verify/verify.ts';
import { checkSecondFactor } from '../factors/factors.ts';
import * as attempts from '../passwords/attempts.ts';
import { hashPassword, isOutdated, verifyEither } from '../passwords/passwords.ts';
import type { Client } from '../people/client.ts';
import { findPersonByEmail, findPersonInAccount, normalizeEmail } from '../people/people.ts';
import { endSessions } from '../sessions/sessions.ts';
import { type Authentication, admit } from './admission.ts';
import { failedSignIn } from './failed_sign_ins.ts';
import { readSignUpPassword, repeatSignUp } from './sign_up_passwords.ts';

interface Credentials {
  email: string;
  password: string;
}

/** Runs outside a transaction, because hashing takes long and failures must be counted. */
export async function signIn(kernel: Kernel, credentials: Credentials, client: Client): Promise<SignIn> {
  const { db } = kernel;
  const email = normalizeEmail(credentials.email);
  let paused = false;
  const person = await findPersonByEmail(db, email);
  const sign_up_hash = await readSignUpPassword(db, email);
  // While an address is unconfirmed, only the password of its latest sign-up counts, just as it would for an address
  // that belongs to another user.
  const isReplaced = person?.status === 'NEW' && sign_up_hash !== null && sign_up_hash !== person.password_hash;
  const own_hash = isReplaced ? null : (person?.password_hash ?? null);
  const matches = await verifyEither(own_hash, sign_up_hash, credentials.password, {
    before: () => attempts.rejectPaused(db, email, client.address),
    onFailure: async () => {
      paused = await attempts.recordFailure(db, email, client.address);
    },
  });
  if (!matches.own && matches.sign_up)
    return db.tx((tx) => repeatSignUp(tx, kernel, email, person?.login_id ?? null, client));
  if (!person || !matches.own) {
    // This job is also enqueued for unknown addresses. The job determines whether there is anything to record.
    const at = wireTime(kernel.clock.now());
    await db.tx((tx) => enqueue(tx, failedSignIn, { email, paused, visitor: client, at }));
    throw new Problem('CREDENTIALS_INVALID');
  }
  await renewHash(kernel, person.login_id, person.password_hash!, credentials.password);
  return db
    .tx((tx) => admit(tx, kernel, person, client, { method: 'password' }))
    .catch(async (error: unknown) => {
      // A blocked user's sign-in attempt with the correct password is recorded in their company's audit log.
      if (error instanceof Problem && error.name === 'USER_BLOCKED') {
        const at = wireTime(kernel.clock.now());
        await db.tx((tx) => enqueue(tx, failedSignIn, { email, paused: false, blocked: true, visitor: client, at }));
      }
      throw error;
    });
}

/** Rehashes the password with the current parameters, unless it was changed in the meantime. */
async function renewHash({ db }: Kernel, login_id: string, old_hash: string, password: string): Promise<void> {
  if (!isOutdated(old_hash)) return;
  const password_hash = await hashPassword(password);
  await db.run(sql`
    update logins set password_hash = ${password_hash} where id = ${login_id} and password_hash = ${old_hash}`);
}

/**
 * Checks the second step of a sign-in. It first uses up one attempt, and it counts a wrong code in a transaction that
 * commits, so that there are never more than five attempts. The first factor is valid for one session. Throws
 * SECOND_FACTOR_INVALID.
 */
export async function verifyLogin(
  kernel: Kernel,
  id: string,
  { method, code }: { method: 'totp' | 'recovery_code'; code: string },
  client: Client,
): Promise<SignIn> {
  const open = await consumeTry(kernel.db, kernel.clock.now(), { id, purposes: ['login'] });
  const signedIn = await kernel.db.tx(async (tx) => {
    if (!(await checkSecondFactor(tx, kernel, open.login_id!, method, code))) return null;
    await markUsed(tx, open.id);
    const person = await findPersonInAccount(tx, open.login_id!, open.account_id!);
    if (!person) throw new Problem('ACCOUNT_CLOSED');
    const first = open.detail.method as Authentication['method'];
    return admit(tx, kernel, person, client, { method: first, second_factor: true });
  });
  if (signedIn) return signedIn;
  const at = wireTime(kernel.clock.now());
  await kernel.db.tx((tx) =>
    enqueue(tx, failedSignIn, { email: normalizeEmail(open.target), paused: false, visitor: client, at }),
  );
  throw new Problem('SECOND_FACTOR_INVALID');
}

export async function signOut(ctx: Ctx): Promise<void> {
  const { tx, actor } = ctx;
  if (!actor.session_id) return;
  await endSessions(tx, { account_id: actor.account_id, session_id: actor.session_id });
  record(tx, ctx, { action: 'session.signed_out' });
}

/** Reads `Basic base64(email:password)`. Returns null for anything else. */
export function readBasic(header: string | undefined): Credentials | null {
  const encoded = /^Basic ([A-Za-z0-9+/=_-]{1,2000})$/i.exec(header ?? '')?.[1];
  if (!encoded) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0 || text.includes('\0') || !text.isWellFormed()) return null;
  return { email: text.slice(0, colon), password: text.slice(colon + 1, colon + 1 + 1024) };
}

/** Signing in with a password, and its second step. Wrong password and unknown address are one refusal, made by the same work. */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { Problem } from '@parley/contract/problem.ts';
import { sql } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { record } from '../kernel/security/audit.ts';
import { admit, type Proof } from './admission.ts';
import * as attempts from './attempts.ts';
import { takeTry, useUp } from './codes.ts';
import { failedSignIn } from './jobs.ts';
import { hashPassword, isOutdated, verifyEither } from './passwords.ts';
import { normalEmail, personByEmail, personIn } from './people.ts';
import { checkSecondFactor } from './second_factors.ts';
import { endSessions } from './sessions.ts';
import { answerAlike } from './sign_up.ts';
import { triedPassword } from './unconfirmed.ts';
import { type Visitor, wireTime } from './visitor.ts';

export interface Credentials {
  email: string;
  password: string;
}

/** Outside of a transaction: hashing takes long, and failures must be remembered. */
export async function signIn(kernel: Kernel, credentials: Credentials, visitor: Visitor): Promise<SignIn> {
  const { db } = kernel;
  const email = normalEmail(credentials.email);
  let paused = false;
  const person = await personByEmail(db, email);
  const tried = await triedPassword(db, email);
  // Of a mailbox nobody has proven the password that was typed last counts: so it is for an address that somebody has.
  const own =
    person?.status === 'NEW' && tried !== null && tried !== person.password_hash ? null : person?.password_hash;
  const right = await verifyEither(own ?? null, tried, credentials.password, {
    before: () => attempts.demandFree(db, email, visitor.address),
    wrong: async () => {
      paused = await attempts.failed(db, email, visitor.address);
    },
  });
  if (!right.own && right.typed)
    return db.tx((tx) => answerAlike(tx, kernel, email, person?.login_id ?? null, visitor));
  if (!person || !right.own) {
    // Known or not: whether there is anything to write down is found out later.
    const at = wireTime(kernel.clock.now());
    await db.tx((tx) => enqueue(tx, failedSignIn, { email, paused, visitor, at }));
    throw new Problem('CREDENTIALS_INVALID');
  }
  await renewHash(kernel, person.login_id, person.password_hash!, credentials.password);
  return db
    .tx((tx) => admit(tx, kernel, person, visitor, { method: 'password' }))
    .catch(async (error: unknown) => {
      // Who is shut out and has the right password: their company's log says so.
      if (error instanceof Problem && error.name === 'USER_BLOCKED') {
        const at = wireTime(kernel.clock.now());
        await db.tx((tx) => enqueue(tx, failedSignIn, { email, paused: false, blocked: true, visitor, at }));
      }
      throw error;
    });
}

// Only where the old one still stands: a password changed in between stays changed.
async function renewHash({ db }: Kernel, login_id: string, old: string, password: string): Promise<void> {
  if (!isOutdated(old)) return;
  const password_hash = await hashPassword(password);
  await db.run(sql`
    update logins set password_hash = ${password_hash} where id = ${login_id} and password_hash = ${old}`);
}

/**
 * The second step. A try is used up first and a wrong code counted in a transaction that commits, so that five tries are five. The first factor is
 * proven once for one session. Problem SECOND_FACTOR_INVALID.
 */
export async function verifyLogin(
  kernel: Kernel,
  id: string,
  { method, code }: { method: 'totp' | 'recovery_code'; code: string },
  visitor: Visitor,
): Promise<SignIn> {
  const open = await takeTry(kernel.db, kernel.clock.now(), { id, purposes: ['login'] });
  const answer = await kernel.db.tx(async (tx) => {
    const right = await checkSecondFactor(tx, kernel, open.login_id!, method, code);
    if (!right) return null;
    await useUp(tx, open.id);
    const person = await personIn(tx, open.login_id!, open.account_id!);
    if (!person) throw new Problem('ACCOUNT_CLOSED');
    const proof: Proof = { method: open.detail.method as Proof['method'], second_factor: true };
    return admit(tx, kernel, person, visitor, proof);
  });
  if (answer) return answer;
  const at = wireTime(kernel.clock.now());
  await kernel.db.tx((tx) =>
    enqueue(tx, failedSignIn, { email: normalEmail(open.target), paused: false, visitor, at }),
  );
  throw new Problem('SECOND_FACTOR_INVALID');
}

export async function signOut(ctx: Ctx): Promise<void> {
  const { tx, actor } = ctx;
  if (!actor.session_id) return;
  await endSessions(tx, { account_id: actor.account_id, session_id: actor.session_id });
  record(tx, ctx, { action: 'session.signed_out' });
}

/** `Basic base64(email:password)`; null when it is something else. */
export function readBasic(header: string | undefined): Credentials | null {
  const encoded = /^Basic ([A-Za-z0-9+/=_-]{1,2000})$/i.exec(header ?? '')?.[1];
  if (!encoded) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0') || !text.isWellFormed()) return null;
  return { email: text.slice(0, colon), password: text.slice(colon + 1, colon + 1 + 1024) };
}

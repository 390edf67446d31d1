/**
 * Signing in and knowing who calls. Tokens are opaque and stored hashed; every request looks its session up, so that a revoked token, a
 * blocked user or a changed right counts at the very next call. Answers never tell whether an address exists.
 */
import { hash, verify } from '@node-rs/argon2';
import { sessionChanged } from '@parley/contract/accounts.ts';
import type { SignIn as SignInAnswer } from '@parley/contract/auth.ts';
import { allPermissions, type Permissions } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Actor, Gate } from '../kernel/auth.ts';
import { newId, secret } from '../kernel/clock.ts';
import type { Db, Tx } from '../kernel/db.ts';
import { emit } from '../kernel/events.ts';
import * as attempts from './attempts.ts';
import * as queries from './queries.ts';
import { hashToken } from './tokens.ts';

export { hashToken };

/** A session ends after this long without a request, and at the latest after the second. */
export const IDLE_HOURS = 12;
export const ABSOLUTE_DAYS = 30;
const TOUCH_AFTER_MS = 60_000;

// OWASP's first recommendation for argon2id; raising it re-hashes at the next sign-in.
const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Hashing is the one expensive thing a stranger can ask for: no more at once than cores, the rest waits.
const MOST_HASHES = 2;
let hashing = 0;
const waiting: (() => void)[] = [];

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (hashing >= MOST_HASHES) await new Promise<void>((resolve) => waiting.push(resolve));
  hashing++;
  try {
    return await work();
  } finally {
    hashing--;
    waiting.shift()?.();
  }
}

export const hashPassword = (password: string): Promise<string> => bounded(() => hash(password, ARGON));

// Verified against when there is no such user, so that both refusals take equally long.
let decoy: Promise<string> | undefined;

export interface Visitor {
  address: string;
  agent: string;
}

/** Opens a session. Wrong password and unknown address are one refusal; "blocked" is only said after a right password. */
export async function signIn(
  db: Db,
  credentials: { email: string; password: string },
  visitor: Visitor,
): Promise<SignInAnswer> {
  const email = credentials.email.trim().toLowerCase();
  await attempts.demandFree(db, email, visitor.address);
  const user = await queries.userByEmail(db, email);
  decoy ??= hashPassword(secret());
  const right = await bounded(async () => verify(user?.password_hash ?? (await decoy!), credentials.password));
  if (!user || !right) {
    await attempts.failed(db, email, visitor.address);
    throw new Problem(1120);
  }
  if (user.blocked || user.account_status === 'BLOCKED') {
    attempts.refused('blocked');
    throw new Problem(1135);
  }
  return db.tx(async (tx) => {
    await attempts.succeeded(tx, email);
    const session = await openSession(tx, { account_id: user.account_id, user_id: user.id }, visitor);
    return { ...session, next: null, verification_id: null, methods: [], email };
  });
}

export async function openSession(
  tx: Tx,
  owner: { account_id: string; user_id: string },
  visitor: Visitor,
): Promise<{ access_token: string; expire_date: string }> {
  const token = secret();
  const expires = new Date(tx.now.getTime() + ABSOLUTE_DAYS * 86_400_000);
  await queries.insertSession(tx, { ...owner, id: newId(), token_hash: hashToken(token), expires, ...visitor });
  return { access_token: token, expire_date: expires.toISOString().slice(0, 19).replace('T', ' ') };
}

export async function signOut(tx: Tx, actor: Actor): Promise<void> {
  if (actor.session_id) await queries.revokeSession(tx, actor.account_id, actor.session_id);
  emit(tx, sessionChanged, actor.account_id, { user_id: actor.user_id });
}

/** An operator in somebody's name may do what is needed to help: everything but the keys, and no uploads taken away. */
const IMPERSONATED: Permissions = { ...allPermissions(), KEYS: 0, MEDIA: 3 };

function permissionsOf(session: queries.SessionRow): Permissions {
  if (session.method === 'impersonation') return IMPERSONATED;
  return session.is_owner ? allPermissions() : session.permissions;
}

export function gate(db: Db): Gate {
  return {
    async bearer(token) {
      const session = await queries.sessionByToken(db, hashToken(token), IDLE_HOURS);
      if (!session) return null;
      if (session.blocked || session.account_status === 'BLOCKED') throw new Problem(1135);
      if (session.idle_ms > TOUCH_AFTER_MS) await queries.touchSession(db, session.account_id, session.session_id);
      return {
        kind: 'user',
        account_id: session.account_id,
        user_id: session.user_id,
        real_user_id: session.real_user_id,
        session_id: session.session_id,
        key_id: null,
        permissions: permissionsOf(session),
        operator: session.account_kind === 'OPERATOR',
        verified: session.account_status === 'VERIFIED',
        pending: session.is_owner && session.login_status === 'EMAIL_VERIFIED' ? 'phone' : null,
        trial_expired: session.trial_expired,
      };
    },
    async key(key) {
      const found = await queries.keyByHash(db, hashToken(key));
      if (!found) return null;
      if (found.account_status === 'BLOCKED') throw new Problem(1135);
      if (found.unused_ms === null || found.unused_ms > TOUCH_AFTER_MS)
        await queries.touchKey(db, found.account_id, found.id);
      return {
        kind: 'key',
        account_id: found.account_id,
        user_id: null,
        real_user_id: null,
        session_id: null,
        key_id: found.id,
        permissions: found.permissions,
        operator: false,
        verified: found.account_status === 'VERIFIED',
        pending: null,
        trial_expired: found.trial_expired,
      };
    },
  };
}

/** `Basic base64(email:password)`; null when it is something else. */
export function readBasic(header: string | undefined): { email: string; password: string } | null {
  const encoded = /^Basic ([A-Za-z0-9+/=_-]{1,2000})$/i.exec(header ?? '')?.[1];
  if (!encoded) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0') || !text.isWellFormed()) return null;
  return { email: text.slice(0, colon), password: text.slice(colon + 1, colon + 1 + 1024) };
}

export type { Permissions };

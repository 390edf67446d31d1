/**
 * Authenticates every request from the database, so that a revoked token, a blocked user, or a changed permission takes
 * effect at the next request. If one user acts on behalf of another, the acting user is checked as well.
 */
import { allPermissions, type Permissions, permits, RESOURCES } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Db, Queryable } from '../../kernel/db/db.ts';
import { Gather } from '../../kernel/db/gather.ts';
import { allowsAddress } from '../../kernel/security/address_list.ts';
import { isIntact } from '../../kernel/security/api_key.ts';
import { type Actor, type Gate, RefusedKey } from '../../kernel/security/auth.ts';
import { hashToken } from '../people/tokens.ts';
import * as queries from './gate_queries.ts';
import { IDLE_MINUTES } from './sessions.ts';

const TOUCH_AFTER_MS = 60_000;

/** Support may do everything in a customer's account except manage API keys and delete uploads. */
const IMPERSONATED: Permissions = { ...allPermissions(), KEYS: 0, MEDIA: 3 };

function effectivePermissions(session: queries.SessionRow): Permissions {
  if (session.method === 'impersonation') return IMPERSONATED;
  const own = session.is_owner ? allPermissions() : session.permissions;
  // In a sub-account, users have no more permissions than they have in the parent company.
  if (session.method === 'switch' && session.real_user_id !== null && !session.real_is_owner)
    return Object.fromEntries(
      RESOURCES.map((resource) => [resource, (own[resource] ?? 0) & (session.real_permissions?.[resource] ?? 0)]),
    );
  return own;
}

/** False if an operator or a user of the parent company has lost the permission to enter the account. */
const canStillAct = ({ real_user_id, real_is_owner, real_permissions }: queries.SessionRow): boolean =>
  real_user_id === null || real_is_owner === true || permits(real_permissions ?? {}, 'ACCOUNTS:edit');

function pendingStep(session: queries.SessionRow): Actor['pending'] {
  // A user who acts on behalf of another user has already completed these steps for their own session.
  if (session.real_user_id !== null) return null;
  // Operators have no phone step. The first one sets up the connection that carries the codes.
  const hasPhoneStep = session.is_owner && session.account_kind !== 'OPERATOR';
  if (hasPhoneStep && session.login_status === 'EMAIL_VERIFIED') return 'phone';
  return session.second_factor_required && !session.second_factor ? 'second_factor' : null;
}

const isBlocked = ({ blocked, account_status, real_blocked }: queries.SessionRow): boolean =>
  blocked || account_status === 'BLOCKED' || real_blocked === true;

const toActor = (session: queries.SessionRow): Actor => ({
  kind: 'user',
  account_id: session.account_id,
  user_id: session.user_id,
  real_user_id: session.real_user_id,
  session_id: session.session_id,
  key_id: null,
  permissions: effectivePermissions(session),
  operator: session.account_kind === 'OPERATOR',
  verified: session.account_status === 'VERIFIED',
  pending: pendingStep(session),
  trial_expired: session.trial_expired,
});

/** Returns the caller that acts as a user without a session of theirs; null if the user is blocked or removed. */
export async function findUserActor(db: Queryable, account_id: string, user_id: string): Promise<Actor | null> {
  const user = await queries.findUser(db, account_id, user_id);
  if (!user) return null;
  return {
    kind: 'user',
    account_id,
    user_id,
    real_user_id: null,
    session_id: null,
    key_id: null,
    permissions: user.is_owner ? allPermissions() : user.permissions,
    operator: false,
    verified: user.account_status === 'VERIFIED',
    pending: null,
    trial_expired: user.trial_expired,
  };
}

/** Messages of test keys reach no phone, so they need no approval. */
const approvalLimits = ({ test, approval_recipients, approval_micros }: queries.KeyRow): Actor['approval'] =>
  test || (approval_recipients === null && approval_micros === null)
    ? null
    : { recipients: approval_recipients, micros: approval_micros };

/** Requests that arrive during a lookup share the next one. */
const LOOKUPS = { max: 200, at_once: 1 };

/** Returns a lookup by hash. Each lookup starts after its request has arrived, so it never misses a revocation. */
function gatherLookups<Row>(
  read: (hashes: readonly Buffer[]) => Promise<Row[]>,
  hashIn: (row: Row) => Buffer,
): (hash: Buffer) => Promise<Row | null> {
  const gather = new Gather<Buffer, Row | null>(async (hashes) => {
    const distinct = new Map(hashes.map((hash) => [hash.toString('base64'), hash]));
    const rows = new Map((await read([...distinct.values()])).map((row) => [hashIn(row).toString('base64'), row]));
    return hashes.map((hash) => rows.get(hash.toString('base64')) ?? null);
  }, LOOKUPS);
  return (hash) => gather.add(hash);
}

export function gate(db: Db): Gate {
  const findSession = gatherLookups<queries.SessionRow>(
    (hashes) => queries.listSessionsByToken(db, hashes, db.clock.now(), IDLE_MINUTES),
    (row) => row.token_hash,
  );
  const findKey = gatherLookups<queries.KeyRow>(
    (hashes) => queries.listKeysByHash(db, hashes, db.clock.now()),
    (row) => row.key_hash,
  );
  return {
    async bearer(token, { unattended = false } = {}) {
      const session = await findSession(hashToken(token));
      if (!session) return null;
      if (isBlocked(session)) throw new Problem('USER_BLOCKED');
      if (!canStillAct(session)) return null;
      if (session.idle_ms > TOUCH_AFTER_MS && !unattended)
        await queries.touchSession(db, session.account_id, session.session_id, db.clock.now());
      return toActor(session);
    },
    bearers(tokens) {
      return Promise.all(
        tokens.map(async (token) => {
          const session = await findSession(hashToken(token));
          return session && !isBlocked(session) && canStillAct(session) ? toActor(session) : null;
        }),
      );
    },
    async key(key, address) {
      if (!isIntact(key)) return null;
      const row = await findKey(hashToken(key));
      if (!row) return null;
      if (row.account_status === 'BLOCKED') throw new Problem('USER_BLOCKED');
      if (row.expired) throw new RefusedKey('API_KEY_EXPIRED', row);
      if (!allowsAddress(row.addresses, address)) throw new RefusedKey('API_KEY_ADDRESS_NOT_ALLOWED', row);
      const isStale = row.unused_ms === null || row.unused_ms > TOUCH_AFTER_MS || row.last_used_address !== address;
      if (isStale) await queries.touchKey(db, row.account_id, row.id, address);
      return {
        kind: 'key',
        account_id: row.account_id,
        user_id: null,
        real_user_id: null,
        session_id: null,
        key_id: row.id,
        test: row.test,
        requests_per_second: row.requests_per_second,
        spend_limit_micros: row.spend_limit_micros,
        approval: approvalLimits(row),
        permissions: row.permissions,
        operator: false,
        verified: row.account_status === 'VERIFIED',
        pending: null,
        trial_expired: row.trial_expired,
      };
    },
  };
}

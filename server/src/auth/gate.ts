/**
 * Who calls, asked at every request: a revoked token, a blocked user or a changed right counts at the very next call. Whoever acts in another's name
 * is asked for as well.
 */
import { allPermissions, type Permissions, permits, RESOURCES } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Db } from '../kernel/db/db.ts';
import type { Actor, Gate } from '../kernel/security/auth.ts';
import * as queries from './queries.ts';
import { IDLE_MINUTES } from './sessions.ts';
import { hashToken } from './tokens.ts';

const TOUCH_AFTER_MS = 60_000;

/** An operator in somebody's name may do what is needed to help: everything but the keys, and no uploads taken away. */
const IMPERSONATED: Permissions = { ...allPermissions(), KEYS: 0, MEDIA: 3 };

function permissionsOf(session: queries.SessionRow): Permissions {
  if (session.method === 'impersonation') return IMPERSONATED;
  const own = session.is_owner ? allPermissions() : session.permissions;
  // In a sub-account nobody may more than at home.
  if (session.method === 'switch' && session.real_user_id !== null && !session.real_is_owner)
    return Object.fromEntries(
      RESOURCES.map((resource) => [resource, (own[resource] ?? 0) & (session.real_permissions?.[resource] ?? 0)]),
    );
  return own;
}

// Whoever may no longer enter accounts is out of those they have entered: an operator a customer's, a parent company's user its sub-accounts.
const mayStillBeIn = ({ real_user_id, real_is_owner, real_permissions }: queries.SessionRow): boolean =>
  real_user_id === null || real_is_owner === true || permits(real_permissions ?? {}, 'ACCOUNTS:edit');

function pendingOf(session: queries.SessionRow): Actor['pending'] {
  // Whoever acts in another's name has proven all of that at home.
  if (session.real_user_id !== null) return null;
  if (session.is_owner && session.login_status === 'EMAIL_VERIFIED') return 'phone';
  return session.second_factor_required && !session.second_factor ? 'second_factor' : null;
}

export function gate(db: Db): Gate {
  return {
    async bearer(token, { unattended = false } = {}) {
      const now = db.clock.now();
      const session = await queries.sessionByToken(db, hashToken(token), now, IDLE_MINUTES);
      if (!session) return null;
      if (session.blocked || session.account_status === 'BLOCKED' || session.real_blocked)
        throw new Problem('USER_BLOCKED');
      if (!mayStillBeIn(session)) return null;
      if (session.idle_ms > TOUCH_AFTER_MS && !unattended)
        await queries.touchSession(db, session.account_id, session.session_id, now);
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
        pending: pendingOf(session),
        trial_expired: session.trial_expired,
      };
    },
    async key(key) {
      const found = await queries.keyByHash(db, hashToken(key));
      if (!found) return null;
      if (found.account_status === 'BLOCKED') throw new Problem('USER_BLOCKED');
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

/**
 * The caller of a request. The module `auth` identifies the caller, the kernel checks permissions and passes the caller
 * on.
 */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { type Need, type Needs, needReason, type Permissions, permits, split } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';

export interface Actor {
  readonly kind: 'user' | 'key';
  readonly account_id: string;
  /** The user of the session; null for an API key. */
  readonly user_id: string | null;
  /** The operator behind an impersonated session. */
  readonly real_user_id: string | null;
  readonly session_id: string | null;
  readonly key_id: string | null;
  readonly permissions: Permissions;
  readonly operator: boolean;
  /** The account has been verified and may send. */
  readonly verified: boolean;
  /** A step that this person must finish before endpoints that need a permission are open. */
  readonly pending: 'phone' | 'second_factor' | null;
  /** Reading and adding funds is possible, nothing else. */
  readonly trial_expired: boolean;
}

export interface Gate {
  /**
   * Null if the token is unknown, expired or revoked. Throws Problem(USER_BLOCKED) for a blocked user. `unattended`:
   * the call does not count as activity of the session.
   */
  bearer(token: string, options?: { unattended?: boolean | undefined }): Promise<Actor | null>;
  key(key: string, address: string): Promise<Actor | null>;
}

/**
 * Problems: PHONE_UNVERIFIED and SECOND_FACTOR_REQUIRED (a pending step), PERMISSION_REQUIRED, ACCOUNT_UNVERIFIED (not
 * approved yet), TRIAL_ENDED.
 */
export function requireAccess(actor: Actor, endpoint: Pick<AnyEndpoint, 'needs' | 'verified' | 'method'>): void {
  const { needs } = endpoint;
  if (needs === null || needs === 'public') return;
  if (actor.pending === 'phone') throw new Problem('PHONE_UNVERIFIED');
  if (actor.pending === 'second_factor') throw new Problem('SECOND_FACTOR_REQUIRED');
  if (!permits(actor.permissions, needs)) throw new Problem('PERMISSION_REQUIRED', { message: needReason(needs) });
  if (endpoint.verified && !actor.verified) throw new Problem('ACCOUNT_UNVERIFIED');
  if (actor.trial_expired && endpoint.method !== 'GET' && !isPayment(needs)) throw new Problem('TRIAL_ENDED');
}

const isPayment = (needs: Needs): boolean => [needs].flat().some((need) => split(need as Need).resource === 'PAYMENTS');

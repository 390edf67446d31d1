/** Who is calling. The module `auth` finds out; the kernel only demands and carries it. */
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
  /** The account may send: it has been verified. */
  readonly verified: boolean;
  /** What this person has to do before anything that needs a permission is open. */
  readonly pending: 'phone' | 'second_factor' | null;
  /** Everything may be read and funds may be added, nothing else. */
  readonly trial_expired: boolean;
}

export interface Gate {
  /**
   * Null when the token is unknown, expired or revoked; throws Problem(USER_BLOCKED) for a blocked user. `unattended`:
   * no sign of life of its session.
   */
  bearer(token: string, options?: { unattended?: boolean | undefined }): Promise<Actor | null>;
  key(key: string, address: string): Promise<Actor | null>;
}

/**
 * Problems: PHONE_UNVERIFIED, SECOND_FACTOR_REQUIRED (something to do first), PERMISSION_REQUIRED (no permission),
 * ACCOUNT_UNVERIFIED (not approved yet), TRIAL_ENDED (the trial is over).
 */
export function demand(actor: Actor, endpoint: Pick<AnyEndpoint, 'needs' | 'verified' | 'method'>): void {
  const { needs } = endpoint;
  if (needs === null || needs === 'public') return;
  if (actor.pending === 'phone') throw new Problem('PHONE_UNVERIFIED');
  if (actor.pending === 'second_factor') throw new Problem('SECOND_FACTOR_REQUIRED');
  if (!permits(actor.permissions, needs)) throw new Problem('PERMISSION_REQUIRED', { message: needReason(needs) });
  if (endpoint.verified && !actor.verified) throw new Problem('ACCOUNT_UNVERIFIED');
  if (actor.trial_expired && endpoint.method !== 'GET' && !isPayment(needs)) throw new Problem('TRIAL_ENDED');
}

const isPayment = (needs: Needs): boolean => [needs].flat().some((need) => split(need as Need).resource === 'PAYMENTS');

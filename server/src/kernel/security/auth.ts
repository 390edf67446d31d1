/**
 * The caller of a request. The auth module identifies the caller. The kernel checks the permissions and passes the
 * caller on to the operation.
 */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { type Need, type Needs, needReason, type Permissions, permits, split } from '@parley/contract/permission.ts';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';

export interface Actor {
  readonly kind: 'user' | 'key';
  readonly account_id: string;
  /** The session's user, or null for an API key. */
  readonly user_id: string | null;
  /** The operator behind an impersonated session. */
  readonly real_user_id: string | null;
  readonly session_id: string | null;
  readonly key_id: string | null;
  /** Set for a program that is bound over SMPP. */
  readonly smpp_account_id?: string | null;
  /** True for a test key. */
  readonly test?: boolean;
  /** The limits of an API key; null if it has none. */
  readonly requests_per_second?: number | null;
  readonly spend_limit_micros?: number | null;
  /** The amount that an API key may send per day without an approval; null for no limit. */
  readonly approval?: { readonly recipients: number | null; readonly micros: number | null } | null;
  readonly permissions: Permissions;
  readonly operator: boolean;
  /** True if the account has been verified and may send. */
  readonly verified: boolean;
  /** A step that the user must finish before they can use endpoints that need a permission. */
  readonly pending: 'phone' | 'second_factor' | null;
  /** True if the account may only read and add funds. */
  readonly trial_expired: boolean;
}

/** A refused API key whose account is known, for its request log. */
export class RefusedKey extends Problem {
  readonly account_id: string;
  readonly key_id: string;
  constructor(name: ProblemName, { account_id, id }: { account_id: string; id: string }) {
    super(name);
    this.account_id = account_id;
    this.key_id = id;
  }
}

export interface Gate {
  /**
   * Returns null if the token is unknown, expired, or revoked. Throws USER_BLOCKED for a blocked user. With
   * `unattended`, the call does not count as session activity.
   */
  bearer(token: string, options?: { unattended?: boolean | undefined }): Promise<Actor | null>;
  /**
   * Returns the callers of many tokens in their order, with null for a token that is unknown, expired, or revoked, or
   * whose user is blocked. Does not count as session activity.
   */
  bearers(tokens: readonly string[]): Promise<(Actor | null)[]>;
  key(key: string, address: string): Promise<Actor | null>;
  /** Returns the user on whose behalf a panel acts, or null if its token is unknown or expired. */
  panel?(token: string): Promise<Actor | null>;
}

/**
 * Throws PHONE_UNVERIFIED or SECOND_FACTOR_REQUIRED (a pending step), PERMISSION_REQUIRED, ACCOUNT_UNVERIFIED (not
 * approved yet), or TRIAL_ENDED.
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

/** The problems that a valid caller can have with an endpoint before its own rules apply. */
export function accessProblems({
  needs,
  audience,
  verified,
  method,
  test_keys,
  uncounted_spend,
}: AnyEndpoint): ProblemName[] {
  if (needs === 'public') return [];
  const problems: ProblemName[] = ['TOKEN_INVALID', 'USER_BLOCKED'];
  if (audience === undefined || audience === 'account') problems.push('API_KEY_EXPIRED', 'API_KEY_ADDRESS_NOT_ALLOWED');
  if ((audience === undefined || audience === 'account') && !test_keys) problems.push('TEST_KEY_NOT_ALLOWED');
  if ((audience === undefined || audience === 'account') && uncounted_spend) problems.push('API_KEY_SPEND_NOT_COUNTED');
  if (audience === 'operator') problems.push('OPERATOR_ONLY');
  if (audience === 'session' || audience === 'person' || needs !== null) problems.push('PERMISSION_REQUIRED');
  if (audience === 'person') problems.push('IMPERSONATION_NOT_ALLOWED');
  if (needs === null) return problems;
  problems.push('PHONE_UNVERIFIED', 'SECOND_FACTOR_REQUIRED');
  if (verified) problems.push('ACCOUNT_UNVERIFIED');
  if (method !== 'GET' && !isPayment(needs)) problems.push('TRIAL_ENDED');
  return problems;
}

const isPayment = (needs: Needs): boolean => [needs].flat().some((need) => split(need as Need).resource === 'PAYMENTS');

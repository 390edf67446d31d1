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
  /** Null when the token is unknown, expired or revoked; throws Problem(1135) for a blocked user. `unattended`: no sign of life of its session. */
  bearer(token: string, options?: { unattended?: boolean | undefined }): Promise<Actor | null>;
  key(key: string, address: string): Promise<Actor | null>;
}

/** Problems: 1141 1144 something to do first, 1136 no permission, 1524 not approved yet, 1142 the trial is over. */
export function demand(actor: Actor, endpoint: Pick<AnyEndpoint, 'needs' | 'verified' | 'method'>): void {
  const { needs } = endpoint;
  if (needs === null || needs === 'public') return;
  if (actor.pending === 'phone') throw new Problem(1141);
  if (actor.pending === 'second_factor') throw new Problem(1144);
  if (!permits(actor.permissions, needs)) throw new Problem(1136, { message: needReason(needs) });
  if (endpoint.verified && !actor.verified) throw new Problem(1524);
  if (actor.trial_expired && endpoint.method !== 'GET' && !isPayment(needs)) throw new Problem(1142);
}

const isPayment = (needs: Needs): boolean => [needs].flat().some((need) => split(need as Need).resource === 'PAYMENTS');

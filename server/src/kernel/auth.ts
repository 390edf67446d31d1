/** Who is calling. The module `auth` finds out; the kernel only demands and carries it. */
import { type Needs, needReason, type Permissions, permits } from '@parley/contract/permission.ts';
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
}

export interface Gate {
  /** Null when the token is unknown, expired or revoked; throws Problem(1135) for a blocked user. */
  bearer(token: string): Promise<Actor | null>;
  key(key: string, address: string): Promise<Actor | null>;
}

export function demand(actor: Actor, needs: Needs | null): void {
  if (!permits(actor.permissions, needs)) throw new Problem(1136, { message: needReason(needs!) });
}

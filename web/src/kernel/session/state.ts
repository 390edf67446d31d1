/** The session's state, as pages and routes receive it. */
import type { Account, User } from '@parley/contract/accounts/accounts.ts';
import type { Permissions } from '@parley/contract/permission.ts';
import type { LiveState } from '../live/live.ts';

export interface Session {
  account: Account;
  user: User;
  permissions: Permissions;
  /** True in the operators' view: on an admin host name, and only for operators. */
  admin: boolean;
  live: LiveState;
}

/** Why a page is closed to the user. */
export interface Closed {
  by: 'permission' | 'pending' | 'person' | 'unverified';
  reason: string;
}

export type State =
  | { kind: 'unknown' }
  | { kind: 'out'; notice: string | null }
  | { kind: 'limited' }
  | { kind: 'in'; session: Session };

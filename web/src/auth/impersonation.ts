import type { User } from '@parley/contract/accounts/accounts.ts';
import { personReason } from '../kernel/session/gates.ts';

/** Why an impersonated session cannot change this; null if it can. */
export const impersonationReason = (user: Pick<User, 'impersonation'>): string | null => personReason({ user });

import type { User } from '@parley/contract/accounts/accounts.ts';
import { personReason } from '../kernel/session/gates.ts';

/** The reason why an impersonated session cannot make this change; null if it can. */
export const impersonationReason = (user: Pick<User, 'impersonation'>): string | null => personReason({ user });

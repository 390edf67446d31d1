import type { User } from '@parley/contract/accounts/accounts.ts';
import { personReason } from '../kernel/session/gates.ts';

export const impersonationReason = (user: Pick<User, 'impersonation'>): string | null => personReason({ user });

import type { User } from '@parley/contract/accounts/accounts.ts';
import { personReason } from '../kernel/gates.ts';

export const enteredReason = (user: Pick<User, 'impersonation'>): string | null => personReason({ user });

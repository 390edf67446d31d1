import type { User } from '@parley/contract/accounts.ts';

/** What only the person may do stays closed to whoever acts in their name. */
export const enteredReason = ({ impersonation }: Pick<User, 'impersonation'>): string | null =>
  impersonation ? 'Only the person themselves can do this.' : null;

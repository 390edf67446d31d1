/** Labels for account states and for the values of account forms. */

import { ACCOUNT_STATUS, ACCOUNT_STATUSES } from '@parley/contract/accounts/accounts.ts';
import type { Customer } from '@parley/contract/admin/customers.ts';
import { CHANNEL_INTERESTS } from '../channels/index.ts';

export const ACCOUNT_STATES = ACCOUNT_STATUSES.map((value) => ({ value, label: ACCOUNT_STATUS[value].label }));

export const VOLUMES: Readonly<Record<string, string>> = {
  under_1000: 'Fewer than 1,000',
  '1000_10000': '1,000 to 10,000',
  '10000_100000': '10,000 to 100,000',
  over_100000: 'More than 100,000',
};
export const INTERESTS: Readonly<Record<string, string>> = {
  ...CHANNEL_INTERESTS,
  two_way: 'Two-way conversations',
  api: 'Sending through the API',
  campaigns: 'Campaigns',
  verification: 'Verification codes',
};
export const SENDER_TYPES = [
  { value: 'local', label: 'Local number' },
  { value: 'mobile', label: 'Mobile number' },
  { value: 'toll_free', label: 'Toll-free number' },
  { value: 'short_code', label: 'Short code' },
  { value: 'alphanumeric', label: 'Sender ID' },
] as const;
/** All sender types, including the type that operators review but cannot create. */
export const ALL_SENDER_TYPES = [...SENDER_TYPES, { value: 'business', label: 'Business profile' }] as const;

type AccountState = Pick<Customer, 'operator' | 'closed' | 'status'>;

/** The reason why the account cannot be entered; null if it can. */
export function enterReason({ operator, closed, status }: AccountState): string | null {
  if (operator) return 'Operator accounts cannot be entered.';
  if (closed) return 'The account is closed.';
  return status === 'BLOCKED' ? 'The account is blocked.' : null;
}
/** The reason why the account cannot be blocked; null if it can. */
export const blockReason = ({ operator, closed }: AccountState): string | null =>
  operator ? 'Operator accounts cannot be blocked.' : closed ? 'The account is closed.' : null;

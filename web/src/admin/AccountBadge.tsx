import { ACCOUNT_STATUS } from '@parley/contract/accounts/accounts.ts';
import { CLOSED_ACCOUNT, type Customer } from '@parley/contract/admin/customers.ts';
import { StatusBadge, ToneBadge } from '../ui/data/StatusBadge.tsx';

/** The status of an account. "Closed" takes precedence over every other status. */
export function AccountBadge({
  account,
}: {
  account: Pick<Customer, 'status' | 'closed' | 'operator' | 'block_reason'>;
}) {
  if (account.operator) return <ToneBadge tone="accent">Operators</ToneBadge>;
  if (account.closed) return <StatusBadge {...CLOSED_ACCOUNT} />;
  return <StatusBadge {...ACCOUNT_STATUS[account.status]} reason={account.block_reason || null} />;
}

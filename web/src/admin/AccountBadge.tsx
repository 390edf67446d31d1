import type { Customer } from '@parley/contract/admin/customers.ts';
import { StatusBadge, ToneBadge } from '../ui/data/StatusBadge.tsx';
import { CLOSED } from './account_words.ts';

/** The status of an account. "Closed" takes precedence over every other status. */
export function AccountBadge({
  account,
}: {
  account: Pick<Customer, 'status' | 'closed' | 'operator' | 'block_reason'>;
}) {
  if (account.operator) return <ToneBadge tone="accent">Operators</ToneBadge>;
  if (account.closed) return <StatusBadge status="closed" words={CLOSED} />;
  return <StatusBadge status={account.status} reason={account.block_reason || null} />;
}

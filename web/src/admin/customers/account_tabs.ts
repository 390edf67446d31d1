import type { Customer } from '@parley/contract/admin/customers.ts';
import { formatNumber } from '../../ui/data/format.ts';

interface AccountTab {
  key: string;
  label: string;
  count?: string;
}

export const accountTabs = ({ users_count, senders_count }: Customer): AccountTab[] => [
  { key: 'overview', label: 'Overview' },
  { key: 'users', label: 'Users', count: formatNumber(users_count) },
  { key: 'senders', label: 'Senders', count: formatNumber(senders_count) },
  { key: 'requests', label: 'Requests' },
  { key: 'history', label: 'History' },
];

/** Labels for the number inventory. */
import type { InventoryNumber } from '@parley/contract/numbers/numbers.ts';
import { IconBan, IconCheck, IconClock } from '@tabler/icons-react';
import type { StatusStyle } from '../../ui/data/status.ts';

export const NUMBER_STATUS_WORDS: Readonly<Record<InventoryNumber['status'], StatusStyle>> = {
  free: { label: 'Available', tone: 'ok', icon: IconCheck },
  taken: { label: 'Rented', tone: 'flight', icon: IconCheck },
  cooling: { label: 'Cooling down', tone: 'wait', icon: IconClock },
  retired: { label: 'Retired', tone: 'off', icon: IconBan },
};
export const NUMBER_TYPE_WORDS: Readonly<Record<InventoryNumber['type'], string>> = {
  local: 'Local',
  mobile: 'Mobile',
  toll_free: 'Toll-free',
};
export const NUMBER_TYPES = Object.entries(NUMBER_TYPE_WORDS).map(([value, label]) => ({ value, label }));

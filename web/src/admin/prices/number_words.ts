/** The stock of numbers in the operators' words. */
import type { InventoryNumber } from '@parley/contract/numbers/numbers.ts';
import { IconBan, IconCheck, IconClock } from '@tabler/icons-react';
import type { StatusStyle } from '../../ui/data/status.ts';

export const NUMBER_LOOKS: Readonly<Record<InventoryNumber['status'], StatusStyle>> = {
  free: { label: 'Free', tone: 'ok', icon: IconCheck },
  taken: { label: 'Taken', tone: 'flight', icon: IconCheck },
  cooling: { label: 'Resting', tone: 'wait', icon: IconClock },
  retired: { label: 'Retired', tone: 'off', icon: IconBan },
};
export const NUMBER_TYPE_WORDS: Readonly<Record<InventoryNumber['type'], string>> = {
  local: 'Local',
  mobile: 'Mobile',
  toll_free: 'Toll-free',
};
export const NUMBER_TYPES = Object.entries(NUMBER_TYPE_WORDS).map(([value, label]) => ({ value, label }));

/** Labels for the number inventory. */
import type { InventoryNumber } from '@parley/contract/numbers/numbers.ts';

export const NUMBER_TYPE_WORDS: Readonly<Record<InventoryNumber['type'], string>> = {
  local: 'Local',
  mobile: 'Mobile',
  toll_free: 'Toll-free',
};
export const NUMBER_TYPES = Object.entries(NUMBER_TYPE_WORDS).map(([value, label]) => ({ value, label }));

/**
 * Decides which values a sync writes to which side, one at a time. It compares both sides with its values after the
 * last sync. Values that the sync itself wrote are therefore not changes, so they are not synced back. The two sides
 * may store a value differently: the CRM may shorten it, for example.
 */
import type { CrmSyncSettings } from '@parley/contract/crm/sync.ts';

/** The values in the CRM and in Parley after the last sync. */
export type Pair = readonly [crm: string, parley: string];

export interface Slot {
  readonly key: string;
  readonly crm: string;
  readonly parley: string;
  /** Undefined before the first sync. */
  readonly base: Pair | undefined;
  /** The value that protects the person: it wins every conflict. */
  readonly safe?: string;
  /** True if the CRM cannot change the safe value in Parley, because the person chose it. */
  readonly locked?: boolean;
  /** True if an empty value has no meaning, so it never replaces another value. */
  readonly sticky?: boolean;
}

export interface Decision {
  readonly key: string;
  /** The value to write in Parley, and in the CRM. Null: nothing. */
  readonly to_parley: string | null;
  readonly to_crm: string | null;
}

export interface MergeRule extends Pick<CrmSyncSettings, 'direction' | 'rule'> {
  /** The side that was changed last. */
  readonly newest: 'crm' | 'parley';
}

const NOTHING = { to_parley: null, to_crm: null };

export function mergeSlot(slot: Slot, rule: MergeRule): Decision {
  const { key, crm, parley } = slot;
  if (crm === parley) return { key, ...NOTHING };
  const winner = findWinner(slot, rule);
  if (winner === 'crm' && rule.direction !== 'to_crm') return { key, to_parley: crm, to_crm: null };
  if (winner === 'parley' && rule.direction !== 'to_parley') return { key, to_parley: null, to_crm: parley };
  return { key, ...NOTHING };
}

function findWinner(slot: Slot, { direction, rule, newest }: MergeRule): 'crm' | 'parley' | null {
  const { crm, parley, base, safe, locked = false, sticky = false } = slot;
  if (locked && parley === safe) return 'parley';
  // Before the first sync, an empty value is not a deletion.
  if (crm === '' && (sticky || base === undefined)) return 'parley';
  if (parley === '' && (sticky || base === undefined)) return 'crm';
  const isCrmChanged = base === undefined || crm !== base[0];
  const isParleyChanged = base === undefined || parley !== base[1];
  if (!isCrmChanged && !isParleyChanged) return null;
  if (isCrmChanged !== isParleyChanged) return isCrmChanged ? 'crm' : 'parley';
  if (safe !== undefined && crm === safe) return 'crm';
  if (safe !== undefined && parley === safe) return 'parley';
  // A sync in one direction has no conflicts.
  if (direction !== 'both') return direction === 'to_crm' ? 'parley' : 'crm';
  return rule === 'newest' ? newest : rule;
}

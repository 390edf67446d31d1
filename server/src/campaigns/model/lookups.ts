/** Carrier lookups before the messages of a campaign: numbers that cannot get messages are left out. */
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { knownStatuses, type NumberStatus, resultsSince } from '../../lookups/lookups.ts';
import type { CampaignRow } from './row.ts';

type Unreachable = 'landline' | 'not_in_use';

const UNREACHABLE: Partial<Record<NumberStatus, Unreachable>> = { landline: 'landline', bad: 'not_in_use' };

/** Returns the time since when results of lookups count, or null if the campaign looks up no numbers. */
export const lookupsSince = (
  { safety, start_date }: Pick<CampaignRow, 'safety' | 'start_date'>,
  now: Date,
): Date | null => (safety.lookup ? resultsSince(start_date === null ? now : parseTimestamp(start_date)) : null);

export interface Reachability<T> {
  reachable: readonly T[];
  unreachable: { contact: T; reason: Unreachable }[];
  /** Returns whether the number has to be looked up. */
  isOpen: (number: string) => boolean;
}

/** Separates the contacts who cannot get messages, as far as it is known. Does nothing if `since` is null. */
export async function splitReachable<T extends { number: string }>(
  db: Queryable,
  kernel: Kernel,
  account_id: string,
  since: Date | null,
  contacts: readonly T[],
): Promise<Reachability<T>> {
  if (since === null) return { reachable: contacts, unreachable: [], isOpen: () => false };
  const numbers = contacts.map(({ number }) => number);
  const statuses = await knownStatuses(db, kernel, account_id, since, numbers);
  const findReason = ({ number }: T) => UNREACHABLE[statuses.get(number) ?? 'unknown'];
  return {
    reachable: contacts.filter((contact) => !findReason(contact)),
    unreachable: contacts.flatMap((contact) => {
      const reason = findReason(contact);
      return reason ? [{ contact, reason }] : [];
    }),
    isOpen: (number) => !statuses.has(number),
  };
}

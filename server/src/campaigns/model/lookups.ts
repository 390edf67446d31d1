/** Carrier lookups before the messages of a campaign: numbers that cannot get messages are left out. */
import type { Account } from '@parley/contract/accounts/accounts.ts';
import { type CampaignSafety, NO_SAFETY } from '@parley/contract/campaigns/safety.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { listKnownStatuses, type NumberStatus, resultsSince } from '../../lookups/lookups.ts';
import type { CampaignRow } from './row.ts';

type Unreachable = 'landline' | 'not_in_use';

const UNREACHABLE: Partial<Record<NumberStatus, Unreachable>> = { landline: 'landline', bad: 'not_in_use' };

/** Fills in the account's lookup settings, unless the safeguards of a new campaign have their own. */
export async function withAccountLookups<T extends Pick<Partial<CampaignSafety>, 'lookup'>>(
  db: Queryable,
  account_id: string,
  safety: T | undefined,
): Promise<T | CampaignSafety | undefined> {
  if (safety?.lookup !== undefined) return safety;
  const { hlr_check, mnp_check, mnp_countries } = await db.one<
    Pick<Account, 'hlr_check' | 'mnp_check' | 'mnp_countries'>
  >(sql`select hlr_check, mnp_check, mnp_countries from accounts where id = ${account_id}`);
  const lookup_countries = hlr_check ? null : mnp_countries;
  const lookup = hlr_check || (mnp_check && mnp_countries.length > 0);
  return lookup ? { ...NO_SAFETY, ...safety, lookup, lookup_countries } : safety;
}

export interface LookupScope {
  /** Results of lookups count since this time. */
  since: Date;
  /** Null: all countries. */
  countries: readonly string[] | null;
}

/** Returns which numbers the campaign looks up, or null if it looks up none. */
export const lookupScope = (
  { safety, start_date }: Pick<CampaignRow, 'safety' | 'start_date'>,
  now: Date,
): LookupScope | null =>
  safety.lookup
    ? {
        since: resultsSince(start_date === null ? now : parseTimestamp(start_date)),
        countries: safety.lookup_countries ?? null,
      }
    : null;

export interface Reachability<T> {
  reachable: readonly T[];
  unreachable: { contact: T; reason: Unreachable }[];
  /** Returns whether the number has to be looked up. */
  isOpen: (number: string) => boolean;
}

/** Separates the contacts known not to be able to get messages. Does nothing if `scope` is null. */
export async function splitReachable<T extends { number: string; country: string }>(
  db: Queryable,
  kernel: Kernel,
  account_id: string,
  scope: LookupScope | null,
  contacts: readonly T[],
): Promise<Reachability<T>> {
  if (scope === null) return { reachable: contacts, unreachable: [], isOpen: () => false };
  const { since, countries } = scope;
  const numbers = contacts
    .filter(({ country }) => countries === null || countries.includes(country))
    .map(({ number }) => number);
  const lookedUp = new Set(numbers);
  const statuses = await listKnownStatuses(db, kernel, account_id, since, numbers);
  const findReason = ({ number }: T) => UNREACHABLE[statuses.get(number) ?? 'unknown'];
  return {
    reachable: contacts.filter((contact) => !findReason(contact)),
    unreachable: contacts.flatMap((contact) => {
      const reason = findReason(contact);
      return reason ? [{ contact, reason }] : [];
    }),
    isOpen: (number) => lookedUp.has(number) && !statuses.has(number),
  };
}

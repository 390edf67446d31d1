/** The rules of an account, as the gate applies them. */
import type { Limit } from '@parley/contract/guard/limits.ts';
import { type Queryable, type Sql, sql } from '../kernel/db/db.ts';
import { type CountryLists, countryLists, mergeLists } from './inherited_countries.ts';
import { type ActiveStop, activeStops } from './pumping/places.ts';
import type { Window } from './windows.ts';

export type LimitRule = Pick<
  Limit,
  'id' | 'type' | 'channels' | 'countries' | 'prefixes' | 'limit' | 'interval' | 'block_traffic' | 'warn_at'
> & {
  /** The interval that the frequency cap counts (frequency.ts). Limits count the intervals of windows.ts. */
  readonly window?: Window;
  /** The company that has set the limit, if the account inherits it. */
  readonly inherited?: { readonly account_id: string; readonly together: boolean } | null;
};

/** The account whose counter a limit uses: a company counts limits for the whole group. */
export const counterAccount = ({ inherited }: LimitRule, account_id: string): string =>
  inherited?.together ? inherited.account_id : account_id;

export interface Guard {
  /** The enabled limits, in the order in which their counters are locked. */
  readonly limits: readonly LimitRule[];
  readonly blocked_countries: ReadonlySet<string>;
  /** Null: all countries that are not blocked. */
  readonly allowed_countries: ReadonlySet<string> | null;
  /** The destinations whose messages are stopped. */
  readonly stops: readonly ActiveStop[];
}

export const blocksCountry = (
  { blocked_countries, allowed_countries }: Pick<Guard, 'blocked_countries' | 'allowed_countries'>,
  country: string,
): boolean => blocked_countries.has(country) || (allowed_countries !== null && !allowed_countries.has(country));

/** Rules of the account and those that it inherits from its company, in the order in which counters are locked. */
export async function loadGuard(db: Queryable, account_id: string): Promise<Guard> {
  const { limits, lists, stops } = await db.one<{
    limits: LimitRule[];
    lists: CountryLists | null;
    stops: ActiveStop[] | null;
  }>(sql`
    select
      coalesce((
        select json_agg(json_build_object('id', id, 'type', type, 'channels', channels, 'countries', countries,
          'prefixes', prefixes, 'limit', "limit", 'interval', "interval", 'block_traffic', block_traffic,
          'warn_at', warn_at, 'inherited', inherited) order by id)
        from (${ownLimits(account_id)} union all ${inheritedLimits(account_id)}) l), '[]') as limits,
      (${countryLists(account_id)}) as lists,
      (${activeStops(account_id)}) as stops`);
  return { limits, ...mergeLists(lists), stops: stops ?? [] };
}

const ownLimits = (account_id: string): Sql => sql`
  select id, type, channels, countries, prefixes, "limit", "interval", block_traffic, warn_at, null::json as inherited
  from limits where account_id = ${account_id} and enabled`;

/** The limits that a company has set for the account, with the number of its override. */
const inheritedLimits = (account_id: string): Sql => sql`
  select l.id, l.type, l.channels, l.countries, l.prefixes, coalesce(o."limit", l."limit") as "limit", l."interval",
    l.block_traffic, l.warn_at,
    json_build_object('account_id', l.account_id, 'together', l.sub_accounts = 'together' and o.limit_id is null)
      as inherited
  from accounts a
  join limits l on l.account_id = a.parent_id and l.sub_accounts <> 'none' and l.enabled
  left join limit_overrides o
    on o.account_id = l.account_id and o.limit_id = l.id and o.sub_account_id = a.id
  where a.id = ${account_id} and (o.limit_id is null or o."limit" is not null)`;

/** One sender that may send a message: its own, or that of a fallback. */
export interface Way {
  readonly channel: string;
  readonly sender_id: string;
}

/** A message's origin: its API key, user, or other source. */
export interface Origin {
  readonly key_id?: string | null | undefined;
  /** The person who sends it in the app. Null for messages of an API key. */
  readonly user_id?: string | null | undefined;
  readonly campaign_id?: string | null | undefined;
  /** The IP address of the program or the browser. Null for campaigns. */
  readonly address?: string | null | undefined;
}

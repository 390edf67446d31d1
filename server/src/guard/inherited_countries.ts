/** The countries of an account together with those that it inherits from its company. */
import { type Queryable, type Sql, sql } from '../kernel/db/db.ts';

/** Null lists: the company has none that applies to the account. */
export interface CountryLists {
  blocked: string[];
  allowed: string[] | null;
  /** The company's name. Null if the account is not a sub-account. */
  inherited_from: string | null;
  inherited_blocked: string[] | null;
  inherited_allowed: string[] | null;
  /** Countries that the inherited lists do not block for this account. */
  exceptions: string[];
}

/** Selects the lists of an account as one JSON value; null if the account does not exist. */
export const countryLists = (account_id: string): Sql => sql`
  select json_build_object('blocked', coalesce(c.countries, '{}'),
    'allowed', case when c.only_allowed then c.allowed end,
    'inherited_from', p.company_name,
    'inherited_blocked', case when i.sub_accounts then i.countries end,
    'inherited_allowed', case when i.allowed_sub_accounts and i.only_allowed then i.allowed end,
    'exceptions', coalesce(e.countries, '{}'))
  from accounts a
  left join country_blacklists c on c.account_id = a.id
  left join accounts p on p.id = a.parent_id
  left join country_blacklists i on i.account_id = a.parent_id
  left join country_exceptions e on e.account_id = a.parent_id and e.sub_account_id = a.id
  where a.id = ${account_id}`;

export const readLists = async (db: Queryable, account_id: string): Promise<CountryLists> =>
  (await db.one<{ lists: CountryLists }>(sql`select (${countryLists(account_id)}) as lists`)).lists;

/** The countries that the account inherits, after its exceptions. Null: nothing. */
export const inheritedBlocked = ({ inherited_blocked, exceptions }: CountryLists): string[] | null =>
  inherited_blocked?.filter((country) => !exceptions.includes(country)) ?? null;

export const inheritedAllowed = ({ inherited_allowed, exceptions }: CountryLists): string[] | null =>
  inherited_allowed && [...new Set([...inherited_allowed, ...exceptions])].sort();

/** A country is blocked if either list blocks it, and allowed only if both lists allow it. */
export function mergeLists(lists: CountryLists | null) {
  if (!lists) return { blocked_countries: new Set<string>(), allowed_countries: null };
  const fromParent = inheritedAllowed(lists);
  const { blocked, allowed } = lists;
  const both = allowed && fromParent ? allowed.filter((country) => fromParent.includes(country)) : null;
  const merged = both ?? allowed ?? fromParent;
  return {
    blocked_countries: new Set([...blocked, ...(inheritedBlocked(lists) ?? [])]),
    allowed_countries: merged && new Set(merged),
  };
}

/**
 * The networks that carrier lookups of the account found for numbers. A number can move to another network and keep its
 * range, so a recent result takes precedence over the range, for the route and for the price. Results of other accounts
 * are not used (decision 93).
 */
import { NETWORK_DAYS } from '@parley/contract/lookups/lookups.ts';
import type { PriceBook } from '../../billing/billing.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';

export interface KnownNetwork {
  mccmnc: string;
  result_date: string;
}
/** By number. */
export type KnownNetworks = ReadonlyMap<string, KnownNetwork>;
export const NO_NETWORKS: KnownNetworks = new Map();

/** Uses the newest result of each number, unless it says that the number is not in use or is not a mobile number. */
export async function findNetworks(
  db: Queryable,
  account_id: string,
  now: Date,
  numbers: readonly string[],
): Promise<Map<string, KnownNetwork>> {
  const rows = await db.rows<KnownNetwork & { number: string }>(sql`
    select n.number, l.mccmnc, l.result_date from unnest(${numbers}::text[]) as n(number) cross join lateral (
      select mccmnc, status, result_date from number_lookups
      where account_id = ${account_id} and number = n.number and status in ('good', 'bad', 'landline') and is_live
        and result_date > ${now}::timestamptz - make_interval(days => ${NETWORK_DAYS})
      order by result_date desc limit 1
    ) l
    where l.status = 'good' and l.mccmnc is not null`);
  return new Map(rows.map(({ number, ...known }) => [number, known]));
}

/** The same prices, for the networks that numbers belong to now. */
export const onNetworks = (prices: PriceBook, networks: KnownNetworks): PriceBook => ({
  ...prices,
  price: (account_id, channel, number, country, currency, purpose) =>
    prices.price(account_id, channel, number, country, currency, purpose, networks.get(number)?.mccmnc),
  at: (date) => onNetworks(prices.at(date), networks),
});

/** The dates of the lookups whose networks were used, by message, for the decision of the gate. */
export function networkDates(ids: readonly string[], numbers: readonly string[], networks: KnownNetworks) {
  const dates = numbers.flatMap((number, n) => {
    const known = networks.get(number);
    return known ? [[ids[n]!, known.result_date] as const] : [];
  });
  return dates.length === 0 ? {} : { network_dates: Object.fromEntries(dates) };
}

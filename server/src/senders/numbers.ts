/** The stock of numbers as customers meet it: offered at a price, taken by exactly one, resting after it was given back. */

import type { Parsed } from '@parley/contract/endpoint.ts';
import type { FreeNumber, listNumbers } from '@parley/contract/numbers/numbers.ts';
import { COOLING_DAYS, inventoryChanged } from '@parley/contract/numbers/numbers.ts';
import { ruleOf } from '@parley/contract/senders/countries.ts';
import { emitToOperators } from '../accounts/accounts.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, likePattern, type Paged, paged, pageOf } from '../kernel/db/list.ts';

export type NumberType = FreeNumber['type'];

interface Offer extends Omit<FreeNumber, 'setup_cost' | 'monthly_cost' | 'registration'> {}

// Offered is what is free and has a price in the currency of the account.
const offers = (account_id: string): Sql => sql`
  from numbers n
  join balances b on b.account_id = ${account_id}
  join number_prices p on p.country = n.country and p.type = n.type and p.currency = b.currency
  where n.status = 'free'`;

export const needsRegistration = (country: string, type: NumberType): boolean =>
  ruleOf(country, type).state === 'register';

export async function freeNumbers(
  db: Queryable,
  account_id: string,
  query: Parsed<typeof listNumbers>['query'],
): Promise<Paged<FreeNumber>> {
  const page = pageOf(query);
  const given = { ...query.filter };
  const type = query.type ?? given.type;
  const country = query.country ?? given.country;
  const city = query.city ?? given.city;
  const digits = given.search?.replace(/\D/g, '');
  const where = and([
    type && sql`n.type = ${type}`,
    country && sql`n.country = ${country}`,
    city && sql`lower(n.city) = lower(${city})`,
    digits && sql`n.number like ${likePattern(digits)}`,
  ]);
  const rows = await db.rows<Offer>(sql`
    select n.number, n.type, n.country, n.city, p.currency, p.setup_micros, p.monthly_micros ${offers(account_id)} and ${where}
    order by n.country, n.type, n.city, n.number limit ${page.size + 1} offset ${page.offset}`);
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) from (select 1 ${offers(account_id)} and ${where} limit ${CAP + 1}) capped`,
  );
  return paged(page, rows.map(toFree), count);
}

const toFree = (offer: Offer): FreeNumber => ({
  ...offer,
  setup_cost: offer.setup_micros / 1e6,
  monthly_cost: offer.monthly_micros / 1e6,
  registration: needsRegistration(offer.country, offer.type),
});

export const numberPlaces = (db: Queryable, account_id: string) =>
  db.rows<{ type: NumberType; country: string; cities: string[]; count: number }>(sql`
    select n.type, n.country, array_remove(array_agg(distinct n.city), '') as cities, count(*)::int as count ${offers(account_id)}
    group by n.type, n.country order by n.country, n.type`);

/** Null: it is not there, or somebody was faster. The row is locked until the end, so nobody else pays for it. */
export const takeNumber = (
  tx: Tx,
  { number, type, account_id, sender_id }: { number: string; type: NumberType; account_id: string; sender_id: string },
) =>
  tx.maybeOne<{ country: string }>(sql`
    update numbers set status = 'taken', account_id = ${account_id}, sender_id = ${sender_id}, update_date = ${tx.now}
    where number = ${number} and type = ${type} and status = 'free' returning country`);

export const priceOf = (tx: Tx, account_id: string, country: string, type: NumberType) =>
  tx.maybeOne<{ currency: string; setup_micros: number; monthly_micros: number }>(sql`
    select p.currency, p.setup_micros, p.monthly_micros from number_prices p join balances b on b.currency = p.currency
    where b.account_id = ${account_id} and p.country = ${country} and p.type = ${type}`);

/** Nothing happens to a number that is not of the stock: false. */
export async function giveBackNumber(tx: Tx, account_id: string, sender_id: string): Promise<boolean> {
  const rested = new Date(tx.now.getTime() + COOLING_DAYS * 86_400_000);
  const changed = await tx.run(sql`
    update numbers set status = 'cooling', account_id = null, sender_id = null, free_date = ${rested}, update_date = ${tx.now}
    where account_id = ${account_id} and sender_id = ${sender_id} and status = 'taken'`);
  if (changed > 0) await emitToOperators(tx, inventoryChanged, { count: changed });
  return changed > 0;
}

/** Those that have rested long enough can be bought again. */
export async function freeRested(tx: Tx): Promise<number> {
  const changed = await tx.run(sql`
    update numbers set status = 'free', free_date = null, update_date = ${tx.now} where status = 'cooling' and free_date <= ${tx.now}`);
  if (changed > 0) await emitToOperators(tx, inventoryChanged, { count: changed });
  return changed;
}

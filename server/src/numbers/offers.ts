/** The numbers that customers can rent: free numbers in the inventory with a price in the account's currency. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { FreeNumber, listNumbers, NumberPlace } from '@parley/contract/numbers/numbers.ts';
import { inventoryChanged } from '@parley/contract/numbers/numbers.ts';
import { senderTypeRule } from '@parley/contract/senders/countries.ts';
import { emitToOperators } from '../accounts/accounts.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, likePattern, type Paged, paged, readPage } from '../kernel/db/list.ts';

export type NumberType = FreeNumber['type'];

interface Offer extends Omit<FreeNumber, 'setup_cost' | 'monthly_cost' | 'registration'> {}

const fromOffers = (account_id: string): Sql => sql`
  from numbers n
  join balances b on b.account_id = ${account_id}
  join number_prices p on p.country = n.country and p.type = n.type and p.currency = b.currency
  where n.status = 'free'`;

export const needsRegistration = (country: string, type: NumberType): boolean =>
  senderTypeRule(country, type).state === 'register';

export async function listOffers(
  db: Queryable,
  account_id: string,
  query: Parsed<typeof listNumbers>['query'],
): Promise<Paged<FreeNumber>> {
  const page = readPage(query);
  const filter = { ...query.filter };
  const type = query.type ?? filter.type;
  const country = query.country ?? filter.country;
  const city = query.city ?? filter.city;
  const digits = filter.search?.replace(/\D/g, '');
  const where = and([
    type && sql`n.type = ${type}`,
    country && sql`n.country = ${country}`,
    city && sql`lower(n.city) = lower(${city})`,
    digits && sql`n.number like ${likePattern(digits)}`,
  ]);
  const rows = await db.rows<Offer>(sql`
    select n.number, n.type, n.country, n.city, p.currency, p.setup_micros, p.monthly_micros
    ${fromOffers(account_id)} and ${where}
    order by n.country, n.type, n.city, n.number limit ${page.size + 1} offset ${page.offset}`);
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) from (select 1 ${fromOffers(account_id)} and ${where} limit ${CAP + 1}) capped`,
  );
  return paged(page, rows.map(toFree), count);
}

const toFree = (offer: Offer): FreeNumber => ({
  ...offer,
  setup_cost: offer.setup_micros / 1e6,
  monthly_cost: offer.monthly_micros / 1e6,
  registration: needsRegistration(offer.country, offer.type),
});

export const listPlaces = (db: Queryable, account_id: string) =>
  db.rows<NumberPlace>(sql`
    select n.type, n.country, array_remove(array_agg(distinct n.city), '') as cities, count(*)::int as count,
           p.currency, p.setup_micros, p.monthly_micros
    ${fromOffers(account_id)}
    group by n.type, n.country, p.currency, p.setup_micros, p.monthly_micros order by n.country, n.type`);

/**
 * Returns null if the number is not free. The row stays locked until the end of the transaction, so only one account
 * pays.
 */
export const takeNumber = (
  tx: Tx,
  { number, type, account_id, sender_id }: { number: string; type: NumberType; account_id: string; sender_id: string },
) =>
  tx.maybeOne<{ country: string }>(sql`
    update numbers
    set status = 'taken', account_id = ${account_id}, sender_id = ${sender_id}, update_date = ${tx.now}
    where number = ${number} and type = ${type} and status = 'free' returning country`);

export const findPrice = (tx: Tx, account_id: string, country: string, type: NumberType) =>
  tx.maybeOne<{ currency: string; setup_micros: number; monthly_micros: number }>(sql`
    select p.currency, p.setup_micros, p.monthly_micros from number_prices p join balances b on b.currency = p.currency
    where b.account_id = ${account_id} and p.country = ${country} and p.type = ${type}`);

/** Makes numbers available for rent again when their cooling period is over. */
export async function freeCooledNumbers(tx: Tx): Promise<number> {
  const changed = await tx.run(sql`
    update numbers set status = 'free', free_date = null, update_date = ${tx.now}
    where status = 'cooling' and free_date <= ${tx.now}`);
  if (changed > 0) await emitToOperators(tx, inventoryChanged, { count: changed });
  return changed;
}

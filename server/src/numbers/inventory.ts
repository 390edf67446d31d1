/**
 * The operators' number inventory: adding and retiring numbers, and setting prices. Rented numbers never change here.
 */
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  type addInventory,
  type InventoryNumber,
  inventoryChanged,
  type listInventory as listInventoryEndpoint,
  type NumberPrice,
} from '@parley/contract/numbers/numbers.ts';
import { Problem } from '@parley/contract/problem.ts';
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { emitToOperators } from '../accounts/accounts.ts';
import { and, type Queryable, type Sql, sql } from '../kernel/db/db.ts';
import { CAP, likePattern, orderBy, type Paged, paged, readPage, type Sorts } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';

const columns: Sql = sql`
  n.number, n.type, n.country, n.city, n.status, n.account_id, a.company_name, n.free_date, n.create_date
  from numbers n left join accounts a on a.id = n.account_id`;

const SORTS: Sorts<typeof listInventoryEndpoint> = {
  number: [],
  status: 'status',
  type: 'type',
  country: ['country', 'city'],
  create_date: 'create_date',
};

export async function listInventory(
  db: Queryable,
  query: Parsed<typeof listInventoryEndpoint>['query'],
): Promise<Paged<InventoryNumber>> {
  const page = readPage(query);
  const { search, statuses, types, country } = query.filter ?? {};
  const digits = search?.replace(/\D/g, '');
  const where = and([
    search &&
      sql`(n.city ilike ${likePattern(search)} or a.company_name ilike ${likePattern(search)}
           ${digits ? sql`or n.number like ${likePattern(digits)}` : sql``})`,
    statuses?.length && sql`n.status = any(${statuses}::text[])`,
    types?.length && sql`n.type = any(${types}::text[])`,
    country && sql`n.country = ${country}`,
  ]);
  const rows = await db.rows<InventoryNumber>(sql`
    select ${columns} where ${where}
    order by ${orderBy(page, SORTS, 'number', 'n.create_date desc, n.number')}
    limit ${page.size + 1} offset ${page.offset}`);
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) from (
      select 1 from numbers n left join accounts a on a.id = n.account_id where ${where} limit ${CAP + 1}) capped`);
  return paged(page, rows, count);
}

export async function addNumbers(
  ctx: Ctx,
  { type, country, city, numbers }: Parsed<typeof addInventory>['body'],
): Promise<{ added: number; known: string[]; invalid: string[] }> {
  const { tx } = ctx;
  if (!isSupportedCountry(country)) throw new Problem('COUNTRY_CODE_INVALID');
  const valid = new Set<string>();
  const invalid: string[] = [];
  for (const line of numbers) {
    const digits = parseLine(line, country, type);
    if (digits) valid.add(digits);
    else if (line !== '') invalid.push(line);
  }
  const added = await tx.rows<{ number: string }>(sql`
    insert into numbers (number, type, country, city, status, create_date, update_date)
    select number, ${type}, ${country}, ${city}, 'free', ${tx.now}, ${tx.now}
    from unnest(${[...valid]}::text[]) as g(number)
    where not exists (select from inbound_addresses i where i.channel = ${PHONE_CHANNEL} and i.address = g.number)
    on conflict do nothing returning number`);
  const inserted = new Set(added.map(({ number }) => number));
  if (added.length > 0) {
    await emitToOperators(tx, inventoryChanged, { count: added.length });
    record(tx, ctx, {
      action: 'numbers.added',
      target: { type: 'numbers', id: '', name: `${added.length} numbers` },
      detail: { type, country, city, count: added.length },
    });
  }
  return { added: added.length, known: [...valid].filter((number) => !inserted.has(number)), invalid };
}

/** The digits with the country code. Returns null if the line is not a number of this type in the country. */
function parseLine(line: string, country: CountryCode, type: InventoryNumber['type']): string | null {
  const phone = parsePhoneNumberFromString(line, country);
  if (!phone?.isPossible() || phone.countryCallingCode !== getCountryCallingCode(country)) return null;
  const isTollFree = phone.getType() === 'TOLL_FREE';
  return isTollFree === (type === 'toll_free') ? phone.number.slice(1) : null;
}

export async function retireNumber(ctx: Ctx, number: string, retired: boolean): Promise<InventoryNumber> {
  const { tx } = ctx;
  const before = await tx.maybeOne<{ status: string }>(
    sql`select status from numbers where number = ${number} for update`,
  );
  if (!before) throw new Problem('NUMBER_NOT_FOUND');
  const status = retired ? 'retired' : 'free';
  if (before.status === 'taken' || (!retired && before.status !== 'retired')) throw new Problem('NUMBER_STATE_INVALID');
  if (before.status !== status) {
    await tx.run(sql`
      update numbers set status = ${status}, free_date = null, update_date = ${tx.now} where number = ${number}`);
    await emitToOperators(tx, inventoryChanged, { count: 1 });
    record(tx, ctx, {
      action: retired ? 'number.retired' : 'number.restored',
      target: { type: 'number', id: number, name: number },
    });
  }
  return tx.one<InventoryNumber>(sql`select ${columns} where n.number = ${number}`);
}

export const listPrices = (db: Queryable) =>
  db.rows<NumberPrice & { free_count: number }>(sql`
    select p.country, p.type, p.currency, p.setup_micros, p.monthly_micros,
      (select count(*)::int from numbers n
       where n.country = p.country and n.type = p.type and n.status = 'free') as free_count
    from number_prices p order by p.country, p.type, p.currency`);

export async function putPrice(ctx: Ctx, price: NumberPrice): Promise<NumberPrice> {
  const { tx } = ctx;
  await tx.run(sql`
    insert into number_prices (country, type, currency, setup_micros, monthly_micros, update_date)
    values (${price.country}, ${price.type}, ${price.currency}, ${price.setup_micros}, ${price.monthly_micros},
            ${tx.now})
    on conflict (country, type, currency) do update set
      setup_micros = excluded.setup_micros, monthly_micros = excluded.monthly_micros,
      update_date = excluded.update_date`);
  await emitToOperators(tx, inventoryChanged, { count: 0 });
  record(tx, ctx, {
    action: 'number_price.updated',
    target: { type: 'number_price', id: '', name: `${price.country} ${price.type} ${price.currency}` },
    detail: { setup_micros: price.setup_micros, monthly_micros: price.monthly_micros },
  });
  return price;
}

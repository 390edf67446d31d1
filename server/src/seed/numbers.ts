/** Demo numbers for sale, taken from ranges reserved for fiction where a country has such ranges. */
import { sql, type Tx } from '../kernel/db/db.ts';

const STOCK = [
  { type: 'local', country: 'US', city: 'Seattle', prefix: '120655501', micros: 1_150_000 },
  { type: 'local', country: 'US', city: 'Austin', prefix: '151255501', micros: 1_150_000 },
  { type: 'toll_free', country: 'US', city: '', prefix: '180055501', micros: 2_150_000 },
  { type: 'mobile', country: 'GB', city: '', prefix: '447700900', micros: 3_500_000 },
  { type: 'mobile', country: 'DE', city: '', prefix: '491713920', micros: 5_000_000 },
  { type: 'mobile', country: 'NL', city: '', prefix: '319701025', micros: 4_200_000 },
] as const;
const SETUP = 1_000_000;
const EACH = 12;

/** Adds the numbers, even to a data folder created before the number catalog existed. */
export async function seedNumbers(tx: Tx): Promise<void> {
  if (await tx.maybeOne(sql`select 1 from number_prices limit 1`)) return;
  for (const { type, country, city, prefix, micros } of STOCK) {
    // Pads the number to the country's usual length.
    const digits = { US: 2, GB: 3, DE: 4, NL: 3 }[country];
    const numbers = Array.from({ length: EACH }, (_, index) => prefix + String(20 + index * 3).padStart(digits, '0'));
    await tx.run(sql`
      insert into numbers (number, type, country, city, status)
      select number, ${type}, ${country}, ${city}, 'free' from unnest(${numbers}::text[]) as n(number)
      where not exists (select from inbound_addresses i where i.channel = 'SMS' and i.address = n.number)
      on conflict do nothing`);
    for (const currency of ['USD', 'EUR'])
      await tx.run(sql`
        insert into number_prices (country, type, currency, setup_micros, monthly_micros)
        values (${country}, ${type}, ${currency}, ${SETUP}, ${micros}) on conflict do nothing`);
  }
}

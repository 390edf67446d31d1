import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
let next = 0;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());
beforeEach(() => world.kernel.db.run(sql`delete from rates`));

const price = (currency: string, country: string, account_id: string | null = null, channel = 'SMS') =>
  world.kernel.db.run(sql`
    insert into rates (id, account_id, channel, country, price_micros, currency)
    values (${newId()}, ${account_id}, ${channel}, ${country}, 50000, ${currency})`);
/** Signs up and returns the currency of the new account, which must match the currency of its balance. */
async function signUp(country_code: string): Promise<string> {
  const email = `nora${++next}@money.localhost`;
  const { status } = await world.as().post('/v1/users', {
    email,
    password: 'Tangled-teapot-7',
    first_name: 'Nora',
    last_name: 'Lind',
    company_name: `Nora ${newId()}`,
    country_code,
    terms: true,
  });
  expect(status).toBe(201);
  const currencies = await world.kernel.db.one<{ account: string; balance: string }>(sql`
    select a.currency as account, b.currency as balance
    from users u join accounts a on a.id = u.account_id join balances b on b.account_id = a.id
    where u.email = ${email}`);
  expect(currencies.balance).toBe(currencies.account);
  return currencies.account;
}
const all = async (...countries: string[]) => {
  const currencies: string[] = [];
  for (const country of countries) currencies.push(await signUp(country));
  return currencies;
};

it('a new account uses its country’s currency if domestic messages are priced in it, else dollars', async () => {
  for (const country of ['DE', 'AM', 'GB']) await price('USD', country);
  await price('EUR', 'DE');
  await price('AMD', 'AM');
  // France has no price in euros. Prices for a single account or for other channels do not count.
  await price('RUB', 'RU', newId());
  await price('AED', 'AE', null, 'WHATSAPP');
  expect(await all('DE', 'AM', 'GB', 'FR', 'RU', 'AE')).toEqual(['EUR', 'AMD', 'USD', 'USD', 'USD', 'USD']);
});

it('a new account uses the currency with the most prices when none are in dollars', async () => {
  expect(await signUp('DE')).toBe('USD');
  await price('AMD', 'AM');
  await price('EUR', 'DE');
  await price('EUR', 'FR');
  expect(await all('US', 'AM')).toEqual(['EUR', 'AMD']);
});

it('a new account uses only currencies that operators offer, and their default before dollars', async () => {
  for (const currency of ['USD', 'EUR', 'AED']) await price(currency, 'DE');
  const makeDefault = async (code: string) => {
    await world.kernel.db.run(sql`update currencies set is_default = false`);
    await world.kernel.db.run(sql`update currencies set is_default = true where code = ${code}`);
  };
  await makeDefault('AED');
  await world.kernel.db.run(sql`update currencies set enabled = false where code = 'EUR'`);
  expect(await signUp('DE')).toBe('AED');
  await world.kernel.db.run(sql`update currencies set enabled = true`);
  expect(await signUp('DE')).toBe('EUR');
  await makeDefault('USD');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';

let world: World;
let company: Company;
let caller: Caller;
let neighbor: Caller;
let operator: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  caller = world.as(company.token);
  neighbor = world.as((await makeCompany(world.kernel)).token);
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
});
afterAll(() => world.stop());

const own = (country: string, price_micros: number) =>
  world.kernel.db.run(sql`
    insert into rates (id, account_id, channel, country, price_micros, currency)
    values (${newId()}, ${company.account_id}, 'SMS', ${country}, ${price_micros}, 'USD')
    on conflict (account_id, channel, country, mccmnc, currency, purpose)
    do update set price_micros = excluded.price_micros`);
const dropOwn = (country: string) =>
  world.kernel.db.run(sql`delete from rates where account_id = ${company.account_id} and country = ${country}`);
async function list(country: string, price_micros: number): Promise<string> {
  const key = { channel: 'SMS', country, currency: 'USD' };
  return (await operator.post('/v1/prices', { ...key, price_micros })).body.data.id;
}
/** Runs a statement that the history does not record, as before the upgrade. */
const unrecorded = (statement: Sql) =>
  world.kernel.db.tx(async (tx) => {
    await tx.run(sql`alter table rates disable trigger rates_recorded`);
    await tx.run(statement);
    await tx.run(sql`alter table rates enable trigger rates_recorded`);
  });
const change = (id: string, price_micros: number) => operator.put(`/v1/prices/${id}`, { price_micros });
const rate = async (who: Caller, country: string) =>
  (await who.get(`/v1/rates?filter[country]=${country}`)).body.data[0];
const steps = async (who: Caller, filter: string) =>
  (await who.get(`/v1/rate_changes?page_size=50&${filter}`)).body.data.map(
    (row: { before_micros: number | null; after_micros: number | null; custom: boolean }) => [
      row.before_micros,
      row.after_micros,
      row.custom,
    ],
  );
/** Prices of a country in the export as in force at a time. */
const priceAt = async (who: Caller, country: string, date: Date) => {
  const at = date.toISOString().slice(0, 23).replace('T', ' ');
  const { text } = await who.get(`/v1/export_rates?filter[country]=${country}&date=${encodeURIComponent(at)}`);
  return text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[5]);
};

test('a price shows when it took effect, and what it was before', async () => {
  const id = await list('SE', 50_000);
  expect(await rate(caller, 'SE')).toMatchObject({ price_micros: 50_000, previous_micros: null });
  expect((await rate(caller, 'SE')).since).not.toBeNull();
  await change(id, 60_000);
  const since = (await rate(caller, 'SE')).since;
  await change(id, 60_000);
  expect(await rate(caller, 'SE')).toMatchObject({ price_micros: 60_000, previous_micros: 50_000, since });
  const [price] = (await operator.get('/v1/prices?filter[country]=SE')).body.data;
  expect(price).toMatchObject({ since, previous_micros: 50_000, user_name: 'Test Person' });
});

test('a price from before the history has no date, even after a change that is missing from the history', async () => {
  await unrecorded(sql`
    insert into rates (id, channel, country, price_micros, currency) values (${newId()}, 'SMS', 'NO', 70000, 'USD')`);
  expect(await rate(caller, 'NO')).toMatchObject({ price_micros: 70_000, since: null, previous_micros: null });
  expect(await steps(caller, 'filter[country]=NO')).toEqual([]);
  await world.kernel.db.run(sql`update rates set price_micros = 71000 where country = 'NO'`);
  expect(await rate(caller, 'NO')).toMatchObject({ price_micros: 71_000, previous_micros: 70_000 });
  await unrecorded(sql`update rates set price_micros = 72000 where country = 'NO'`);
  expect(await rate(caller, 'NO')).toMatchObject({ price_micros: 72_000, since: null, previous_micros: null });
});

test('changes of the list price are left out while a custom price applies', async () => {
  const id = await list('FI', 10_000);
  await change(id, 11_000);
  await own('FI', 8_000);
  await change(id, 12_000);
  expect(await rate(caller, 'FI')).toMatchObject({ price_micros: 8_000, custom: true, previous_micros: 11_000 });
  await own('FI', 9_000);
  await dropOwn('FI');
  expect(await rate(caller, 'FI')).toMatchObject({ price_micros: 12_000, custom: false, previous_micros: 9_000 });
  await change(id, 13_000);
  expect(await steps(caller, 'filter[country]=FI')).toEqual([
    [12_000, 13_000, false],
    [9_000, 12_000, true],
    [8_000, 9_000, true],
    [11_000, 8_000, true],
    [10_000, 11_000, false],
    [null, 10_000, false],
  ]);
  expect(await rate(caller, 'FI')).toMatchObject({ price_micros: 13_000, previous_micros: 12_000 });
  expect(await steps(neighbor, 'filter[country]=FI'), 'another account sees the list prices only').toEqual([
    [12_000, 13_000, false],
    [11_000, 12_000, false],
    [10_000, 11_000, false],
    [null, 10_000, false],
  ]);
  const changes = (await operator.get('/v1/price_changes?filter[country]=FI')).body;
  expect(changes.pagination.total, 'operators see changes to list prices').toBe(4);
});

test('a custom price from before the history hides the list price too', async () => {
  await unrecorded(sql`
    insert into rates (id, account_id, channel, country, price_micros, currency)
    values (${newId()}, ${company.account_id}, 'SMS', 'DK', 5000, 'USD')`);
  const id = await list('DK', 10_000);
  expect(await steps(caller, 'filter[country]=DK')).toEqual([]);
  await own('DK', 6_000);
  await change(id, 11_000);
  expect(await steps(caller, 'filter[country]=DK')).toEqual([[5_000, 6_000, true]]);
});

test('the export has the prices in force at a time', async () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
  const mark = async () => {
    await pause();
    const date = new Date();
    await pause();
    return date;
  };
  const start = await mark();
  const id = await list('IS', 20_000);
  const listed = await mark();
  await own('IS', 15_000);
  const custom = await mark();
  await change(id, 25_000);
  await operator.delete(`/v1/prices/${id}`);
  const removed = await mark();
  await dropOwn('IS');
  const gone = await mark();
  const times = [start, listed, custom, removed, gone];
  const prices = (who: Caller) => Promise.all(times.map((date) => priceAt(who, 'IS', date)));
  expect(await prices(caller)).toEqual([[], ['0.02'], ['0.015'], ['0.015'], []]);
  expect(await prices(neighbor)).toEqual([[], ['0.02'], ['0.02'], [], []]);
  const codeAt = async (date: string) => (await caller.get(`/v1/export_rates?date=${date}`)).body.errors[0].code;
  expect(await codeAt('2020-01-01')).toBe(2550);
  expect(await codeAt('2026-02-30')).toBe(1705);
});

test('changes are filtered by channel, network, and time', async () => {
  const { db } = world.kernel;
  await db.run(
    sql`insert into networks (mccmnc, name, country) values ('24001', 'Telia', 'SE') on conflict do nothing`,
  );
  await db.run(sql`
    insert into rates (id, channel, country, mccmnc, purpose, price_micros, currency) values
      (${newId()}, 'SMS', 'SE', '24001', null, 1000, 'USD'),
      (${newId()}, 'WHATSAPP', 'SE', null, 'utility', 2000, 'USD'),
      (${newId()}, 'SMS', 'SE', '24001', null, 3000, 'EUR')`);
  expect(await steps(caller, 'filter[country]=se&filter[network]=tel')).toEqual([[null, 1000, false]]);
  expect(await steps(caller, 'filter[network]=24001')).toEqual([[null, 1000, false]]);
  expect(await steps(caller, 'filter[country]=SE&filter[channel]=whatsapp')).toEqual([[null, 2000, false]]);
  expect(await steps(caller, 'filter[country]=SE&filter[to]=2020-01-01')).toEqual([]);
  expect((await steps(caller, 'filter[country]=SE&filter[from]=2020-01-01')).length).toBe(4);
  const refused = await caller.get('/v1/rate_changes?filter[country]=XX');
  expect(refused.status).toBe(400);
});

test('the history cannot be changed, bypassed, or written by processes of the previous release', async () => {
  const { db } = world.kernel;
  await expect(db.run(sql`update price_changes set after_micros = 1`)).rejects.toThrow(/append-only/);
  await expect(db.run(sql`truncate rates`)).rejects.toThrow(/gap in the history/);
  await db.run(sql`
    insert into price_changes (id, user_id, user_name, channel, country, currency, after_micros, create_date)
    values (${newId()}, ${newId()}, 'Old', 'SMS', 'LV', 'USD', 1, now())`);
  expect(await steps(caller, 'filter[country]=LV')).toEqual([]);
  await expect(
    db.tx(async (tx) => {
      await tx.run(sql`
        insert into rates (id, channel, country, price_micros, currency) values (${newId()}, 'SMS', 'LV', 1, 'USD')`);
      throw new Error('crash');
    }),
  ).rejects.toThrow('crash');
  expect(await steps(caller, 'filter[country]=LV')).toEqual([]);
});

test('a price that moves to another destination is removed there and added here', async () => {
  const id = await list('EE', 4_000);
  await world.kernel.db.run(sql`update rates set country = 'LT', price_micros = 5000 where id = ${id}`);
  expect(await steps(caller, 'filter[country]=EE')).toEqual([
    [4_000, null, false],
    [null, 4_000, false],
  ]);
  expect(await steps(caller, 'filter[country]=LT')).toEqual([[null, 5_000, false]]);
});

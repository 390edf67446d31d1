import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';
import { closeHolds, openHold, readPriceBook } from './billing.ts';

let world: World;
let company: Company;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel, { balance_micros: 2_500_000, credit_limit_micros: 1_000_000 });
});
afterAll(() => world.stop());

test('the balance is returned in units and micro-units, only to users with permission', async () => {
  const path = `/v1/balances/${company.account_id}`;
  expect((await world.as(company.token).get(path)).body.data).toEqual({
    id: company.account_id,
    account_id: company.account_id,
    balance: 2.5,
    pending_balance: 0,
    currency: 'USD',
    configuration: { credit_limit: 1 },
    available_micros: 2_500_000,
    held_micros: 0,
    frozen_micros: 0,
  });
  const stranger = await makeCompany(world.kernel);
  expect((await world.as(stranger.token).get(path)).body.errors[0].code).toBe(7920);
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 15 } });
  expect((await world.as(agent.token).get(path)).body.errors[0].code).toBe(1136);
});

test('the ledger shows the entries of the chosen days', async () => {
  const { token } = await makeCompany(world.kernel);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const count = async (filter: string) => (await world.as(token).get(`/v1/ledger?${filter}`)).body.data.length;
  expect(await count(`filter[from]=${day(-1)}&filter[to]=${day(1)}`)).toBe(1);
  expect(await count(`filter[to]=${day(-2)}`)).toBe(0);
  expect(await count(`filter[from]=${day(2)}`)).toBe(0);
  expect((await world.as(token).get('/v1/ledger?filter[from]=2026-02-30')).body.errors[0].code).toBe(1705);
});

test('the ledger lists all entries, newest first, and can be filtered', async () => {
  const { account_id } = company;
  const campaign_id = newId();
  await world.kernel.db.tx(async (tx) => {
    const hold_id = await openHold(tx, { account_id, amount_micros: 300, message_count: 3, campaign_id });
    const entry = { account_id, hold_id, campaign_id };
    await closeHolds(tx, [
      { ...entry, outcome: 'settled', amount_micros: 200, message_count: 2 },
      { ...entry, outcome: 'released', amount_micros: 100, message_count: 1 },
    ]);
  });
  const owner = world.as(company.token);
  const { body } = await owner.get('/v1/ledger');
  expect(
    body.data.map((entry: { kind: string; amount_micros: number; message_count: number }) => [
      entry.kind,
      entry.amount_micros,
      entry.message_count,
    ]),
  ).toEqual([
    ['settle', 200, 2],
    ['release', 100, 1],
    ['hold', 300, 3],
    ['top_up', 2_500_000, 0],
  ]);
  expect(body.data[0]).toMatchObject({
    debit: 'held',
    credit: 'spent',
    available_after_micros: 2_499_800,
    held_after_micros: 0,
  });
  expect((await owner.get(`/v1/ledger?filter[campaign_id]=${campaign_id}`)).body.pagination.total).toBe(3);
  expect((await owner.get('/v1/ledger?filter[kinds]=hold,top_up')).body.pagination.total).toBe(2);
  expect((await owner.get('/v1/ledger?filter[kinds]=theft')).body.errors[0].code).toBe(1705);
  expect((await owner.get('/v1/ledger?filter[campaign_id]=7')).body.errors[0].code).toBe(1705);
});

test('a network or account price overrides the standard price, and changes apply immediately', async () => {
  const { db } = world.kernel;
  const rate = (account_id: string | null, country: string, mccmnc: string | null, price_micros: number) =>
    db.run(sql`
      insert into rates (id, account_id, channel, country, mccmnc, price_micros, currency)
      values (${newId()}, ${account_id}, 'SMS', ${country}, ${mccmnc}, ${price_micros}, 'USD')`);
  const price = async (number: string, account_id = company.account_id) =>
    (await readPriceBook(world.kernel)).price(account_id, 'SMS', number, 'AM', 'USD');
  await db.run(
    sql`insert into networks (mccmnc, name, country) values ('28301', 'Team', 'AM'), ('28305', 'Viva', 'AM')`,
  );
  await db.run(sql`insert into network_prefixes (prefix, mccmnc) values ('37491', '28301'), ('374', '28305')`);
  expect(await price('37491123456')).toBeNull();
  await rate(null, 'AM', null, 95_000);
  expect(await price('37491123456')).toEqual({ price_micros: 95_000, mccmnc: '28301' });
  await rate(null, 'AM', '28301', 90_000);
  expect(await price('37491123456')).toEqual({ price_micros: 90_000, mccmnc: '28301' });
  expect(await price('37477123456')).toEqual({ price_micros: 95_000, mccmnc: '28305' });
  await rate(company.account_id, 'AM', null, 80_000);
  expect(await price('37491123456')).toEqual({ price_micros: 80_000, mccmnc: '28301' });
  expect(await price('37491123456', newId())).toEqual({ price_micros: 90_000, mccmnc: '28301' });
  await db.run(sql`update rates set price_micros = 1 where account_id = ${company.account_id}`);
  expect(await price('37491123456')).toEqual({ price_micros: 1, mccmnc: '28301' });
  expect((await readPriceBook(world.kernel)).networkName('28305')).toBe('Viva');

  const { body } = await world.as(company.token).get('/v1/rates?filter[country]=am');
  expect(
    body.data.map((row: { network: string | null; price_micros: number; custom: boolean }) => [
      row.network,
      row.price_micros,
      row.custom,
    ]),
  ).toEqual([
    [null, 1, true],
    ['Team', 90_000, false],
  ]);
  expect((await world.as(company.token).get('/v1/rates?filter[country]=Tea')).body.pagination.total).toBe(1);
});

test('the price list is downloaded as CSV and XLSX', async () => {
  const caller = world.as(company.token);
  const csv = await caller.get('/v1/export_rates?filter[channel]=sms');
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.text.split('\r\n')[0]).toContain('Country,Channel,MCC/MNC,Network,Purpose,Price,Currency,Price list');
  const xlsx = await caller.get('/v1/export_rates?format=xlsx&rate_mode=ACCOUNT');
  expect([xlsx.status, xlsx.text.slice(0, 2)]).toEqual([200, 'PK']);
  expect((await caller.get('/v1/export_rates?format=pdf')).status).toBe(400);
});

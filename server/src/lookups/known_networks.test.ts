/** Recent lookups of an account decide the route and the price of its messages. */
import type { RuleCheck } from '@parley/contract/messages/decisions.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { forgetRoutes } from '../messages/messages.ts';
import { makeAudience, makeCarrier, makeCompany, makeSender } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';

/** In the range of North, whose messages cost more. */
const NUMBER = '447400000777';
const [NORTH, SOUTH] = ['23491', '23492'];

let world: World;
let usual: string;
let north: string;
let account_id: string;
let company: Caller;
let sender_id: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const { kernel } = world;
  [usual, north] = (await Promise.all(
    ['Usual', 'To North', 'To South'].map(async (name) => (await makeCarrier(kernel, { name })).connection_id),
  )) as [string, string];
  await kernel.db.run(sql`
    insert into networks (mccmnc, name, country) values (${NORTH}, 'North', 'GB'), (${SOUTH}, 'South', 'GB')`);
  await kernel.db.run(sql`
    insert into network_prefixes (prefix, mccmnc) values ('447400', ${NORTH}), ('447500', ${SOUTH})`);
  await kernel.db.run(sql`update routes set priority = 1 where connection_id = ${usual}`);
  await kernel.db.run(sql`
    update routes set mccmnc = case connection_id when ${north} then ${NORTH} else ${SOUTH} end
    where connection_id <> ${usual}`);
  await kernel.db.run(sql`
    insert into rates (id, channel, country, mccmnc, price_micros, currency)
    values (${newId()}, 'SMS', 'GB', ${NORTH}, 90000, 'USD'), (${newId()}, 'SMS', 'GB', ${SOUTH}, 20000, 'USD')`);
  forgetRoutes(kernel.db);
});
afterAll(() => world.stop());
beforeEach(async () => {
  const made = await makeCompany(world.kernel);
  account_id = made.account_id;
  company = world.as(made.token);
  sender_id = (await makeSender(world.kernel, account_id)).sender_id;
});

interface Result {
  mccmnc?: string | null;
  status?: string;
  days?: number;
  is_live?: boolean;
  owner?: string;
}
const insertResult = ({ mccmnc = SOUTH, status = 'good', days = 3, is_live = true, owner = account_id }: Result = {}) =>
  world.kernel.db.run(sql`
    insert into number_lookups (account_id, id, number, country, status, is_live, mccmnc, provider, price_micros,
      currency, charged, result_date)
    values (${owner}, ${newId()}, ${NUMBER}, 'GB', ${status}, ${is_live}, ${mccmnc}, 'infobip', 5000, 'USD', true,
      now() - ${days}::int * interval '1 day')`);

async function send() {
  const reply = await company.post('/v1/messages', { channel: 'SMS', from: sender_id, to: [NUMBER], text: 'Hello' });
  expect(reply.status, reply.text).toBe(200);
  const [{ id }] = reply.body.data;
  const { price_micros, mccmnc, connection_name, decisions } = (await company.get(`/v1/messages/${id}`)).body.data;
  const values = (rule: string) => (decisions as RuleCheck[]).find((check) => check.rule === rule)!.values;
  return { price_micros, mccmnc, connection_name, route: values('route'), price: values('price') };
}

test('without a lookup, the range of a number decides its route and price', async () => {
  const range = { network: 'North', network_from: 'number range' };
  expect(await send()).toMatchObject({
    ...{ price_micros: 90_000, mccmnc: NORTH, connection_name: 'To North', route: range, price: range },
  });
});

test('a recent lookup decides the route and price, and Why? says how old it is', async () => {
  await insertResult();
  const found = { network: 'South', network_from: 'carrier lookup', lookup_age: '3 days' };
  expect(await send()).toMatchObject({
    ...{ price_micros: 20_000, mccmnc: SOUTH, connection_name: 'To South', route: found, price: found },
  });
});

test('a network without its own route or price uses those of the country', async () => {
  await insertResult({ mccmnc: '23499' });
  expect(await send()).toMatchObject({ price_micros: 40_000, mccmnc: '23499', connection_name: 'Usual' });
});

test.each<[string, Result[]]>([
  ['an old lookup', [{ days: 31 }]],
  ['a result of the numbering plan', [{ is_live: false }]],
  ['a result without a network', [{ mccmnc: null }]],
  ['a lookup that a newer one contradicts', [{ days: 4 }, { status: 'bad', mccmnc: null, days: 1 }]],
])('%s does not decide the network', async (_, results) => {
  for (const result of results) await insertResult(result);
  expect(await send()).toMatchObject({ price_micros: 90_000, connection_name: 'To North' });
});

test('the lookup of another account does not decide the network', async () => {
  await insertResult({ owner: (await makeCompany(world.kernel)).account_id });
  await insertResult({ days: 40 });
  expect(await send()).toMatchObject({ price_micros: 90_000, connection_name: 'To North' });
});

test('messages that are sent together, and the estimate of a campaign, use the same networks', async () => {
  await insertResult();
  const other = '447400000778';
  const body = (to: string) => ({ channel: 'SMS', from: sender_id, to: [to], text: 'Hello' });
  const replies = await Promise.all([NUMBER, other, NUMBER].map((to) => company.post('/v1/messages', body(to))));
  expect(replies.map((reply) => reply.body.data[0].price_micros)).toEqual([20_000, 90_000, 20_000]);
  const audience_id = await makeAudience(world.kernel, account_id, [{ number: NUMBER }, { number: other }]);
  const estimate = await company.post('/v1/campaign_previews', {
    ...{ channel: 'SMS', from: sender_id, audience: audience_id, text: 'Hello' },
  });
  expect(estimate.status, estimate.text).toBe(200);
  expect(JSON.stringify(estimate.body)).toContain('"cost_micros":110000');
});

/**
 * A rehearsal, the messages, the ledger, and the statement name the same amounts for people in five countries. With
 * SOAK=1, the campaign has 20,000 people.
 */

import type { Statement } from '@parley/contract/billing/statements.ts';
import type { CampaignRehearsal } from '@parley/contract/campaigns/rehearsals.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  applyCarrierStatus,
  broken,
  fanOutAll,
  makeStage,
  readBalance,
  readCampaign,
  type Stage,
  startCampaign,
} from '../../test/campaigns.ts';
import { makeAudience, makeCarrier } from '../../test/make.ts';
import { isSoak } from '../../test/soak/soak.ts';
import { createWorld, type World } from '../../test/world.ts';

const PEOPLE = isSoak ? 20_000 : 300;
const BALANCE = 10_000_000_000;
const NETWORK = '26299';
/** Odd prices per segment, whose errors of rounding would not cancel out. */
const PRICES = { GB: 39_999, US: 7_901, DE: 75_003, FR: 45_557, ES: 61_111 };
const NETWORK_PRICE = 83_333;
const OWN_PRICE = 58_007;

/**
 * In turn: a network with its own price, a country with a custom price for the account, and a country without a price.
 */
const PLACES = [
  { country: 'GB', prefix: '4474' },
  { country: 'US', prefix: '1202' },
  { country: 'DE', prefix: '49151' },
  { country: 'DE', prefix: '49170' },
  { country: 'FR', prefix: '336' },
  { country: 'ES', prefix: '346' },
  { country: 'IT', prefix: '393' },
] as const;
/** One segment, two segments, the fallback, one segment in Unicode, and several segments in Unicode. */
const NAMES = ['Ada', 'A'.repeat(160), '', 'Žofie', 'Ж'.repeat(150)];

const people = Array.from({ length: PEOPLE }, (_, index) => {
  const { country, prefix } = PLACES[index % PLACES.length]!;
  return { number: `${prefix}${String(1_000_000 + index)}`, country, first_name: NAMES[index % NAMES.length]! };
});
const isStopped = (index: number) => index % 11 === 3;
const isExcluded = (index: number) => index % 13 === 5;
const reached = people.filter(({ country }, index) => country !== 'IT' && !isStopped(index) && !isExcluded(index));
/** The segments of "Dear {first_name:friend}, hello" by the index in NAMES. */
const SEGMENTS = [1, 2, 1, 1, 3];

/** The cost per person, calculated by hand. */
function expectedPrice({ number, country, first_name }: (typeof people)[number]): number {
  const segments = SEGMENTS[NAMES.indexOf(first_name)]!;
  if (number.startsWith('49151')) return segments * NETWORK_PRICE;
  if (country === 'ES') return segments * OWN_PRICE;
  return segments * PRICES[country as keyof typeof PRICES];
}
function expectedCosts(): Record<string, number> {
  const costs: Record<string, number> = {};
  for (const person of reached) costs[person.country] = (costs[person.country] ?? 0) + expectedPrice(person);
  return costs;
}

let world: World;
let stage: Stage;
let fields: Record<string, unknown>;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const { db } = world.kernel;
  await makeCarrier(world.kernel, { countries: Object.keys(PRICES) });
  for (const [country, price_micros] of Object.entries(PRICES))
    await db.run(sql`update rates set price_micros = ${price_micros} where country = ${country}`);
  await db.run(sql`insert into networks (mccmnc, name, country) values (${NETWORK}, 'Test', 'DE')`);
  await db.run(sql`insert into network_prefixes (prefix, mccmnc) values ('49151', ${NETWORK})`);
  stage = await makeStage(world, people, { balance_micros: BALANCE });
  const { account_id } = stage;
  await db.run(sql`
    insert into rates (id, account_id, channel, country, mccmnc, price_micros, currency)
    select ${newId()}::uuid, null::uuid, channel, 'DE', ${NETWORK}, ${NETWORK_PRICE}::bigint, currency
    from rates where country = 'DE'
    union all
    select ${newId()}::uuid, ${account_id}::uuid, channel, 'ES', null, ${OWN_PRICE}::bigint, currency
    from rates where country = 'ES'`);
  const stopped = people.filter((_, index) => isStopped(index)).map(({ number }) => number);
  await db.run(sql`
    insert into stop_list (account_id, id, number, reason)
    select ${account_id}::uuid, gen_random_uuid(), number, 'manual' from unnest(${stopped}::text[]) as s(number)`);
  const excluded = await makeAudience(
    world.kernel,
    account_id,
    people.filter((_, index) => isExcluded(index)),
  );
  // Every fifth person is in both audiences and gets one message.
  const second = await makeAudience(
    world.kernel,
    account_id,
    people.filter((_, index) => index % 5 === 0),
  );
  fields = {
    audience_ids: [stage.audience_id, second],
    excluded_audience_ids: [excluded],
    text: 'Dear {first_name:friend}, hello',
  };
});
afterAll(() => world.stop());

const sumUp = <Row>(rows: readonly Row[], key: (row: Row) => string, value: (row: Row) => number) => {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[key(row)] = (sums[key(row)] ?? 0) + value(row);
  return sums;
};

test('a rehearsal agrees with the bill to the cent for people in five countries', async () => {
  const { db } = world.kernel;
  const { account_id, caller } = stage;
  const rehearsed = await caller.post('/v1/campaign_rehearsals', { from: stage.sender_id, ...fields });
  if (rehearsed.status !== 200) throw new Error(rehearsed.text);
  const data = rehearsed.body.data as CampaignRehearsal;
  const costs = expectedCosts();
  const total = Object.values(costs).reduce((all, cost) => all + cost, 0);
  expect(data).toMatchObject({ counts: { will_receive: reached.length }, total_micros: total });
  const networkCosts = sumUp(
    data.networks,
    (row) => row.country,
    (row) => row.cost_micros ?? 0,
  );
  expect(networkCosts).toEqual(costs);
  // Only Germany has a network with a price of its own.
  for (const { country, certainty } of data.networks)
    expect([country, certainty]).toEqual([country, country === 'DE' ? 'number_range' : 'certain']);
  expect(await readBalance(world, stage)).toEqual({ available_micros: BALANCE, held_micros: 0 });

  const campaign = await startCampaign(stage, { audience: undefined, ...fields });
  await fanOutAll(world, campaign);
  expect(await readBalance(world, stage)).toEqual({ available_micros: BALANCE - total, held_micros: total });
  const limit = 1_000;
  while ((await applyCarrierStatus(world, campaign, 'sent', { limit })) > 0);
  while ((await applyCarrierStatus(world, campaign, 'delivered', { limit, of: 'sent' })) > 0);

  const messages = await db.rows<{ number: string; country: string; price_micros: number; charge: string }>(sql`
    select number, country, price_micros, charge from messages
    where account_id = ${account_id} and campaign_id = ${campaign.id}`);
  expect(new Set(messages.map(({ charge }) => charge))).toEqual(new Set(['settled']));
  const bill = new Map(messages.map(({ number, price_micros }) => [number, price_micros]));
  expect(bill).toEqual(new Map(reached.map((person) => [person.number, expectedPrice(person)])));
  expect(messages).toHaveLength(reached.length);

  const { sum } = await db.one<{ sum: number }>(sql`
    select sum(amount_micros)::bigint as sum from ledger where account_id = ${account_id} and kind = 'settle'`);
  expect(sum).toBe(data.total_micros);
  expect(await readBalance(world, stage)).toEqual({ available_micros: BALANCE - total, held_micros: 0 });
  const month = world.kernel.clock.now().toISOString().slice(0, 7);
  const { movements, closing_micros } = (await caller.get(`/v1/statements/${month}`)).body.data as Statement;
  expect(movements.find(({ kind }) => kind === 'settle')?.amount_micros).toBe(-total);
  expect(closing_micros).toBe(BALANCE - total);

  const { actual, forecast } = (await caller.get(`/v1/campaigns/${campaign.id}/results`)).body.data;
  expect(forecast.total_micros).toBe(total);
  expect(
    sumUp(
      actual as CampaignRehearsal['networks'],
      (row) => row.country,
      (row) => row.cost_micros ?? 0,
    ),
  ).toEqual(costs);
  expect((await readCampaign(stage, campaign.id)).fanned_out).toBe(reached.length);
  expect(await broken(world)).toEqual([]);
});

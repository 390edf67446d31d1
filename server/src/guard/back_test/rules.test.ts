/** Back-tests of country lists and of fraud protection. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeStage, type Stage, writeBack } from '../../test/campaigns.ts';
import { makeUser } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

const HOUR_MS = 3_600_000;
/** The start of the hour that was this many hours ago. */
const hoursAgo = (hours: number) => (Math.floor(Date.now() / HOUR_MS) - hours) * HOUR_MS;

interface Batch {
  range: string;
  count: number;
  ms: number;
  step?: number;
  country?: string;
  status?: string;
  source?: string;
  /** How many of the codes are entered. */
  entered?: number;
}

/** Adds messages of the past, a second apart. */
async function addMessages({ account_id, sender_id }: Stage, batch: Batch): Promise<void> {
  const { range, count, ms, step = 37, country = 'GB', status = 'delivered', source = 'api', entered } = batch;
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{ id: newId(ms + n * 1_000), number: `${range}${100_000 + n * step}`, at: new Date(ms + n * 1_000) },
    code: entered === undefined ? null : n < entered ? 'verified' : 'expired',
  }));
  await world.kernel.db.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
      segments_count, encoding, price_micros, currency, source, create_date, verification_status)
    select ${account_id}, t.id, 'MT', 'SMS', ${status}, ${sender_id}, 'Parley', t.number, t.number, ${country}, 'Hi', 1,
      'GSM-7', 40000, 'USD', ${source}, t.at, t.code
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ number }) => number)}::text[],
                ${rows.map(({ at }) => at)}::timestamptz[], ${rows.map(({ code }) => code)}::text[])
      as t(id, number, at, code)`);
}

test('a back-test of a country list counts the messages that the list would have blocked', async () => {
  const stage = await makeStage(world, []);
  await addMessages(stage, { range: '447400', count: 3, ms: hoursAgo(50) });
  await addMessages(stage, { range: '336120', count: 4, ms: hoursAgo(2), country: 'FR' });
  await addMessages(stage, { range: '491510', count: 2, ms: hoursAgo(40), country: 'DE', status: 'failed' });
  await addMessages(stage, { range: '491511', count: 5, ms: hoursAgo(91 * 24), country: 'DE' });
  await writeBack(world, stage, '336120100037', 'Yes');
  const run = async (list: string, countries: string[], caller = stage.caller) =>
    (await caller.post('/v1/country_back_tests', { list, countries })).body.data;

  const blocked = await run('blocked', ['FR', 'DE', 'US']);
  expect(blocked).toMatchObject({
    ...{ days: 90, messages: 9, blocked: 6, blocked_micros: 240_000, delivered: 4, answered: 1, countries_total: 2 },
    countries: [
      { country: 'FR', blocked: 4, blocked_micros: 160_000 },
      { country: 'DE', blocked: 2, blocked_micros: 80_000 },
    ],
  });
  expect(blocked.examples).toHaveLength(6);
  expect(blocked.examples.filter(({ answered }: { answered: boolean }) => answered)).toMatchObject([
    { to: '336120100037', country: 'FR', status: 'delivered' },
  ]);
  expect(await run('allowed', ['FR', 'DE'])).toMatchObject({ blocked: 3, answered: 0 });
  expect(await run('allowed', ['FR', 'DE', 'GB'])).toMatchObject({ blocked: 0, countries: [], examples: [] });
  const user = await makeUser(world.kernel, stage.account_id, { permissions: { ACCOUNTS: 1 } });
  expect(await run('blocked', ['FR'], world.as(user.token))).toMatchObject({
    ...{ blocked: 4, blocked_micros: null, examples: null },
    countries: [{ country: 'FR', blocked_micros: null }],
  });
  const { status, body } = await stage.caller.post('/v1/country_back_tests', { list: 'all', countries: [] });
  expect([status, body.errors[0].code]).toEqual([400, 2665]);
  expect((await stage.caller.get('/v1/country_blacklist')).body.data.countries).toEqual([]);
});

test('a back-test of fraud protection finds past signs and the messages that stops would have blocked', async () => {
  const stage = await makeStage(world, []);
  // Usual traffic, which shows no sign.
  for (let hour = 0; hour < 40; hour++)
    await addMessages(stage, { range: '447400', count: 10, ms: hoursAgo(400 - 4 * hour) });
  // One range gets all messages of an hour: the stop begins after 50 of them and lasts 24 hours.
  await addMessages(stage, { range: '447411', count: 60, ms: hoursAgo(150) });
  await addMessages(stage, { range: '447411', count: 30, ms: hoursAgo(140) });
  await addMessages(stage, { range: '447411', count: 5, ms: hoursAgo(120) });
  // 30 consecutive numbers: the stop begins after 20.
  await addMessages(stage, { range: '447422', count: 30, ms: hoursAgo(100), step: 1 });
  // No messages to the usual range arrive. The outcomes of the fifth hour show it, some minutes after its end.
  for (let hour = 56; hour > 51; hour--)
    await addMessages(stage, { range: '447400', count: 10, ms: hoursAgo(hour), status: 'failed', step: 50 });
  await addMessages(stage, { range: '447400', count: 7, ms: hoursAgo(47) });
  // Codes are not compared.
  await addMessages(stage, { range: '447433', count: 80, ms: hoursAgo(30), source: 'verification' });

  const settings = { messages: 'block', campaigns: 'off', lift_hours: 24 };
  const run = async (fields: object, caller = stage.caller) =>
    (await caller.post('/v1/traffic_back_tests', { ...settings, ...fields })).body.data;
  const result = await run({});
  expect(result).toMatchObject({
    ...{ messages: 582, blocked: 57, blocked_micros: 2_280_000, delivered: 57, answered: 0 },
    ...{ signs_total: 3, is_partial: false },
    signs: [
      { signal: 'concentration', place: '447411', kind: 'range', country: 'GB', refuses: true, blocked: 40 },
      { signal: 'consecutive', place: '447422', evidence: { observed: 20 }, blocked: 10 },
      { signal: 'conversion', place: '447400', blocked: 7 },
    ],
  });
  expect(result.signs[0].reason).toMatch(/went to this range/);
  expect(result.examples).toHaveLength(50);
  // Shorter stops block less.
  expect(await run({ lift_hours: 2 })).toMatchObject({ blocked: 20 });
  const reported = await run({ messages: 'notify' });
  expect(reported).toMatchObject({ blocked: 0, examples: [] });
  expect(new Set(reported.signs.map(({ signal }: { signal: string }) => signal))).toEqual(
    new Set(['concentration', 'growth', 'consecutive', 'conversion']),
  );
  expect(await run({ messages: 'off' })).toMatchObject({ messages: 0, signs: [], blocked: 0 });
  const user = await makeUser(world.kernel, stage.account_id, { permissions: { SMS_LIMITS: 1 } });
  expect(await run({}, world.as(user.token))).toMatchObject({ blocked_micros: null, examples: null });
  expect((await stage.caller.get('/v1/traffic_stops')).body.data).toEqual([]);
});

test('a back-test of codes finds past signs and the codes that stops would have refused', async () => {
  const stage = await makeStage(world, []);
  const codes = (batch: Batch) => addMessages(stage, { source: 'verification', entered: 0, ...batch });
  // Usual codes, most of which are entered.
  for (let hour = 0; hour < 40; hour++)
    await codes({ range: '447400', count: 10, ms: hoursAgo(400 - 4 * hour), entered: 8 });
  // A surge of unused codes: the stop begins after 30 of them. Two of the refused codes are entered.
  await codes({ range: '447411', count: 60, ms: hoursAgo(150) });
  await codes({ range: '447411', count: 5, ms: hoursAgo(140), entered: 2 });
  await codes({ range: '447411', count: 5, ms: hoursAgo(120), entered: 2 });
  // 12 consecutive numbers: the stop begins after 10.
  await codes({ range: '447422', count: 12, ms: hoursAgo(100), step: 1 });
  // People enter the codes to consecutive numbers, and other messages have no codes.
  await codes({ range: '447433', count: 12, ms: hoursAgo(90), step: 1, entered: 12 });
  await addMessages(stage, { range: '447444', count: 80, ms: hoursAgo(30) });

  const stop = { unused: 'stop', conversion: 'stop', consecutive: 'stop', concentration: 'off', growth: 'off' };
  const run = async (actions: object, lift_hours = 24, caller = stage.caller) =>
    (await caller.post('/v1/code_back_tests', { actions: { ...stop, ...actions }, lift_hours })).body.data;
  const result = await run({});
  expect(result).toMatchObject({
    ...{ messages: 494, blocked: 37, blocked_micros: 1_480_000, delivered: 37, answered: 2 },
    ...{ signs_total: 2, is_partial: false },
    signs: [
      { traffic: 'codes', signal: 'unused', place: '447411', refuses: true, evidence: { observed: 30 }, blocked: 35 },
      { traffic: 'codes', signal: 'consecutive', place: '447422', evidence: { observed: 10 }, blocked: 2 },
    ],
  });
  expect(result.signs[0].reason).toMatch(/unused/i);
  expect(await run({ unused: 'notify' })).toMatchObject({ blocked: 2 });
  expect(await run({ unused: 'off', consecutive: 'notify' })).toMatchObject({
    ...{ blocked: 0, answered: 0 },
    signs: [{ signal: 'consecutive', refuses: false }],
  });
  expect(await run({ consecutive: 'off' }, 2)).toMatchObject({ blocked: 30, answered: 0 });
  const user = await makeUser(world.kernel, stage.account_id, { permissions: { MESSAGES: 1 } });
  expect((await run({}, 24, world.as(user.token))).blocked).toBe(37);
  const { status, body } = await stage.caller.post('/v1/code_back_tests', { actions: { ...stop, growth: 'block' } });
  expect([status, body.errors[0].code]).toEqual([400, 2525]);
  expect((await stage.caller.get('/v1/verifications/stops')).body.data).toEqual([]);
});

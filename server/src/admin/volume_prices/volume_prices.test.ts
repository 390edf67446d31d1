import { volumeMicros } from '@parley/contract/billing/volume_steps.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { accept, applyStatuses } from '../../messages/messages.ts';
import { crowd, fanOutAll, makeStage, startCampaign } from '../../test/campaigns.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';

const LIST = 40_000;
const STEPS = [
  { above_units: 10, price_micros: 30_000 },
  { above_units: 20, price_micros: 25_000 },
];
/** Two months that no test of this file leaves. */
const NOW = '2027-03';
const NEXT = '2027-04';
const KEY = { channel: 'SMS', country: 'GB', currency: 'USD' };
const START = new Date('2027-03-10T12:00:00Z');
const clock = heldClock(START);

let world: World;
let operator: Caller;
let company: Company;
let caller: Caller;
let code: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  await makeCarrier(world.kernel);
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  await refreshSessions();
});
afterAll(() => world.stop());
beforeEach(async () => {
  clock.advance(START.getTime() - clock.now().getTime());
  await world.kernel.db.run(sql`delete from volume_prices`);
  await renew({});
});

const refreshSessions = () =>
  world.kernel.db.run(sql`
    update sessions set expire_date = ${clock.now()}::timestamptz + interval '400 days',
      last_used_date = ${clock.now()}`);
async function renew(options: { balance_micros?: number }): Promise<void> {
  company = await makeCompany(world.kernel, options);
  caller = world.as(company.token);
  ({ code } = await makeSender(world.kernel, company.account_id));
  await refreshSessions();
}

const set = (fields: object = {}) =>
  operator.post('/v1/volume_prices', { ...KEY, month: NOW, steps: STEPS, ...fields });
const problem = (reply: { body: { errors?: { code: number }[] } }) => reply.body.errors?.[0]?.code ?? null;
const send = (to: string[], fields: object = {}) =>
  caller.post('/v1/messages', { from: code, to, channel: 'SMS', text: 'Your order is ready', ...fields });
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => testNumber(from + n));
const prices = (reply: { body: { data: { price_micros: number }[] } }) =>
  reply.body.data.map(({ price_micros }) => price_micros);
/** Sends to more people than one request can have, one request after the other. */
async function sendMany(to: string[]): Promise<{ id: string; price_micros: number }[]> {
  const sent: { id: string; price_micros: number }[] = [];
  for (let n = 0; n < to.length; n += 10) sent.push(...(await send(to.slice(n, n + 10))).body.data);
  return sent;
}
const units = async (): Promise<number[]> =>
  (
    await world.kernel.db.rows<{ units: number }>(sql`
      select units from price_volumes where account_id = ${company.account_id} order by month`)
  ).map((row) => row.units);
const stepUnits = async (): Promise<number[]> =>
  (
    await world.kernel.db.rows<{ units: number }>(sql`
      select units from price_volume_steps where account_id = ${company.account_id} order by above_units`)
  ).map((row) => row.units);
const setStatus = (message_id: string, status: 'failed' | 'delivered') =>
  world.kernel.db.tx((tx) =>
    applyStatuses(tx, [{ account_id: company.account_id, message_id, status, source: 'carrier' }]),
  );
const fail = (id: string) => setStatus(id, 'failed');
interface Counted {
  id: string;
  volume_start: number;
  price_micros: number;
}
const held = async (): Promise<number> =>
  (await caller.get(`/v1/balances/${company.account_id}`)).body.data.held_micros;

test('only the units above a step cost less, even within one message', async () => {
  await set();
  expect(prices(await send(numbers(9)))).toEqual(Array(9).fill(LIST));
  const long = 'a'.repeat(400);
  const [three] = prices(await send(numbers(1, 50), { text: long }));
  expect(three, 'the tenth segment, and two above the step').toBe(LIST + 2 * 30_000);
  expect(prices(await send(numbers(10, 100)))).toEqual([...Array(8).fill(30_000), 25_000, 25_000]);
  expect(await units()).toEqual([22]);
  expect(await held()).toBe(volumeMicros(LIST, STEPS, { start: 0, units: 22 }));
});

test('32 parallel connections pay exactly the steps, in shared and separate transactions', async () => {
  await set();
  const replies = await Promise.all(
    Array.from({ length: 32 }, (_, n) => {
      // A text with braces has its own transaction.
      return send(numbers(2, 200 + 2 * n), n % 4 === 0 ? { text: 'Your order {1} is ready' } : {});
    }),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(32).fill(200));
  const rows = await world.kernel.db.rows<Counted>(sql`
    select id, volume_start, price_micros from messages
    where account_id = ${company.account_id} order by volume_start`);
  expect(
    rows.map((row) => row.volume_start),
    'each position is given once',
  ).toEqual(Array.from({ length: 64 }, (_, n) => n));
  const correct = rows.map(({ volume_start: start }) => volumeMicros(LIST, STEPS, { start, units: 1 }));
  expect(rows.map((row) => row.price_micros)).toEqual(correct);
  expect(await units()).toEqual([64]);
  const detail = (await caller.get(`/v1/messages/${rows[9]!.id}`)).body.data;
  expect(detail.volume).toEqual({ month: NOW, first_unit: 10, last_unit: 10 });
  const statement = (await caller.get(`/v1/statements/${NOW}`)).body.data;
  const steps = [
    { above_units: 0, price_micros: null, units: 10 },
    { above_units: 10, price_micros: 30_000, units: 10 },
    { above_units: 20, price_micros: 25_000, units: 44 },
  ];
  expect(statement.volumes).toEqual([
    { channel: 'SMS', country: 'GB', mccmnc: null, network: null, purpose: null, units: 64, steps },
  ]);
  const { text } = await caller.get(`/v1/statements/${NOW}/file`);
  expect(text.split('\r\n').slice(-4, -1)).toEqual([
    '2027-03,"SMS GB, at the list price",10,,USD',
    '2027-03,"SMS GB, above 10 at 0.03",10,,USD',
    '2027-03,"SMS GB, above 20 at 0.025",44,,USD',
  ]);
});

test('the ledger shows the message of an entry and the step that priced it', async () => {
  await set();
  await sendMany(numbers(10));
  const [message] = (await send(numbers(1, 50), { text: 'a'.repeat(200) })).body.data;
  const [entry, batch] = (await caller.get('/v1/ledger')).body.data;
  expect(entry).toMatchObject({ kind: 'hold', message_id: message.id, amount_micros: 2 * 30_000, is_lookup: false });
  expect(entry.volume).toEqual({ month: NOW, channel: 'SMS', first_unit: 11, last_unit: 12, above_units: 10 });
  expect(batch).toMatchObject({ kind: 'hold', message_id: null, message_count: 10, volume: null });
  const { body } = await caller.get(`/v1/messages?filter[hold_id]=${batch.hold_id}`);
  expect(body.data).toHaveLength(10);
  await fail(message.id);
  const [release] = (await caller.get('/v1/ledger')).body.data;
  expect(release).toMatchObject({ kind: 'release', message_id: message.id, volume: { first_unit: 11 } });
});

test('requests that the balance does not cover are not counted, and later requests take their positions', async () => {
  await renew({ balance_micros: 10 * LIST + 3 * 30_000 });
  await set();
  const replies = await Promise.all(numbers(20, 300).map((number) => send([number])));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(13);
  expect(new Set(replies.map(problem))).toEqual(new Set([null, 7909]));
  expect(await units()).toEqual([13]);
  expect(problem(await send(numbers(1, 390)))).toBe(7909);
  expect(await units()).toEqual([13]);
});

test('a released message no longer counts, and counts again if it is charged late', async () => {
  await set();
  const data = await sendMany(numbers(12));
  await fail(data[0]!.id);
  await fail(data[11]!.id);
  expect(await units()).toEqual([10]);
  expect(await stepUnits()).toEqual([9, 1]);
  expect(prices(await send(numbers(1, 500))), 'the eleventh unit').toEqual([30_000]);
  await setStatus(data[0]!.id, 'delivered');
  expect(await units()).toEqual([12]);
  expect(await stepUnits()).toEqual([10, 2]);
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

test('skipped recipients leave no gap in the positions', async () => {
  await set();
  await caller.post('/v1/limits', {
    ...{ name: 'Cap', type: 'all', countries: [], limit: 11, interval: 'day', block_traffic: true, enabled: true },
  });
  const { accepted } = await world.kernel.db.tx((tx) =>
    accept(tx, world.kernel, {
      ...{ account_id: company.account_id, channel: 'SMS', from: code, source: 'api', refusal: 'skip' },
      recipients: numbers(15, 600).map((to) => ({ to, text: 'Hello' })),
    }),
  );
  expect((await units())[0]).toBe(accepted.length);
});

test('a volume starts with each month, and planned steps apply from their month on', async () => {
  await set();
  await set({ month: NEXT, steps: [{ above_units: 2, price_micros: 10_000 }] });
  expect((await sendMany(numbers(12)))[11]!.price_micros).toBe(30_000);
  clock.advance(30 * 86_400_000);
  await refreshSessions();
  expect(prices(await send(numbers(3, 50)))).toEqual([LIST, LIST, 10_000]);
  expect(await units()).toEqual([12, 3]);
});

test('steps for one account take precedence over steps for all accounts, which the others pay', async () => {
  await set({ steps: [{ above_units: 1, price_micros: 35_000 }] });
  await set({ account_id: company.account_id, month: NEXT });
  expect(prices(await send(numbers(2)))).toEqual([LIST, 35_000]);
  clock.advance(30 * 86_400_000);
  await refreshSessions();
  expect(prices(await send(numbers(2, 20)))).toEqual([LIST, LIST]);
});

test('customers see the steps, their volume, and planned steps', async () => {
  await set();
  await set({ month: NEXT, steps: [] });
  await send(numbers(4));
  const [rate] = (await caller.get('/v1/rates?filter[country]=GB')).body.data;
  expect(rate).toMatchObject({ steps: STEPS, month_units: 4, next_steps: [], next_steps_month: NEXT });
  const [other] = (await caller.get('/v1/rates?filter[country]=DE')).body.data;
  expect(other).toMatchObject({ steps: [], month_units: null, next_steps: null, next_steps_month: null });
  const { text } = await caller.get('/v1/export_rates?filter[country]=GB');
  expect(text.split('\r\n')[1]).toContain('above 10: 0.03; above 20: 0.025');
});

test('a campaign costs as much as its preview shows', async () => {
  await set();
  const stage = await makeStage(world, crowd(35));
  await refreshSessions();
  const { sender_id: from, audience_id: audience } = stage;
  const preview = await stage.caller.post('/v1/campaign_previews', { from, audience, text: 'Hello {first_name}' });
  const expected = volumeMicros(LIST, STEPS, { start: 0, units: preview.body.data.segments.total });
  expect(preview.body.data.total_micros).toBe(expected);
  await fanOutAll(world, await startCampaign(stage, { text: 'Hello {first_name}' }));
  const sum = await world.kernel.db.one<{ micros: number }>(sql`
    select sum(price_micros)::bigint as micros from messages where account_id = ${stage.account_id}`);
  expect(sum.micros).toBe(expected);
});

test('the preview of steps shows the cost of the last full month', async () => {
  clock.advance(-30 * 86_400_000);
  await refreshSessions();
  const data = await sendMany(numbers(15));
  await world.kernel.db.tx((tx) =>
    applyStatuses(
      tx,
      data.map(({ id }) => ({
        ...{ account_id: company.account_id, message_id: id, status: 'sent' as const, source: 'carrier' as const },
      })),
    ),
  );
  clock.advance(30 * 86_400_000);
  await refreshSessions();
  const reply = await operator.post('/v1/volume_prices/preview', { ...KEY, month: NOW, steps: STEPS });
  expect(reply.body.data).toMatchObject({
    ...{ month: '2027-02', price_micros: LIST, accounts_count: 1, units: 15 },
    ...{ before_micros: 15 * LIST, after_micros: 10 * LIST + 5 * 30_000 },
  });
  expect(reply.body.data.accounts[0]).toMatchObject({ account_id: company.account_id, units: 15 });
  expect((await operator.get('/v1/volume_prices')).body.data).toEqual([]);
});

test('steps cannot change in a month in which they apply', async () => {
  const { data } = (await set()).body;
  expect(data).toMatchObject({ state: 'current', price_micros: LIST, month: NOW, account_id: null });
  expect(problem(await set({ steps: [] }))).toBe(2706);
  expect(problem(await set({ account_id: company.account_id }))).toBe(2706);
  expect(problem(await operator.delete(`/v1/volume_prices/${data.id}`))).toBe(2706);
  const planned = (await set({ month: NEXT })).body.data;
  expect((await set({ month: NEXT, steps: [] })).body.data).toMatchObject({ id: planned.id, steps: [] });
  expect((await operator.delete(`/v1/volume_prices/${planned.id}`)).status).toBe(204);
  expect(problem(await operator.delete(`/v1/volume_prices/${planned.id}`))).toBe(2705);
  expect((await operator.get('/v1/volume_prices?filter[state]=planned')).body.data).toEqual([]);
  const { rows } = {
    rows: await world.kernel.db.rows<{ action: string }>(sql`
    select action from audit_log where action like 'volume_price%' order by number desc limit 2`),
  };
  expect(rows.map(({ action }) => action)).toEqual(['volume_price.removed', 'volume_price.saved']);
});

test.each([
  ['a threshold that does not rise', { steps: [STEPS[0], STEPS[0]] }, 2707],
  ['a price that does not fall', { steps: [{ above_units: 5, price_micros: LIST }] }, 2707],
  ['an end of steps that are not there', { steps: [] }, 2707],
  ['a threshold of zero', { steps: [{ above_units: 0, price_micros: 1 }] }, 1705],
  ['a negative price', { steps: [{ above_units: 5, price_micros: -1 }] }, 1705],
  ['a past month', { month: '2027-02' }, 2708],
  ['a month that is too late', { month: '2029-04' }, 2708],
  ['no month', { month: '2027-13' }, 2708],
  ['a destination without a price', { country: 'FR' }, 2709],
  ['a network without a price', { mccmnc: '23410' }, 2709],
  ['a purpose that the channel does not have', { purpose: 'utility' }, 2709],
  ['an unknown account', { account_id: '018f3a52-0000-7000-8000-000000000001' }, 1102],
])('%s is refused', async (_, fields, expected) => {
  const reply = await set(fields);
  expect(problem(reply)).toBe(expected);
  expect((await operator.get('/v1/volume_prices')).body.data).toEqual([]);
});

test('customers cannot read or set volume prices', async () => {
  expect((await caller.get('/v1/volume_prices')).status).toBe(403);
  expect((await caller.post('/v1/volume_prices', { ...KEY, month: NOW, steps: STEPS })).status).toBe(403);
});

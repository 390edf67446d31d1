/** Signs of fraud: notifications, stops, their end, and the isolation of accounts. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { createGate, type Gate } from '../test/gate.ts';
import { makeCompany } from '../test/make.ts';
import { mailStop } from './mails.ts';
import { endStops } from './stops.ts';

const ACTIONS = {
  ...{ unused: 'stop', conversion: 'notify', consecutive: 'notify', concentration: 'notify', growth: 'notify' },
};
let gate: Gate;
let block = 10;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(async () => {
  await gate.renew(10_000_000);
  block++;
});

/** Numbers that differ in their last digits. */
const numbers = (count: number, step = 1) =>
  Array.from({ length: count }, (_, n) => `44741${block}0${String(1_000 + n * step).padStart(4, '0')}`);
const send = async (phone: string): Promise<number> => {
  const { status, body } = await gate.api.post('/v1/verifications', {
    ...{ channel: 'SMS', sender: gate.code, phone, code_length: 6 },
  });
  return status === 201 ? 201 : body.errors[0].code;
};
const sendAll = async (phones: readonly string[]): Promise<number[]> => {
  const codes: number[] = [];
  for (const phone of phones) codes.push(await send(phone));
  return codes;
};
const listStops = async () => (await gate.api.get('/v1/verifications/stops')).body.data;
const protect = (actions: object, lift_hours = 24) =>
  gate.api.put('/v1/verifications/protection', { actions: { ...ACTIONS, ...actions }, lift_hours });
const listEvents = (type: string) =>
  gate.world.kernel.db.rows<{ payload: object }>(
    sql`select payload from events where account_id = ${gate.company.account_id} and type = ${type} order by id`,
  );

test('consecutive numbers are reported once by default, and codes are still sent', async () => {
  expect((await gate.api.get('/v1/verifications/protection')).body.data).toMatchObject({ actions: ACTIONS });
  expect(new Set(await sendAll(numbers(13)))).toEqual(new Set([201]));
  expect(await listStops()).toMatchObject([
    {
      ...{ signal: 'consecutive', refuses: false, kind: 'range', evidence: { observed: 10, usual: null } },
      reason: 'Codes were requested for 10 consecutive numbers within an hour.',
    },
  ]);
  expect(await listEvents('code_stop.started')).toHaveLength(1);
  const { db } = gate.world.kernel;
  const [stop] = await listStops();
  const ref = { account_id: gate.company.account_id, id: stop.id };
  for (let run = 0; run < 2; run++) await db.tx((tx) => mailStop(tx, gate.world.kernel, ref));
  const mails = await db.rows(sql`
    select 1 from mails
    where account_id = ${ref.account_id} and subject like 'Unusual verification codes to +%, United Kingdom'`);
  expect(mails).toHaveLength(1);
});

test('numbers that are not consecutive are not reported', async () => {
  await sendAll(numbers(13, 2));
  expect(await listStops()).toEqual([]);
});

test('growth and concentration compare a range with the last 15 days', async () => {
  const [phone] = numbers(1);
  const range = phone!.slice(0, -6);
  const count = (kind: string, place: string, age: string, sent: number, verified: number) =>
    gate.world.kernel.db.run(sql`
      insert into code_counts (account_id, kind, place, hour, channel, sent, verified)
      values (${gate.company.account_id}, ${kind}, ${place},
              date_trunc('hour', now(), 'UTC') - ${age}::interval, 'SMS', ${sent}, ${verified})`);
  await count('country', 'GB', '3 days', 300, 200);
  await count('range', range, '3 days', 10, 8);
  // People enter these codes, so they are not reported as unused.
  await count('range', range, '0', 59, 40);
  await count('country', 'GB', '0', 69, 50);
  expect(await send(phone!)).toBe(201);
  const found = (await listStops()).map(({ signal, reason }: { signal: string; reason: string }) => [signal, reason]);
  expect(new Map(found)).toEqual(
    new Map([
      ['concentration', '86% of 70 codes in an hour went to this range. Before, it was 3%.'],
      [
        'growth',
        '60 codes were requested for this range within an hour. The busiest hour of the last 15 days had 10 codes.',
      ],
    ]),
  );
});

test('a user who allows codes again is not stopped again by the same codes', async () => {
  await protect({ consecutive: 'stop' });
  await sendAll(numbers(11));
  const [stop] = await listStops();
  expect((await gate.api.delete(`/v1/verifications/stops/${stop.id}`)).status).toBe(204);
  expect(new Set(await sendAll(numbers(20).slice(11)))).toEqual(new Set([201]));
});

test('a stop refuses codes at no charge until its time is over', async () => {
  expect((await protect({ consecutive: 'stop' }, 2)).status).toBe(200);
  const codes = await sendAll(numbers(12));
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 201), 2362, 2362]);
  const { db } = gate.world.kernel;
  const { account_id } = gate.company;
  const { messages, held } = await db.one<{ messages: number; held: number }>(sql`
    select (select count(*)::int from messages where account_id = ${account_id}) as messages,
           (select count(*)::int from holds where account_id = ${account_id}) as held`);
  expect({ messages, held }).toEqual({ messages: 10, held: 10 });
  await db.run(sql`
    update account_code_stops set expire_date = now() - interval '1 second' where account_id = ${account_id}`);
  // The time counts, even before the job has run.
  const [next] = numbers(1, 1).map((number) => number.replace(/1000$/, '5000'));
  expect(await send(next!)).toBe(201);
  await endStops(db);
  await endStops(db);
  expect(await listEvents('code_stop.ended')).toHaveLength(1);
  expect(await listStops()).toEqual([]);
});

test('a stop ends when people enter the codes', async () => {
  await protect({ consecutive: 'stop' });
  await sendAll(numbers(11));
  expect(await listStops()).toMatchObject([{ refuses: true }]);
  const { db } = gate.world.kernel;
  await endStops(db);
  expect(await listStops()).toHaveLength(1);
  await db.run(sql`update code_counts set verified = 5 where account_id = ${gate.company.account_id}`);
  await endStops(db);
  expect(await listStops()).toEqual([]);
  const { lift_reason } = await db.one<{ lift_reason: string }>(
    sql`select lift_reason from account_code_stops where account_id = ${gate.company.account_id}`,
  );
  expect(lift_reason).toBe('entered');
});

test('a sign that is off is ignored, and turning it off ends its stops', async () => {
  await protect({ consecutive: 'stop' });
  await sendAll(numbers(11));
  expect(await listStops()).toHaveLength(1);
  await protect({ consecutive: 'off' });
  expect(await listStops()).toEqual([]);
  block++;
  expect(new Set(await sendAll(numbers(11)))).toEqual(new Set([201]));
  expect(await listStops()).toEqual([]);
});

/** The length of the longest run of consecutive numbers. */
function longestRun(phones: readonly number[]): number {
  const known = new Set(phones);
  let longest = 0;
  for (const first of phones) {
    let length = 0;
    while (known.has(first + length)) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}

test('32 parallel requests send exactly the codes up to the tenth consecutive number, and cause one stop', async () => {
  await protect({ consecutive: 'stop' });
  const codes = await Promise.all(numbers(16).flatMap((phone) => [send(phone), send(phone)]));
  const { db } = gate.world.kernel;
  const { account_id } = gate.company;
  const phones = (
    await db.rows<{ phone: string }>(sql`select phone from sent_codes where account_id = ${account_id}`)
  ).map(({ phone }) => Number(phone));
  expect(codes.filter((code) => code === 201)).toHaveLength(phones.length);
  expect(await gate.count('messages')).toBe(phones.length);
  expect(await gate.count('holds')).toBe(phones.length);
  const stops = await db.rows<{ run: number; sent: number }>(sql`
    select (evidence->>'observed')::int as run, (evidence->>'sample')::int as sent from account_code_stops
    where account_id = ${account_id}`);
  // The requests arrive in any order. No code is sent after the stop, and one code fewer would not have caused it.
  expect(stops).toEqual([{ run: longestRun(phones), sent: phones.length }]);
  expect(longestRun(phones)).toBeGreaterThanOrEqual(10);
  expect(phones.some((last) => longestRun(phones.filter((phone) => phone !== last)) < 10)).toBe(true);
});

test('an attack on one account does not affect another, which cannot see or end its stops', async () => {
  await protect({ consecutive: 'stop' });
  await sendAll(numbers(11));
  const [stop] = await listStops();
  const stranger = gate.world.as((await makeCompany(gate.world.kernel)).token);
  expect((await stranger.get('/v1/verifications/stops')).body.data).toEqual([]);
  expect((await stranger.delete(`/v1/verifications/stops/${stop.id}`)).status).toBe(404);
  expect((await stranger.get('/v1/verifications/protection')).body.data).toMatchObject({ actions: ACTIONS });
  const [phone] = numbers(1).map((number) => number.replace(/1000$/, '7000'));
  await gate.renew(10_000_000);
  expect(await send(phone!)).toBe(201);
});

test.for([
  [{ actions: { ...ACTIONS, growth: 'block' }, lift_hours: 24 }, 2525],
  [{ actions: ACTIONS, lift_hours: 0 }, 2526],
  [{ actions: ACTIONS, lift_hours: 721 }, 2526],
] as const)('the settings %j are refused with code %i', async ([body, code]) => {
  const reply = await gate.api.put('/v1/verifications/protection', body);
  expect([reply.status, reply.body.errors[0].code]).toEqual([400, code]);
});

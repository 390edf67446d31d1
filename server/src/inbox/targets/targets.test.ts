/**
 * Targets: the due times of conversations, the events that stop and pause their clocks, and the effects of a missed
 * target.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { receiveMessages } from '../../messages/inbound/intake.ts';
import { type Company, makeCarrier, makeCompany, makeSender } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { recordMissed, setClocks, sweepMissed } from './targets.ts';

let world: World;
let company: Company;
let owner: Caller;
let sender: { sender_id: string; code: string };
let connection_id: string;
let number: string;
let next = 447410007000;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  ({ connection_id } = await makeCarrier(world.kernel));
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  sender = await makeSender(world.kernel, company.account_id);
  number = String(next++);
});

const signal = new AbortController().signal;
const write = (text: string, from = number) =>
  world.kernel.db.tx((tx) =>
    receiveMessages(tx, [
      {
        ...{ channel: 'SMS', from, to: sender.code, text, parts: 1, connection_id, external_id: null },
        details: {},
      } as never,
    ]),
  );
const reply = (text: string) =>
  owner.post('/v1/messages', { channel: 'SMS', from: sender.sender_id, to: number, text });
const setTargets = async (body: object) => {
  const saved = await owner.put('/v1/inbox_settings', body);
  expect(saved.status, saved.text).toBe(200);
  await setClocks(world.kernel, company.account_id, signal);
};
const listed = async (filter = '') =>
  (await owner.get(`/v1/conversations${filter}`)).body.data as {
    id: string;
    waiting_since: string;
    clocks: { response_due: string | null; resolution_due: string | null; paused: boolean } | null;
  }[];
const read = async () => (await listed())[0]!;
const instant = (text: string) => new Date(`${text.slice(0, 19).replace(' ', 'T')}Z`).getTime();
/** Moves the beginning of the open episode, and its later events. */
const age = async (minutes: number) => {
  await world.kernel.db.run(sql`
    update conversation_episodes
    set open_date = open_date - ${minutes} * interval '1 minute',
        waiting_date = waiting_date - ${minutes} * interval '1 minute'
    where account_id = ${company.account_id} and close_date is null`);
  await world.kernel.db.run(sql`
    update conversation_clocks set resolution_since = resolution_since - ${minutes} * interval '1 minute'
    where account_id = ${company.account_id}`);
  await setClocks(world.kernel, company.account_id, signal);
};
const missedEntries = async (id: string) =>
  (await owner.get(`/v1/conversations/${id}/entries`)).body.data
    .filter(({ kind }: { kind: string }) => kind === 'target')
    .map(({ missed }: { missed: { target: string } }) => missed.target)
    .sort();

test('clocks run from the first message, a reply stops one, and closing stops both', async () => {
  await write('Before there are targets');
  expect((await read()).clocks).toBeNull();
  await setTargets({ response_target_minutes: 15, resolution_target_minutes: 240 });
  const { waiting_since, clocks } = await read();
  expect(instant(clocks!.response_due!) - instant(waiting_since)).toBe(15 * 60_000);
  expect(instant(clocks!.resolution_due!) - instant(waiting_since)).toBe(240 * 60_000);
  await reply('Hello');
  const answered = await read();
  expect(answered.clocks).toEqual({ ...clocks, response_due: null });
  await write('Another question');
  expect((await read()).clocks).toEqual(answered.clocks);
  await owner.put(`/v1/conversations/${answered.id}`, { status: 'closed' });
  expect((await read()).clocks).toBeNull();
  await write('It broke again');
  expect((await read()).clocks).toMatchObject({ response_due: expect.any(String), paused: false });
  await setTargets({ response_target_minutes: null, resolution_target_minutes: null });
  expect((await read()).clocks).toBeNull();
});

test('a reply that is canceled before it is sent starts the response clock again', async () => {
  await setTargets({ response_target_minutes: 15 });
  await write('Hello');
  const { clocks } = await read();
  const schedule = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const sent = await owner.post('/v1/messages', {
    ...{ channel: 'SMS', from: sender.sender_id, to: number, text: 'Later', schedule },
  });
  expect((await read()).clocks!.response_due).toBeNull();
  await owner.delete(`/v1/messages/${[sent.body.data].flat()[0].id}`);
  expect((await read()).clocks).toEqual(clocks);
});

test('a snoozed or pending conversation pauses its resolution, and the elapsed time is kept', async () => {
  await setTargets({ response_target_minutes: 15, resolution_target_minutes: 100 });
  await write('Hello');
  const { id, clocks } = await read();
  await age(60);
  const snooze_until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
  await owner.put(`/v1/conversations/${id}`, { status: 'snoozed', snooze_until });
  expect((await read()).clocks).toMatchObject({ resolution_due: null, paused: true, response_due: expect.any(String) });
  await owner.put(`/v1/conversations/${id}`, { status: 'pending' });
  expect((await read()).clocks).toMatchObject({ resolution_due: null, paused: true });
  // The pause takes two hours.
  await world.kernel.db.run(sql`
    update conversation_clocks set resolution_seconds = 3600 where account_id = ${company.account_id}`);
  await owner.put(`/v1/conversations/${id}`, { status: 'open' });
  expect(instant((await read()).clocks!.resolution_due!)).not.toBe(instant(clocks!.resolution_due!));
  expect(
    await world.kernel.db.one(sql`
      select (extract(epoch from resolution_due - resolution_since) / 60)::int as minutes
      from conversation_clocks where account_id = ${company.account_id}`),
  ).toEqual({ minutes: 40 });
  // An overdue resolution stays overdue.
  await age(120);
  const overdue = (await read()).clocks;
  await owner.put(`/v1/conversations/${id}`, { status: 'pending' });
  expect((await read()).clocks).toEqual({ ...overdue, paused: false });
});

test('the shortest target of the teams of the assignee applies', async () => {
  await setTargets({ response_target_minutes: 60 });
  const team = (body: object) => owner.post('/v1/inbox_teams', { user_ids: [company.user_id], ...body });
  const { status, body } = await team({ name: 'VIP 🏆', response_target_minutes: 5 });
  expect([status, body.data.response_target_minutes]).toEqual([201, 5]);
  await team({ name: 'Sales', response_target_minutes: 30, resolution_target_minutes: 600 });
  await write('Hello');
  const minutes = async () => {
    const { clocks, waiting_since } = await read();
    return [clocks!.response_due, clocks!.resolution_due].map(
      (due) => due && (instant(due) - instant(waiting_since)) / 60_000,
    );
  };
  expect(await minutes()).toEqual([60, null]);
  const { id } = await read();
  await owner.put(`/v1/conversations/${id}`, { assignee_id: company.user_id });
  expect(await minutes()).toEqual([5, 600]);
  await owner.put(`/v1/inbox_teams/${body.data.id}`, { response_target_minutes: null });
  await setClocks(world.kernel, company.account_id, signal);
  expect(await minutes()).toEqual([30, 600]);
});

test('targets count office hours, without overlaps and across a daylight saving change', async () => {
  const hours = [
    { days: [1, 2, 3, 4, 5], from: '09:00', until: '13:00' },
    { days: [1, 2, 3, 4, 5], from: '12:00', until: '17:00' },
    { days: [7], from: '01:00', until: '04:00' },
  ];
  const add = async (start: string, minutes: number, open: object[] | null = hours) =>
    (
      await world.kernel.db.one<{ due: string }>(sql`
        select to_char(add_office_seconds(${start}::timestamptz, ${minutes * 60}::float8,
                                          ${open && JSON.stringify(open)}::jsonb, 'America/New_York')
                       at time zone 'UTC', 'MM-DD HH24:MI') as due`)
    ).due;
  // Friday, March 6, 2026, 16:30 in New York. Sunday has 2 hours instead of 3, because 02:00 becomes 03:00.
  expect(await add('2026-03-06T21:30Z', 30)).toBe('03-06 22:00');
  expect(await add('2026-03-06T21:30Z', 90)).toBe('03-08 07:00');
  expect(await add('2026-03-06T21:30Z', 160)).toBe('03-09 13:10');
  expect(await add('2026-03-06T21:30Z', 30 + 120 + 480)).toBe('03-09 21:00');
  expect(await add('2026-03-06T21:30Z', 90, null)).toBe('03-06 23:00');
  expect(await add('2026-03-06T21:30Z', 90, [])).toBe('03-06 21:30');
  const { seconds } = await world.kernel.db.one<{ seconds: number }>(sql`
    select count_office_seconds('2026-03-06T21:30Z', '2026-03-09T14:00Z', ${JSON.stringify(hours)}::jsonb,
                                'America/New_York') as seconds`);
  expect(seconds / 60).toBe(30 + 120 + 60);
  // Always, or at no time: the settings decide whether the hours count.
  await setTargets({ response_target_minutes: 10, office_hours: [], targets_in_office_hours: true });
  await write('Hello');
  const { clocks, waiting_since } = await read();
  expect(instant(clocks!.response_due!) - instant(waiting_since)).toBeGreaterThan(364 * 86_400_000);
  await setTargets({ targets_in_office_hours: false });
  expect(instant((await read()).clocks!.response_due!) - instant(waiting_since)).toBe(600_000);
  // Without a target for the resolution, no clock is paused.
  const { id } = await read();
  await owner.put(`/v1/conversations/${id}`, { status: 'pending' });
  expect((await read()).clocks).toMatchObject({ resolution_due: null, paused: false });
});

test('a missed target is recorded once, with two workers and after one is killed', async () => {
  const label_id = (await owner.post('/v1/labels', { name: 'Overdue ⏰', color: 'red' })).body.data.id;
  await setTargets({ response_target_minutes: 15, resolution_target_minutes: 100, overdue_label_id: label_id });
  await write('Hello');
  await write('Hello', String(next++));
  await age(50);
  const rows = await listed();
  expect(await listed('?filter[due]=overdue')).toHaveLength(2);
  expect(await listed('?filter[due]=soon')).toHaveLength(0);
  await sweepMissed(world.kernel);
  const killed = await startWorkerProcess(world, { FAILPOINT: 'before_missed_targets_commit' });
  expect((await killed.ended).signal).toBe('SIGKILL');
  for (const { id } of rows) expect(await missedEntries(id)).toEqual([]);
  const run = () => recordMissed(world.kernel, company.account_id, signal);
  await Promise.all([run(), run()]);
  await run();
  for (const { id } of rows) {
    expect(await missedEntries(id)).toEqual(['response']);
    expect((await owner.get(`/v1/conversations/${id}`)).body.data.label_ids).toEqual([label_id]);
  }
  const events = async () =>
    (
      await world.kernel.db.rows<{ target: string }>(sql`
        select payload->>'target' as target from events
        where account_id = ${company.account_id} and type = 'conversation_target.missed'`)
    ).length;
  expect(await events()).toBe(2);
  await age(60);
  await run();
  expect(await events()).toBe(4);
  expect(await missedEntries(rows[0]!.id)).toEqual(['resolution', 'response']);
  // A label that is deleted is no longer part of the settings.
  await owner.delete(`/v1/labels/${label_id}`);
  expect((await owner.get('/v1/inbox_settings')).body.data.overdue_label_id).toBeNull();
});

test('reports count replies and resolutions within their targets', async () => {
  await setTargets({ response_target_minutes: 15, resolution_target_minutes: 100 });
  await write('In time');
  await reply('Hello');
  const { id } = await read();
  await owner.put(`/v1/conversations/${id}`, { status: 'pending' });
  await owner.put(`/v1/conversations/${id}`, { status: 'closed' });
  await write('Late');
  await age(120);
  await reply('Sorry');
  await owner.put(`/v1/conversations/${id}`, { status: 'closed' });
  const { total, groups } = (await owner.get('/v1/inbox_reports')).body.data;
  const expected = { response_targets: 2, response_in_time: 1, resolution_targets: 2, resolution_in_time: 1 };
  expect(total).toMatchObject(expected);
  expect(groups).toMatchObject([expected]);
});

test('targets out of range, labels of other accounts, and unknown labels are refused', async () => {
  const stranger = world.as((await makeCompany(world.kernel)).token);
  const other = (await stranger.post('/v1/labels', { name: 'Theirs', color: 'red' })).body.data.id;
  for (const [body, code] of [
    [{ response_target_minutes: 0 }, 400],
    [{ response_target_minutes: 10_081 }, 400],
    [{ resolution_target_minutes: 43_201 }, 400],
    [{ resolution_target_minutes: '1\u0000' }, 400],
    [{ overdue_label_id: other }, 404],
    [{ overdue_label_id: newId() }, 404],
    [{ overdue_label_id: '\u0000' }, 400],
  ] as const)
    expect([body, (await owner.put('/v1/inbox_settings', body)).status]).toEqual([body, code]);
  expect((await owner.get('/v1/conversations?filter[due]=%00')).status).toBe(400);
});

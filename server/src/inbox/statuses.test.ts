import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { receiveMessages } from '../messages/inbound/intake.ts';
import { makeConversation } from '../test/inbox/conversations.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../test/world.ts';
import { closeIdle, sweepSnoozed, wakeConversations } from './statuses.ts';

let world: World;
let company: Company;
let owner: Caller;
let code: string;
let connection_id: string;
let id: string;
let number: string;
let next = 447410003000;

beforeAll(async () => {
  world = await createWorld({ role: 'all' });
  ({ connection_id } = await makeCarrier(world.kernel));
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  const sender = await makeSender(world.kernel, company.account_id);
  ({ code } = sender);
  number = String(next++);
  id = await makeConversation(world.kernel, {
    account_id: company.account_id,
    sender_id: sender.sender_id,
    number,
    texts: ['One', 'Two'],
  });
});

const answer = ({ status, body }: Reply) => [status, body?.errors?.[0].code];
const put = (body: object, caller: Caller = owner) => caller.put(`/v1/conversations/${id}`, body);
const read = async () => (await owner.get(`/v1/conversations/${id}`)).body.data;
const wire = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 23).replace('T', ' ');
const listed = async (filter: string) =>
  (await owner.get(`/v1/conversations?${filter}`)).body.data.map((row: { id: string }) => row.id);
const readChanges = async () =>
  (await owner.get(`/v1/conversations/${id}/entries`)).body.data.map(
    ({ kind, user, status }: { kind: string; user: { full_name: string } | null; status: object }) => [
      kind,
      user?.full_name ?? null,
      status,
    ],
  );
const write = (text: string) =>
  world.kernel.db.tx((tx) =>
    receiveMessages(tx, [
      {
        channel: 'SMS',
        from: number,
        to: code,
        text,
        parts: 1,
        connection_id,
        external_id: null,
        details: {},
      } as never,
    ]),
  );
const no_signal = new AbortController().signal;

describe('a conversation', () => {
  test('closes as read, leaves the open ones, and opens again with the next inbound message', async () => {
    expect((await put({ status: 'closed' })).body.data).toMatchObject({
      status: 'closed',
      unread_count: 0,
      waiting_since: null,
    });
    expect(await listed('filter[status]=open,pending')).toEqual([]);
    expect(await listed('filter[status]=closed')).toEqual([id]);
    expect((await owner.get('/v1/conversation_badges')).body.data.none).toEqual({
      conversations: 0,
      unread: 0,
      total: 0,
    });
    await write('Are you there?');
    const { status, unread_count, waiting_since } = await read();
    expect([status, unread_count, typeof waiting_since]).toEqual(['open', 1, 'string']);
    expect(await readChanges()).toEqual([['status', 'Test Person', { from: 'open', to: 'closed', until: null }]]);
  });

  test('counts its waiting time from the first unanswered message until a user replies', async () => {
    await write('First');
    const { waiting_since } = await read();
    await write('Second');
    expect((await read()).waiting_since).toBe(waiting_since);
    const sent = await owner.post('/v1/messages', {
      from: code,
      to: [number],
      channel: 'SMS',
      text: 'Here I am',
    });
    expect(answer(sent)).toEqual([200, undefined]);
    expect((await read()).waiting_since).toBeNull();
  });

  test('opens automatically when its snooze ends', async () => {
    await put({ status: 'snoozed', snooze_until: wire(1_500) });
    expect(await read()).toMatchObject({ status: 'snoozed', snooze_until: expect.any(String) });
    await until('the conversation is open', async () => (await read()).status === 'open');
    expect(await read()).toMatchObject({ snooze_until: null });
    expect((await readChanges()).map(([, user, change]: [string, string, object]) => [user, change])).toEqual([
      [null, { from: 'snoozed', to: 'open', until: null }],
      ['Test Person', { from: 'open', to: 'snoozed', until: expect.any(String) }],
    ]);
  });

  test('wakes once when its job is lost or runs twice', async () => {
    await put({ status: 'snoozed', snooze_until: wire(3_600_000) });
    await world.kernel.db.run(
      sql`update conversations set snooze_until = now() - interval '1 minute' where id = ${id}`,
    );
    await sweepSnoozed(world.kernel);
    await wakeConversations(world.kernel, company.account_id, no_signal);
    await until('the conversation is open', async () => (await read()).status === 'open');
    await wakeConversations(world.kernel, company.account_id, no_signal);
    expect(await readChanges()).toHaveLength(2);
  });

  test('refuses a snooze without a time, in the past, or too far away, and a time for another status', async () => {
    for (const body of [
      { status: 'snoozed' },
      { status: 'snoozed', snooze_until: wire(-1_000) },
      { status: 'snoozed', snooze_until: wire(400 * 86_400_000) },
      { status: 'open', snooze_until: wire(3_600_000) },
      { snooze_until: wire(3_600_000) },
    ])
      expect([body, ...answer(await put(body))]).toEqual([body, 400, 2400]);
    expect((await read()).status).toBe('open');
  });

  test('marked as unread counts its last inbound message again', async () => {
    await put({ last_read_timestamp: wire(1_000) });
    expect((await read()).unread_count).toBe(0);
    expect((await put({ unread: true })).body.data.unread_count).toBeGreaterThanOrEqual(1);
    expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
    await world.kernel.db.run(sql`delete from messages where account_id = ${company.account_id}`);
    expect(answer(await put({ unread: true }))).toEqual([409, 2401]);
  });

  test('can be closed only by users who may reply or edit conversations', async () => {
    const reader = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1, CONVERSATIONS: 1 } });
    expect(answer(await put({ status: 'closed' }, world.as(reader.token)))).toEqual([403, 1136]);
    const editor = await makeUser(world.kernel, company.account_id, { permissions: { CONVERSATIONS: 5 } });
    expect((await put({ status: 'closed' }, world.as(editor.token))).status).toBe(200);
  });
});

test('idle conversations close after the configured days unless a contact is waiting', async () => {
  expect(answer(await owner.put('/v1/inbox_settings', { auto_close_days: 0 }))).toMatchObject([
    400,
    expect.any(Number),
  ]);
  await owner.put('/v1/inbox_settings', { auto_close_days: 7 });
  expect((await owner.get('/v1/inbox_settings')).body.data).toMatchObject({
    auto_close_days: 7,
    office_hours: null,
  });
  const age = (days: number) =>
    world.kernel.db.run(sql`
      update conversations set timestamp = now() - ${days} * interval '1 day', last_read_timestamp = now(),
                               unread_count = 0
      where id = ${id}`);
  await age(6);
  await closeIdle(world.kernel, no_signal);
  expect((await read()).status).toBe('open');
  await age(8);
  await world.kernel.db.run(sql`update conversations set waiting_since = now() where id = ${id}`);
  await closeIdle(world.kernel, no_signal);
  expect((await read()).status).toBe('open');
  await world.kernel.db.run(sql`update conversations set waiting_since = null where id = ${id}`);
  await closeIdle(world.kernel, no_signal);
  expect((await read()).status).toBe('closed');
  expect(await readChanges()).toEqual([['status', null, { from: 'open', to: 'closed', until: null }]]);
});

test('a bulk job closes all conversations of a filter', async () => {
  const job = await owner.post('/v1/bulk_jobs', { action: 'close_conversations', filter: { status: ['open'] } });
  expect(job.status).toBe(202);
  await until('the conversation is closed', async () => (await read()).status === 'closed');
});

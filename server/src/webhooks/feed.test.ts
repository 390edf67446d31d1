import { conversationCreated } from '@parley/contract/inbox/inbox.ts';
import { messageStatusChanged } from '@parley/contract/messages/messages.ts';
import type { EventPage } from '@parley/contract/webhooks/feed.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { emit, emitMany } from '../kernel/live/events.ts';
import { type Company, makeCarrier, makeCompany, makeKey, makeSender } from '../test/make.ts';
import { type Caller, createWorld, until, type World } from '../test/world.ts';

let world: World;
let company: Company;
let api: Caller;
beforeAll(async () => {
  world = await createWorld();
  company = await makeCompany(world.kernel);
  api = world.as({ key: await makeKey(world.kernel, company.account_id) });
});
afterAll(() => world?.stop());

const PATH = '/v1/webhook_events';
const message = (change: object = {}) => ({
  ...{ id: newId(), account_id: company.account_id, direction: 'MT' as const, channel: 'SMS', from: 'Shop' },
  ...{ to: '447700900123', text: 'Zoë 👋', status: 'delivered' as const, sender_id: newId(), mccmnc: '23415' },
  ...{ price: 0.04, create_date: '2030-01-01 10:00:00', update_date: '2030-01-01 10:00:05' },
  ...change,
});
const report = (change: object = {}, account_id = company.account_id) =>
  world.kernel.db.tx(async (tx) => {
    emit(tx, messageStatusChanged, account_id, message(change) as never);
  });
const read = async (after?: string, wait = 0, caller = api): Promise<EventPage> => {
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}&wait_seconds=${wait}`;
  const { status, body } = await caller.get(PATH + query);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.data;
};
const start = async (caller = api) => (await read(undefined, 0, caller)).cursor;
const types = ({ events }: EventPage) => events.map(({ type }) => type);

test('a waiting call gets the next event, and a cursor repeats and misses none', async () => {
  const cursor = await start();
  const waiting = read(cursor, 20);
  const id = newId();
  await report({ id });
  const first = await waiting;
  expect(first.events).toEqual([
    expect.objectContaining({ type: 'message.delivered', data: expect.objectContaining({ id, text: 'Zoë 👋' }) }),
  ]);
  expect(await read(cursor)).toMatchObject({ events: first.events });
  for (const status of ['sent', 'failed', 'read']) await report({ status });
  const seen: string[] = [];
  await until('all events were read', async () => {
    seen.length = 0;
    let page = await read(first.cursor);
    seen.push(...types(page));
    while (page.events.length > 0) {
      page = await read(page.cursor);
      seen.push(...types(page));
    }
    return seen.length >= 3;
  });
  expect(seen).toEqual(['message.sent', 'message.failed', 'message.read']);
});

test('events that are stored together have separate IDs', async () => {
  const cursor = await start();
  await world.kernel.db.tx((tx) =>
    emitMany(tx, messageStatusChanged, [
      { account_id: company.account_id, payload: message({ status: 'sent' }) as never },
      { account_id: company.account_id, payload: message({ status: 'read' }) as never },
    ]),
  );
  const page = await read(cursor, 20);
  expect(types(page)).toEqual(['message.sent', 'message.read']);
  expect(new Set(page.events.map(({ id }) => id)).size).toBe(2);
});

test('a caller gets only events of its account and its permissions', async () => {
  const stranger = await makeCompany(world.kernel);
  const own = world.as({ key: await makeKey(world.kernel, company.account_id, { WEBHOOKS: 1 }) });
  const assigned = world.as({ key: await makeKey(world.kernel, company.account_id, { MESSAGES: 1 }) });
  const cursors = [await start(), await start(own), await start(assigned)];
  await report({}, stranger.account_id);
  await world.kernel.db.tx(async (tx) => {
    const conversation = { id: newId(), account_id: company.account_id, assignee_id: company.user_id };
    emit(tx, conversationCreated, company.account_id, conversation as never);
  });
  await report();
  await until('the events are published', async () => (await read(cursors[0])).events.length === 2);
  expect(types(await read(cursors[0]))).toEqual(['conversation.created', 'message.delivered']);
  expect(types(await read(cursors[1], 0, own))).toEqual([]);
  const limited = await read(cursors[2], 0, assigned);
  expect(types(limited)).toEqual(['message.delivered']);
  expect(limited.events[0]!.data.price).toBeNull();
  const none = world.as({ key: await makeKey(world.kernel, company.account_id, { CAMPAIGNS: 1 }) });
  expect((await none.get(PATH)).body.errors[0].code).toBe(1136);
});

test('a key that is revoked while its call waits gets no events', async () => {
  const key = await makeKey(world.kernel, company.account_id);
  const caller = world.as({ key });
  const cursor = await start(caller);
  const waiting = caller.get(`${PATH}?after=${encodeURIComponent(cursor)}&wait_seconds=20`);
  await until('the call waits', async () => (await caller.get(PATH)).status === 200);
  await world.kernel.db.run(
    sql`delete from api_keys where account_id = ${company.account_id} and hint = ${key.slice(-4)}`,
  );
  await report();
  expect((await waiting).body.errors[0].code).toBe(1101);
});

test('a test key gets the events of test messages and no live ones', async () => {
  await makeCarrier(world.kernel, { countries: ['GB'] });
  const { code } = await makeSender(world.kernel, company.account_id);
  const tester = world.as({ key: await makeKey(world.kernel, company.account_id, undefined, true) });
  const cursor = await start(tester);
  await report();
  const sms = { channel: 'SMS', from: code, to: ['447400123456'], text: 'Hello', payload: 'order 7' };
  expect((await tester.post('/v1/messages', sms)).status).toBe(200);
  const page = await read(cursor, 20, tester);
  expect(page.events[0]!.data).toMatchObject({ test: true, payload: 'order 7' });
});

test('an example reaches the feed and no webhook', async () => {
  const hook = (
    await world.as(company.token).post('/v1/webhooks', {
      ...{ url: 'http://127.0.0.1:9/hook', events: ['message.failed'] },
    })
  ).body.data;
  const cursor = await start();
  expect((await api.post(`${PATH}/examples`, { event: 'message.failed' })).status).toBe(202);
  const page = await read(cursor, 20);
  expect(page.events).toMatchObject([{ type: 'message.failed', data: { example: true, status: 'failed' } }]);
  const deliveries = await world.as(company.token).get(`/v1/webhooks/${hook.id}/deliveries`);
  expect(deliveries.body.data).toEqual([]);
  expect((await api.post(`${PATH}/examples`, { event: 'x' })).body.errors[0].code).toBe(2130);
  const messagesOnly = world.as({ key: await makeKey(world.kernel, company.account_id, { MESSAGES: 3 }) });
  const refused = await messagesOnly.post(`${PATH}/examples`, { event: 'campaign.created' });
  expect(refused.body.errors[0].code).toBe(1136);
});

test('an account can have at most 20 waiting calls, and other accounts are not affected', async () => {
  const cursor = encodeURIComponent(await start());
  const abort = new AbortController();
  const wait = () =>
    fetch(`${world.url}${PATH}?after=${cursor}&wait_seconds=20`, {
      headers: { authorization: `Bearer ${company.token}` },
      signal: abort.signal,
    }).then(
      ({ status }) => status,
      () => 0,
    );
  const calls = Array.from({ length: 21 }, wait);
  expect(await Promise.race(calls)).toBe(429);
  const stranger = await makeCompany(world.kernel);
  expect((await world.as(stranger.token).get(`${PATH}?after=${cursor}&wait_seconds=1`)).status).toBe(200);
  abort.abort();
  await Promise.all(calls);
  await until(
    'the calls have ended',
    async () => (await api.get(`${PATH}?after=${cursor}&wait_seconds=1`)).status === 200,
  );
});

test('a cursor is refused when its events have been deleted or it is not a time', async () => {
  expect((await api.get(`${PATH}?after=2020-01-01T00:00:00Z`)).body.errors[0].code).toBe(2136);
  for (const after of ['yesterday', '2026-02-30 00:00:00', '%00', '👋'])
    expect((await api.get(`${PATH}?after=${encodeURIComponent(after)}`)).body.errors[0].code).toBe(1705);
  expect((await api.get(`${PATH}?wait_seconds=21`)).body.errors[0].code).toBe(1705);
});

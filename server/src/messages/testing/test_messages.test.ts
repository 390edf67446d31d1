import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { raw, sql } from '../../kernel/db/db.ts';
import { type Company, makeCarrier, makeCompany, makeKey, makeSender } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let tester: Caller;
let live: Caller;
let from: string;
let server: Server;
const received: { data: Record<string, unknown>; type?: string }[] = [];

beforeAll(async () => {
  world = await createWorld();
  await makeCarrier(world.kernel, { countries: ['GB'] });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  from = (await makeSender(world.kernel, company.account_id)).code;
  tester = world.as({ key: await makeKey(world.kernel, company.account_id, undefined, true) });
  live = world.as({ key: await makeKey(world.kernel, company.account_id) });
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      received.push(JSON.parse(text));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await owner.post('/v1/webhooks', { url: `${url}/simple`, event: 'delivery' });
  await owner.post('/v1/webhooks', { url: `${url}/events`, events: ['message.sent', 'message.delivered'] });
});
afterAll(async () => {
  await world?.stop();
  server?.close();
});

const send = (to: string, more: object = {}, headers: Record<string, string> = {}, caller = tester) =>
  caller.post('/v1/messages', { from, to: [to], channel: 'SMS', text: 'Your order is ready', ...more }, headers);
const codeIn = (reply: Reply): number => reply.body.errors[0].code;

async function outcome(reply: Reply) {
  const path = `/v1/messages/${reply.body.data[0].id}`;
  let found: Reply | undefined;
  await until('the message has an outcome', async () => {
    found = await tester.get(path);
    return found.body.data.status !== 'enroute' && found.body.data.status !== 'scheduled';
  });
  return found!.body.data;
}

/** The number of rows of live data that the account has. */
const liveRows = async (): Promise<number[]> => {
  const counts: number[] = [];
  for (const table of [
    'messages',
    'dispatch',
    'holds',
    'ledger',
    'conversations',
    'message_decisions',
    'refused_calls',
  ]) {
    const { count } = await world.kernel.db.one<{ count: number }>(
      sql`select count(*)::int as count from ${raw(table)} where account_id = ${company.account_id}`,
    );
    counts.push(count);
  }
  return counts;
};

test('a test message passes the gate, gets its outcome, and leaves nothing in live data', async () => {
  const before = await liveRows();
  const balance = (await owner.get(`/v1/balances/${company.account_id}`)).body;
  const reply = await send('447400123456', { payload: 'order 7' });
  expect(reply.status).toBe(200);
  expect(reply.body.data[0]).toMatchObject({ status: 'enroute', price_micros: 0, segments_count: 1, test: true });
  expect(await outcome(reply)).toMatchObject({ status: 'delivered', test: true, payload: 'order 7', key_name: 'Test' });
  expect(codeIn(await send('447400123456', { from: 'Nobody' }))).toBe(1505);
  expect(codeIn(await send('12'))).toBe(1523);
  expect(await liveRows()).toEqual(before);
  expect((await owner.get(`/v1/balances/${company.account_id}`)).body).toEqual(balance);
  expect((await owner.get('/v1/messages')).body.data).toEqual([]);
  expect((await live.get(`/v1/messages/${reply.body.data[0].id}`)).status).toBe(404);
  expect((await tester.get('/v1/messages?filter[statuses]=delivered&filter[countries]=GB')).body.data).toHaveLength(1);
  expect((await tester.get('/v1/messages?filter[statuses]=failed')).body.data).toEqual([]);
  expect((await owner.get('/v1/test_messages')).body.data[0]).toMatchObject({ id: reply.body.data[0].id, test: true });
});

test('the number of the recipient chooses the outcome', async () => {
  const replies = [];
  for (const ending of [1, 2, 3, 4, 5]) replies.push(await send(`44740000000${ending}`));
  const found = [];
  for (const reply of replies) found.push((await outcome(reply)).status);
  expect(found).toEqual(['failed', 'rejected', 'expired', 'unsubscribed', 'sent']);
});

test('webhooks get the statuses of test messages in order, marked as test', async () => {
  const reply = await send('447400123457', { payload: 'order 8' });
  const { id } = reply.body.data[0];
  const about = () => received.filter(({ data }) => data.id === id || data.message_id === id);
  await until('all deliveries have arrived', () => about().length >= 3);
  expect(about().every(({ data }) => data.test === true && data.payload === 'order 8')).toBe(true);
  const statuses = about().flatMap(({ type }) => type ?? []);
  expect(statuses).toEqual(['message.sent', 'message.delivered']);
});

test('a scheduled test message can be canceled, and only once', async () => {
  const schedule = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const path = `/v1/messages/${(await send('447400123456', { schedule })).body.data[0].id}`;
  expect((await tester.get(path)).body.data.status).toBe('scheduled');
  expect((await tester.delete(path)).status).toBe(204);
  expect((await tester.get(path)).body.data.status).toBe('canceled');
  expect((await tester.delete(path)).status).toBe(409);
});

test('a test key is refused for live data, and marks its requests', async () => {
  for (const path of [
    '/v1/people',
    '/v1/stop_list',
    '/v1/audience_imports',
    '/v1/api_requests',
    `/v1/balances/${company.account_id}`,
  ])
    expect([path, codeIn(await tester.get(path))]).toEqual([path, 2409]);
  expect(codeIn(await send('447400123456', { test: true }))).toBe(2409);
  expect((await tester.get('/v1/senders')).status).toBe(200);
  expect((await tester.get(`/v1/messages/${newId()}`)).status).toBe(404);
  await until('the request is in the log', async () => {
    const { body } = await owner.get('/v1/api_requests?filter[code]=2409');
    return body.data.length > 0 && body.data.every((row: { test: boolean }) => row.test);
  });
});

test('an idempotency key of a test does not answer a live request', async () => {
  const headers = { 'idempotency-key': 'order-1' };
  const first = await send('447400123458', {}, headers);
  expect((await send('447400123458', {}, headers)).body.data[0].id).toBe(first.body.data[0].id);
  const real = await send('447400123458', {}, headers, live);
  expect(real.body.data[0].id).not.toBe(first.body.data[0].id);
  expect(real.body.data[0]).not.toHaveProperty('test');
});

test('test keys have their own prefix, and another account does not see test messages', async () => {
  const { body } = await owner.post('/v1/keys', { name: 'Staging', permissions: { MESSAGES: 3 }, test: true });
  expect(body.data.key).toMatch(/^parley_test_[0-9A-Za-z]{36}$/);
  expect((await world.as({ key: body.data.key }).get('/v1/messages')).status).toBe(200);
  const rotated = await owner.post(`/v1/keys/${body.data.id}/rotations`, {});
  expect(rotated.body.data.key).toMatch(/^parley_test_/);
  const other = world.as((await makeCompany(world.kernel)).token);
  const { id } = (await send('447400123459')).body.data[0];
  expect((await other.get(`/v1/test_messages/${id}`)).status).toBe(404);
  expect((await other.get('/v1/test_messages')).body.data).toEqual([]);
  const { count } = await world.kernel.db.one<{ count: number }>(
    sql`select count(*)::int as count from test_messages where account_id = ${company.account_id}`,
  );
  expect(count).toBeGreaterThan(0);
});

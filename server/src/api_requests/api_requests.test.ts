import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeKey, makeSender, makeUser, testNumber } from '../test/make.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../test/world.ts';
import { pruneRequests } from './api_requests.ts';

let world: World;
let company: Company;
let owner: Caller;
let program: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  program = world.as({ key: await makeKey(world.kernel, company.account_id) });
});

const requestId = (reply: Reply): string => reply.headers.get('x-request-id')!;

/** Returns the logged request of a response, as soon as it has been written. */
async function logged(reply: Reply, who: Caller = owner) {
  let found: Reply | undefined;
  await until('the request is in the log', async () => {
    found = await who.get(`/v1/api_requests/${requestId(reply)}`);
    return found.status !== 404;
  });
  return found!.body.data;
}

test('the request ID of a response finds the request with its bodies', async () => {
  const { code } = await makeSender(world.kernel, company.account_id);
  const reply = await program.post('/v1/messages', { from: code, to: ['12'], channel: 'SMS', text: 'Code 482913' });
  expect(reply.status).toBe(400);
  const found = await logged(reply);
  expect(found).toMatchObject({
    ...{ id: requestId(reply), account_id: company.account_id, key_name: 'Test', method: 'POST', path: '/v1/messages' },
    ...{ status: 400, code: reply.body.errors[0].code, address: '127.0.0.1', is_hidden: false, is_masked: true },
  });
  expect(JSON.parse(found.request_body)).toEqual({
    data: { from: code, to: ['12'], channel: 'SMS', text: 'Code ••••' },
  });
  expect(JSON.parse(found.response_body)).toEqual(reply.body);
  const { body } = await owner.get(`/v1/api_requests?filter[search]=${requestId(reply)}`);
  expect(body.data).toHaveLength(1);
});

test('codes and secrets are masked in bodies and in paths', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const check = await program.get('/v1/verifications?phone=447400000001&code=482913');
  const submit = await program.post('/v1/verification_checks', { phone: '447400000001', code: '482913' });
  const hook = await program.post('/v1/webhooks', {
    url: 'https://example.com/hook?token=abc',
    event: 'message',
    secret,
  });
  const paths = await Promise.all([check, submit, hook].map((reply) => logged(reply)));
  expect(JSON.stringify(paths)).not.toMatch(/482913|MfKQ9r8|token=abc/);
  expect(paths[0].path).toBe('/v1/verifications?phone=447400000001&code=••••');
});

test('requests that fail before the endpoint runs are logged for the owner of the key', async () => {
  const key = await makeKey(world.kernel, company.account_id, { MESSAGES: 1 });
  await world.kernel.db.run(sql`
    update api_keys set expire_date = now() - interval '1 hour' where account_id = ${company.account_id}
      and hint = ${key.slice(-4)}`);
  const replies = [
    await world.as({ key }).get('/v1/messages'),
    await program.get('/v1/nothing-here'),
    await program.raw('/v1/messages', { method: 'PATCH' }),
    await program.raw('/v1/messages', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"' }),
  ];
  const found = [];
  for (const reply of replies) found.push((await logged(reply)).status);
  expect(found).toEqual([401, 404, 405, 400]);
});

test('calls of users and calls with unknown keys are not logged', async () => {
  const own = await owner.get('/v1/senders');
  const unknown = await world.as({ key: 'f'.repeat(32) }).get('/v1/senders');
  await logged(await program.get('/v1/senders'));
  for (const reply of [own, unknown])
    expect((await owner.get(`/v1/api_requests/${requestId(reply)}`)).status).toBe(404);
});

test('another account does not find the request, and users see only bodies that they may read', async () => {
  const reply = await program.get('/v1/audiences');
  await logged(reply);
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await stranger.get(`/v1/api_requests/${requestId(reply)}`)).status).toBe(404);
  expect((await stranger.get('/v1/api_requests')).body.data).toEqual([]);
  const { token } = await makeUser(world.kernel, company.account_id, { permissions: { KEYS: 1 } });
  expect(await logged(reply, world.as(token))).toMatchObject({ status: 200, response_body: null, is_hidden: true });
  expect((await owner.get('/v1/api_requests/7')).body.errors[0].code).toBe(2408);
});

test('the list is filtered by key, method, outcome, code, path, and time', async () => {
  const other = world.as({ key: await makeKey(world.kernel, company.account_id) });
  await program.get('/v1/senders');
  await program.get(`/v1/messages/${newId()}`);
  const { key_id } = await logged(await other.post('/v1/audiences', { name: 'Name 😀 \u0000' }));
  const count = async (filter: string) => (await owner.get(`/v1/api_requests?${filter}`)).body.pagination.total;
  expect(await count('')).toBe(3);
  expect(await count(`filter[key_ids]=${key_id}`)).toBe(1);
  expect(await count('filter[methods]=get')).toBe(2);
  expect(await count('filter[outcomes]=client_error,server_error')).toBe(2);
  expect(await count('filter[outcomes]=success')).toBe(1);
  expect(await count('filter[code]=1501')).toBe(1);
  expect(await count('filter[search]=/v1/send')).toBe(1);
  expect(await count('filter[created_date_start]=2020-01-01&filter[created_date_end]=2020-01-31')).toBe(0);
  const first = await owner.get('/v1/api_requests?page_size=10');
  expect(first.body.data[0]).not.toHaveProperty('request_body');
});

test('long bodies are shortened and remain valid JSON', async () => {
  const contacts = Array.from({ length: 900 }, (_, n) => ({ number: testNumber(n), first_name: 'x'.repeat(30) }));
  const found = await logged(await program.post('/v1/audiences', { name: 'Long', channel: 'SMS', contacts }));
  expect(found.is_masked).toBe(true);
  expect(found.request_body.length).toBeLessThan(8_000);
  expect(JSON.parse(found.request_body).data.contacts.at(-1)).toMatch(/^… \d+ more$/);
});

test('old requests are deleted, and newer ones are kept', async () => {
  const reply = await program.get('/v1/senders');
  await logged(reply);
  await world.kernel.db.run(sql`
    insert into api_requests (account_id, id, key_id, method, path, status, ms, address, is_masked, create_date)
    select account_id, ${newId(Date.now() - 31 * 86_400_000)}, key_id, method, path, status, ms, address, false,
           now() - interval '31 days'
    from api_requests where account_id = ${company.account_id} and id = ${requestId(reply)}`);
  await pruneRequests(world.kernel.db, new Date(Date.now() - 30 * 86_400_000), new AbortController().signal);
  const { body } = await owner.get('/v1/api_requests');
  expect(body.data.map((row: { id: string }) => row.id)).toEqual([requestId(reply)]);
});

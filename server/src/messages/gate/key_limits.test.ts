import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let from: string;
let next = 0;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await makeCarrier(world.kernel, { countries: ['GB'] });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  from = (await makeSender(world.kernel, company.account_id)).code;
});
afterAll(() => world?.stop());

const create = async (fields: object) =>
  (
    await owner.post('/v1/keys', {
      name: 'Shop',
      permissions: { MESSAGES: 15, CAMPAIGNS: 15, SENDERS: 1, SHORT_URLS: 15, PAYMENTS: 1 },
      ...fields,
    })
  ).body.data;
const send = (caller: Caller): Promise<Reply> =>
  caller.post('/v1/messages', { from, to: [testNumber(next++)], channel: 'SMS', text: 'Your order is ready' });
const codes = (replies: readonly Reply[]): number[] => replies.map(({ body }) => body.errors?.[0].code ?? 0);

test('parallel requests never exceed the spend limit of their key, and other keys are not affected', async () => {
  const free = world.as({ key: (await create({})).key });
  const { price_micros } = (await send(free)).body.data[0];
  expect(price_micros).toBeGreaterThan(0);
  const { id, key } = await create({ spend_limit_micros: price_micros * 3 });
  const capped = world.as({ key });
  const replies = await Promise.all(Array.from({ length: 8 }, () => send(capped)));
  expect(codes(replies).sort()).toEqual([0, 0, 0, 2411, 2411, 2411, 2411, 2411]);
  expect((await owner.get(`/v1/keys/${id}`)).body.data.spent_micros).toBe(price_micros * 3);
  expect((await send(free)).status).toBe(200);
  const stored = await world.kernel.db.one<{ count: number }>(
    sql`select count(*)::int as count from messages where account_id = ${company.account_id} and key_id = ${id}`,
  );
  expect(stored.count).toBe(3);
  await owner.put(`/v1/keys/${id}`, { spend_limit_micros: price_micros * 4 });
  expect(codes([await send(capped), await send(capped)])).toEqual([0, 2411]);
  await owner.put(`/v1/keys/${id}`, { spend_limit_micros: null });
  expect((await send(capped)).status).toBe(200);
});

test('a key with a spend limit cannot make calls that the limit does not count', async () => {
  const caller = world.as({ key: (await create({ spend_limit_micros: 1_000_000 })).key });
  const replies = [await caller.post('/v1/campaigns', {}), await caller.post('/v1/number-lookups', {})];
  expect(codes(replies)).toEqual([2412, 2412]);
  expect((await caller.get('/v1/campaigns')).status).toBe(200);
});

test('the requests per second of a key have their own code, and appear in its usage', async () => {
  const { id, key } = await create({ requests_per_second: 1 });
  const caller = world.as({ key });
  const replies = await Promise.all(Array.from({ length: 6 }, () => caller.get('/v1/senders?page_size=10')));
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(2);
  expect(refused[0]!.body.errors[0].code).toBe(2410);
  expect(refused[0]!.headers.get('ratelimit-limit')).toBe('1');
  await until('the usage is counted', async () => {
    const { days } = (await owner.get(`/v1/keys/${id}/usage`)).body.data;
    expect(days).toHaveLength(30);
    return days.at(-1).requests === 6 && days.at(-1).errors >= refused.length;
  });
});

test.each([
  [{ requests_per_second: 0 }, 2413],
  [{ requests_per_second: 10_001 }, 2413],
  [{ spend_limit_micros: 0 }, 2414],
])('a key refuses limits that break a rule (%#)', async (fields, code) => {
  const reply = await owner.post('/v1/keys', { name: 'A', permissions: { MESSAGES: 1 }, ...fields });
  expect(reply.body.errors[0].code).toBe(code);
});

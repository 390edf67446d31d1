/** Test-key verification codes: the same rules, no message, and nothing in live figures. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { raw, sql } from '../kernel/db/db.ts';
import { createGate, type Gate } from '../test/gate.ts';
import { makeKey, testNumber } from '../test/make.ts';
import type { Caller } from '../test/world.ts';
import { expireAll } from './jobs.ts';

let gate: Gate;
let tester: Caller;
let live: Caller;
let next = 900;
let phone: string;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(async () => {
  await gate.renew(10_000_000);
  phone = testNumber(next++);
  const { kernel } = gate.world;
  const { account_id } = gate.company;
  tester = gate.world.as({ key: await makeKey(kernel, account_id, undefined, true) });
  live = gate.world.as({ key: await makeKey(kernel, account_id) });
});

const send = (fields: object = {}, caller = tester) =>
  caller.post('/v1/verifications', { channel: 'SMS', sender: gate.code, phone, code_length: 6, ...fields });
const check = async (code: string, caller = tester) =>
  (await caller.post('/v1/verification_checks', { phone, code })).body.data.verified as boolean;

async function countLive(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ['messages', 'sent_codes', 'code_counts', 'ledger', 'holds']) {
    const row = await gate.world.kernel.db.one<{ count: number }>(
      sql`select count(*)::int as count from ${raw(table)} where account_id = ${gate.company.account_id}`,
    );
    counts[table] = row.count;
  }
  return counts;
}

test('a test code is known in advance, works once, and leaves nothing in live data', async () => {
  const before = await countLive();
  const reply = await send();
  expect(reply.status).toBe(201);
  expect(reply.body.data).toMatchObject({ phone, status: 'pending', attempts: 0, test: true });
  const message = await tester.get(`/v1/messages/${reply.body.data.message_id}`);
  expect(message.body.data).toMatchObject({ to: phone, test: true, price_micros: 0 });
  expect(JSON.stringify(message.body)).not.toContain('123456');
  expect(await check('123456', live), 'a live key does not see it').toBe(false);
  expect(await check('123456')).toBe(true);
  expect(await check('123456')).toBe(false);
  expect((await tester.get('/v1/verifications/log')).body.data).toMatchObject([{ status: 'verified', test: true }]);
  expect((await live.get('/v1/verifications/log')).body.data).toEqual([]);
  expect(await countLive()).toEqual(before);
});

test('parallel requests for test codes to one phone all succeed, and the last code is open', async () => {
  const replies = await Promise.all(Array.from({ length: 16 }, () => send()));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
  const { data } = (await tester.get('/v1/verifications/log?page_size=100')).body;
  expect(data.filter(({ status }: { status: string }) => status === 'pending')).toHaveLength(1);
  expect(await check('123456')).toBe(true);
});

test('the length or the request decides the code, and a new code replaces the earlier one', async () => {
  await send({ code_length: 8 });
  await send({ code_length: undefined, code: '4711' });
  expect(await check('12345678')).toBe(false);
  const right = await tester.get(`/v1/verifications?phone=${phone}&code=4711`);
  expect(right.body.data).toMatchObject([{ status: 'verified', attempts: 2, test: true }]);
  const statuses = (await tester.get('/v1/verifications/log')).body.data.map(
    ({ status }: { status: string }) => status,
  );
  expect(statuses).toEqual(['verified', 'replaced']);
});

test('a live code and a test code to the same phone do not affect each other', async () => {
  await send({ code_length: undefined, code: '1111' });
  await send({ code_length: undefined, code: '2222' }, live);
  expect(await check('2222')).toBe(false);
  expect(await check('1111', live)).toBe(false);
  expect([await check('1111'), await check('2222', live)]).toEqual([true, true]);
});

test('a test code ends after five wrong attempts, expires, and passes one of 32 parallel checks', async () => {
  await send();
  for (let attempt = 0; attempt < 5; attempt++) expect(await check('000000')).toBe(false);
  expect(await check('123456')).toBe(false);
  await send();
  await gate.world.kernel.db.run(sql`
    update test_codes set expire_date = now() - interval '1 second' where account_id = ${gate.company.account_id}`);
  await expireAll(gate.world.kernel.db);
  const statuses = (await tester.get('/v1/verifications/log')).body.data.map(
    ({ status }: { status: string }) => status,
  );
  expect(statuses).toEqual(['expired', 'failed']);
  await send();
  const verified = await Promise.all(Array.from({ length: 32 }, () => check('123456')));
  expect(verified.filter(Boolean)).toHaveLength(1);
});

test('a test code is refused for the same reasons as a live code and needs no balance', async () => {
  expect((await send({ sender: 'Nobody' })).body.errors[0]).toMatchObject({ code: 1505, field: 'sender' });
  expect((await send({ phone: '12' })).body.errors[0].code).toBe(1523);
  expect((await send({ code_length: 3 })).status).toBe(400);
  await gate.renew(0);
  tester = gate.world.as({ key: await makeKey(gate.world.kernel, gate.company.account_id, undefined, true) });
  expect((await send()).status).toBe(201);
});

test('test codes have no limits per phone, and a repeated request creates one code', async () => {
  for (let n = 0; n < 12; n++) expect((await send()).status).toBe(201);
  const once = { 'idempotency-key': 'code-1' };
  const body = { channel: 'SMS', sender: gate.code, phone, code_length: 6 };
  const first = await tester.post('/v1/verifications', body, once);
  expect((await tester.post('/v1/verifications', body, once)).body.data.id).toBe(first.body.data.id);
});

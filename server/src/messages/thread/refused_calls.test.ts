/** Refused calls to send messages appear in the log with their code and reason. */
import type { RefusedCall } from '@parley/contract/messages/refused_calls.ts';
import { problemMessage } from '@parley/contract/problem.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCarrier, makeCompany, makeKey, makeSender, makeUser } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';
import { pruneRefusedCalls } from './refused_calls.ts';

let world: World;
let company: Company;
let from: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await makeCarrier(world.kernel, { countries: ['GB'] });
  company = await makeCompany(world.kernel);
  from = (await makeSender(world.kernel, company.account_id)).code;
});
afterAll(() => world.stop());

const TO = '447410000001';
const list = async (token = company.token, search = ''): Promise<RefusedCall[]> =>
  (await world.as(token).get(`/v1/refused_calls${search}`)).body.data;
/** Refused calls are stored after their response. */
const waitForCalls = (count: number) => expect.poll(async () => (await list()).length).toBe(count);

test('a refused call is listed with its code, reason, sender, and key, and an accepted call is not', async () => {
  const key = world.as({ key: await makeKey(world.kernel, company.account_id) });
  const good = await key.post('/v1/messages', { channel: 'SMS', from, to: [TO], text: 'Hello' });
  expect(good.status, good.text).toBe(200);
  const refused = await key.post('/v1/messages', { channel: 'SMS', from: 'Nobody', to: [TO], text: 'Hello' });
  expect(refused.body.errors[0].code).toBe(1505);
  await waitForCalls(1);
  const [call] = await list();
  expect(call).toMatchObject({
    ...{ account_id: company.account_id, method: 'POST', path: '/v1/messages', status: refused.status, code: 1505 },
    ...{ message: problemMessage('MESSAGE_SENDER_NOT_FOUND'), channel: 'SMS', from: 'Nobody', to: TO },
    ...{ key_name: 'Test', user_id: null, request_id: refused.body.errors[0].request_id },
  });
  expect(JSON.stringify(call)).not.toContain('Hello');
});

test('a refused call is stored without harm when its body is malformed', async () => {
  const user = world.as(company.token);
  await user.post('/v1/messages', { channel: 7, from: ['a'], to: { a: 1 } });
  await user.post('/v1/messages', { channel: 'SMS', from: 'a\0b\ud800', to: ['x'.repeat(5_000)], text: '\0' });
  await user.post('/v1/messages', { channel: 'SMS', from, to: [], text: 'x' });
  await waitForCalls(4);
  const calls = await list();
  expect(calls.every(({ to }) => (to?.length ?? 0) <= 200)).toBe(true);
  expect(calls[0]!.user_name).not.toBeNull();
  expect(await list(company.token, `?filter[code]=1505`)).toHaveLength(1);
});

test('a refused call is visible only to users of its account who may view messages', async () => {
  expect(await list((await makeCompany(world.kernel)).token)).toEqual([]);
  const finance = await makeUser(world.kernel, company.account_id, { permissions: { PAYMENTS: 1 } });
  expect((await world.as(finance.token).get('/v1/refused_calls')).status).toBe(403);
});

test('a refused call is deleted after 30 days', async () => {
  const { db } = world.kernel;
  await db.run(sql`
    update refused_calls set create_date = now() - interval '31 days'
    where account_id = ${company.account_id} and code = 1505`);
  expect(await pruneRefusedCalls(db, 100)).toBe(1);
  expect(await pruneRefusedCalls(db, 100)).toBe(0);
  expect(await list()).toHaveLength(3);
});

import { ROLES } from '@parley/contract/team/team.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeCompany, makeKey, makeSender, makeUser } from '../test/make.ts';
import { createWorld, type World } from '../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

const info = async (who: string | { key: string }) => (await world.as(who).get('/v1/accounts/self')).body.data;

it('the account includes the caller’s name, phone number, permissions, and role', async () => {
  const { account_id, user_id, token } = await makeCompany(world.kernel);
  await world.kernel.db.run(sql`update logins set phone_number = '4917604069014' where id = ${user_id}`);
  expect(await info(token)).toMatchObject({
    account_id,
    user_id,
    full_name: 'Test Person',
    phone_number: '4917604069014',
    user_country: 'DE',
    role: 'owner',
    roles: ['owner'],
    permissions: { MESSAGES: 15, KEYS: 15 },
  });
  const agent = await makeUser(world.kernel, account_id, { permissions: ROLES.agent!.permissions });
  expect(await info(agent.token)).toMatchObject({ role: 'agent', permissions: ROLES.agent!.permissions });
  const other = await makeUser(world.kernel, account_id, { permissions: { MESSAGES: 1 } });
  expect(await info(other.token)).toMatchObject({ role: 'custom', phone_number: null });
});

it('the account has no personal fields when the caller is an API key', async () => {
  const { account_id } = await makeCompany(world.kernel);
  const key = await makeKey(world.kernel, account_id, { MESSAGES: 3 });
  expect(await info({ key })).toMatchObject({
    user_id: null,
    full_name: null,
    phone_number: null,
    role: null,
    roles: [],
    permissions: { MESSAGES: 3 },
    test_sms: false,
  });
});

it('sender_free is true until the account has a sender and again after its last one is removed', async () => {
  const { account_id, token } = await makeCompany(world.kernel);
  const isStepDone = async () => (await world.as(token).get('/v1/dashboard?days=7')).body.data.steps.sender;
  expect((await info(token)).sender_free).toBe(true);
  // The sender that operators share for test messages is not a sender of the account.
  const operator = await makeCompany(world.kernel, { operator: true });
  const shared = await makeSender(world.kernel, operator.account_id);
  const borrowed = await makeSender(world.kernel, account_id);
  await world.kernel.db.run(sql`update senders set shared_from = ${shared.sender_id} where id = ${borrowed.sender_id}`);
  expect([(await info(token)).sender_free, await isStepDone()]).toEqual([true, false]);
  await makeSender(world.kernel, account_id);
  expect([(await info(token)).sender_free, await isStepDone()]).toEqual([false, true]);
  await world.kernel.db.run(sql`update senders set delete_date = now() where account_id = ${account_id}`);
  expect((await info(token)).sender_free).toBe(true);
});

it('a test message requires a verified account, permission to send, and a verified number', async () => {
  const { account_id, token } = await makeCompany(world.kernel);
  expect((await info(token)).test_sms).toBe(true);
  const reader = await makeUser(world.kernel, account_id, { permissions: { MESSAGES: 1 } });
  expect((await info(reader.token)).test_sms).toBe(false);
  const invited = await makeUser(world.kernel, account_id, { permissions: { MESSAGES: 3 }, status: 'EMAIL_VERIFIED' });
  expect((await info(invited.token)).test_sms).toBe(false);
  const waiting = await makeCompany(world.kernel, { status: 'UNVERIFIED' });
  expect((await info(waiting.token)).test_sms).toBe(false);
});

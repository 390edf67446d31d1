import { TESTS_PER_DAY } from '@parley/contract/messages/try_it_now.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { broken, makeStage, readBalance, type Stage } from '../../test/campaigns.ts';
import { makeUser, testNumber } from '../../test/make.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
let stage: Stage;
let teammate: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  stage = await makeStage(world, [
    { number: testNumber(1), first_name: 'Amelia' },
    { number: testNumber(2), first_name: 'Noah' },
  ]);
  teammate = (await makeUser(world.kernel, stage.account_id, { permissions: { CAMPAIGNS: 1 } })).user_id;
  await setPhone(stage.user_id, testNumber(50));
  await setPhone(teammate, testNumber(51));
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const setPhone = (user_id: string, number: string, status = 'PHONE_VERIFIED') =>
  world.kernel.db.run(sql`
    update logins set phone_number = ${number}, status = ${status}
    where id = (select login_id from users where account_id = ${stage.account_id} and id = ${user_id})`);
const send = (fields: object = {}, caller = stage.caller) =>
  caller.post('/v1/campaign_test_sends', {
    ...{ channel: 'SMS', from: stage.sender_id, user_ids: [stage.user_id], audience: stage.audience_id },
    ...{ text: 'Hello {first_name:friend}', ...fields },
  });
const code = (reply: { body: { errors?: { code: number }[] } }) => reply.body.errors?.[0]?.code;
const sent = () =>
  world.kernel.db.rows<{ number: string; text: string; source: string; price_micros: number }>(sql`
    select number, text, source, price_micros from messages where account_id = ${stage.account_id} order by id`);

test('a test goes to phones of the team, with the values of the contact in the preview, and is free', async () => {
  const before = await readBalance(world, stage);
  const { data } = (await stage.caller.get('/v1/campaign_test_sends/phones')).body;
  expect(data).toMatchObject({ limit: TESTS_PER_DAY, left: TESTS_PER_DAY });
  expect(data.phones.map((phone: { user_id: string; mine: boolean }) => [phone.user_id, phone.mine])).toEqual([
    [stage.user_id, true],
    [teammate, false],
  ]);
  expect(data.phones[0].number_end).toBe(testNumber(50).slice(-3));
  expect(JSON.stringify(data)).not.toContain(testNumber(51));
  const reply = await send({ user_ids: [stage.user_id, teammate], offset: 1 });
  expect([reply.status, reply.body.data]).toEqual([201, { sent: 2, left: TESTS_PER_DAY - 2 }]);
  const message = { text: 'Hello Noah', source: 'test', price_micros: 0 };
  expect((await sent()).sort((a, b) => a.number.localeCompare(b.number))).toEqual([
    { number: testNumber(50), ...message },
    { number: testNumber(51), ...message },
  ]);
  expect(await readBalance(world, stage)).toEqual(before);
  await send({ audience: null });
  expect((await sent()).at(-1)!.text).toBe('Hello friend');
});

test('a test goes only to verified phones of the team', async () => {
  const other = await makeStage(world, []);
  expect(code(await send({ user_ids: [other.user_id] }))).toBe(2686);
  expect(code(await send({ user_ids: [] }))).toBe(2686);
  expect(code(await send({ user_ids: Array.from({ length: 11 }, () => stage.user_id) }))).toBe(1507);
  await setPhone(teammate, testNumber(51), 'EMAIL_VERIFIED');
  expect(code(await send({ user_ids: [teammate] }))).toBe(2686);
  await setPhone(teammate, testNumber(51));
  expect(code(await send({ audience: other.audience_id }))).toBe(1606);
  expect(code(await send({ from: other.sender_id }))).toBe(1604);
  expect(code(await send({ text: '' }))).toBe(1508);
  const viewer = await makeUser(world.kernel, stage.account_id, { permissions: { CAMPAIGNS: 1 } });
  expect((await send({}, world.as(viewer.token))).status).toBe(403);
});

test('concurrent tests do not exceed the daily limit', async () => {
  const { left } = (await stage.caller.get('/v1/campaign_test_sends/phones')).body.data;
  const replies = await Promise.all(Array.from({ length: left + 3 }, () => send()));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(left);
  expect(replies.filter((reply) => code(reply) === 1525)).toHaveLength(3);
});

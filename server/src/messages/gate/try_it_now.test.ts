import { TESTS_PER_DAY } from '@parley/contract/messages/try_it_now.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeChatSender } from '../../test/chat.ts';
import { ANNA, BRUNO, createGate, FUNDS, type Gate } from '../../test/gate.ts';
import { makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { receiveMessages } from '../inbound/intake.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(async () => {
  await gate.renew();
  await phone(gate.company.user_id, ANNA);
});

/** Sets the verified phone of a user, as entering a verification code would. */
const phone = async (user_id: string, number: string): Promise<void> => {
  const { db } = gate.world.kernel;
  await db.run(sql`update logins set phone_number = null where phone_number = ${number}`);
  await db.run(sql`update logins set phone_number = ${number} where id = ${user_id}`);
};
const state = async () => (await gate.api.get('/v1/try_it_now/sms')).body.data;
const codes = ({ body }: { body: { errors?: { code: number }[] } }) => body.errors?.map(({ code }) => code);

describe('a test message', () => {
  test('is sent to the user’s own phone for free and logged as a test', async () => {
    const reply = await gate.send({ to: [ANNA], text: 'Does it work?', test: true });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject([{ source: 'test', price: 0, charge: 'held', to: ANNA, status: 'enroute' }]);
    expect(await gate.balance()).toMatchObject({ available_micros: FUNDS, held_micros: 0 });
    expect(await state()).toMatchObject({ id: 'SMS', left: TESTS_PER_DAY - 1, limit: TESTS_PER_DAY, blockers: [] });
  });

  test('is rejected for all recipients when one of them is a stranger or a colleague', async () => {
    const colleague = await makeUser(gate.world.kernel, gate.company.account_id);
    await phone(colleague.user_id, BRUNO);
    const reply = await gate.send({ to: [ANNA, BRUNO, '447400000009'], text: 'Hello', test: true });
    expect([reply.status, codes(reply)]).toEqual([400, [1523, 1523]]);
    expect(await gate.count('messages')).toBe(0);
  });

  test('can be sent to a number that the account has verified', async () => {
    await gate.world.kernel.db.run(sql`
      insert into own_numbers (account_id, number, user_id, verify_date) values (${gate.company.account_id}, ${BRUNO},
        null, now())`);
    expect((await gate.send({ to: BRUNO, text: 'Hello', test: true })).status).toBe(200);
    expect((await state()).numbers).toEqual([
      { number: ANNA, country: 'GB', mine: true },
      { number: BRUNO, country: 'GB', mine: false },
    ]);
  });

  test(`is rejected after ${TESTS_PER_DAY} in a day, even among 32 concurrent requests`, async () => {
    const replies = await Promise.all(
      Array.from({ length: 32 }, () => gate.send({ to: [ANNA], text: 'Again', test: true })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(TESTS_PER_DAY);
    expect(new Set(replies.filter(({ status }) => status !== 200).flatMap(codes))).toEqual(new Set([1525]));
    expect(await state()).toMatchObject({ left: 0, blockers: [{ code: 1525 }] });
    expect((await gate.send({ to: [ANNA], text: 'For money' })).status).toBe(200);
  });

  test('respects the stop list and the limit of ten recipients', async () => {
    const eleven = Array.from({ length: 11 }, (_, index) => `4474000001${String(index).padStart(2, '0')}`);
    expect(codes(await gate.send({ to: eleven, text: 'Hello', test: true }))).toEqual([1507]);
    await gate.api.post('/v1/stop_list', { number: ANNA });
    expect(codes(await gate.send({ to: [ANNA], text: 'Hello', test: true }))).toEqual([1530]);
  });
});

test('senders that reach the user’s country are listed first', async () => {
  const { kernel } = gate.world;
  await makeSender(kernel, gate.company.account_id, { name: 'US number', countries: ['US'] });
  await makeSender(kernel, gate.company.account_id, { name: 'Zed of Britain', countries: ['GB'] });
  await kernel.db.run(sql`update senders set status = 'canceled' where id = ${gate.sender_id}`);
  expect((await state()).senders.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual([
    'Zed of Britain',
    'US number',
  ]);
});

describe('the shared test sender', () => {
  let operators: string;
  beforeAll(async () => {
    operators = (await makeCompany(gate.world.kernel, { operator: true })).account_id;
    await makeSender(gate.world.kernel, operators, { code: '447700955555', name: 'Of the operators' });
  });

  test('lets an account without senders send tests, but is not listed and cannot message other phones', async () => {
    await gate.world.kernel.db.run(
      sql`update senders set status = 'canceled' where account_id = ${gate.company.account_id}`,
    );
    expect((await state()).senders).toMatchObject([{ id: 'try-it-now', code: '447700955555', lent: true }]);
    const reply = await gate.send({ from: 'try-it-now', to: [ANNA], text: 'Hello', test: true });
    expect(reply.body.data).toMatchObject([{ from: '447700955555', source: 'test' }]);
    const { sender_id } = reply.body.data[0];
    const listed = (await gate.api.get('/v1/senders?filter[name]=Try')).body;
    expect(listed).toMatchObject({ data: [], pagination: { total: 0 } });
    for (const from of [sender_id, 'Try it now', '447700955555'])
      expect([from, codes(await gate.send({ from, to: [BRUNO], text: 'Hello' }))]).toEqual([
        from,
        [from === sender_id ? 1523 : 1505],
      ]);
    const second = await gate.send({ from: 'try-it-now', to: [ANNA], text: 'Hello', test: true });
    expect(second.body.data[0].sender_id).toBe(sender_id);
    const draft = { name: 'Free for all', from: sender_id, text: 'Hello' };
    const { id } = (await gate.api.post('/v1/campaigns', draft)).body.data ?? {};
    const start = id ? await gate.api.put(`/v1/campaigns/${id}`, { status: 'in_progress' }) : { status: 400 };
    expect(start.status).toBeGreaterThanOrEqual(400);
  });

  test('routes replies to the account that last wrote to the phone', async () => {
    const { kernel } = gate.world;
    const first = { ...gate.company };
    await gate.send({ from: 'try-it-now', to: [ANNA], text: 'Hello', test: true });
    const writeBack = async (text: string) =>
      kernel.db.tx((tx) =>
        receiveMessages(tx, [
          { connection_id: newId(), channel: 'SMS', from: ANNA, to: '447700955555', text, parts: 1, details: {} },
        ]),
      );
    await writeBack('It does');
    await gate.renew();
    await phone(gate.company.user_id, ANNA);
    await gate.send({ from: 'try-it-now', to: [ANNA], text: 'Hello', test: true });
    await writeBack('And again');
    const rows = await kernel.db.rows(sql`
      select account_id, text from messages where direction = 'MO' and number = ${ANNA} order by id`);
    expect(rows).toEqual([
      { account_id: first.account_id, text: 'It does' },
      { account_id: gate.company.account_id, text: 'And again' },
    ]);
  });

  test('can only be a fallback for a test message', async () => {
    const viber = await makeChatSender(gate.world.kernel, gate.company.account_id, 'VIBER');
    const fallbacks = [{ channel: 'SMS', from: 'try-it-now', text: 'By SMS', trigger: 'failed' }];
    const send = (fields: object) =>
      gate.send({ channel: 'VIBER', from: viber.code, to: [ANNA], text: 'By Viber', fallbacks, ...fields });
    const reply = await send({ test: true });
    expect(reply.status).toBe(200);
    const { body } = await gate.api.get(`/v1/messages/${reply.body.data[0].id}`);
    expect(body.data.fallbacks).toMatchObject([
      { channel: 'VIBER' },
      { channel: 'SMS', from: '447700955555', price_micros: 0 },
    ]);
    const refusal = await send({});
    expect([codes(refusal), refusal.body.errors[0].field]).toEqual([[1505], 'fallbacks.0.from']);
    await gate.expectSound();
  });

  test('is not found when a regular message names it', async () => {
    expect(codes(await gate.send({ from: 'try-it-now', to: [ANNA], text: 'Hello' }))).toEqual([1505]);
  });
});

test('the blockers for a test message are listed before it is sent', async () => {
  await phone(newId(), ANNA);
  await gate.world.kernel.db.run(sql`update accounts set status = 'UNVERIFIED' where id = ${gate.company.account_id}`);
  const { blockers, numbers } = await state();
  expect(numbers).toEqual([]);
  expect(blockers.map(({ code }: { code: number }) => code)).toEqual([1524, 1523]);
});

test('another account’s phones are neither listed nor accepted as recipients', async () => {
  const other = await makeCompany(gate.world.kernel);
  const offer = (await gate.world.as(other.token).get('/v1/try_it_now/sms')).body.data;
  expect(offer.numbers).toEqual([]);
  const reply = await gate.world
    .as(other.token)
    .post('/v1/messages', { from: 'x', to: [ANNA], channel: 'SMS', text: 'Hello', test: true });
  expect(codes(reply)).toEqual([1523]);
});

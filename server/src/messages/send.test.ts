import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db.ts';
import { type Company, makeCarrier, makeCompany, makeKey, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { accept } from './messages.ts';
import { forgetRoutes } from './routing.ts';

const ANNA = '447400000001';
const BRUNO = '447400000002';
const PRICE = 40_000;

let world: World;
let company: Company;
let api: Caller;
let code: string;
let sender_id: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await makeCarrier(world.kernel, { countries: ['GB', 'US'] });
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel, { balance_micros: 1_000_000 });
  ({ code, sender_id } = await makeSender(world.kernel, company.account_id));
  api = world.as(company.token);
});

const send = (fields: object = {}, headers: Record<string, string> = {}) =>
  api.post('/v1/messages', { from: code, to: ANNA, channel: 'sms', text: 'Your order is ready', ...fields }, headers);
const count = async (table: 'messages' | 'dispatch' | 'ledger' | 'holds' | 'events') => {
  const from = {
    messages: sql`messages`,
    dispatch: sql`dispatch`,
    ledger: sql`ledger`,
    holds: sql`holds`,
    events: sql`events`,
  };
  const { account_id } = company;
  return (
    await world.kernel.db.one<{ n: number }>(
      sql`select count(*) as n from ${from[table]} where account_id = ${account_id}`,
    )
  ).n;
};
const balance = async () =>
  (await api.get(`/v1/balances/${company.account_id}`)).body.data as { available_micros: number; held_micros: number };
const nothingHappened = async () => {
  expect(await count('messages')).toBe(0);
  expect(await count('dispatch')).toBe(0);
  expect(await count('holds')).toBe(0);
  expect(await balance()).toMatchObject({ held_micros: 0 });
};
const sound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

describe('a message sent by API key', () => {
  test('is stored, queued, paid for and told, in one transaction', async () => {
    const key = await makeKey(world.kernel, company.account_id);
    api = world.as({ key });
    const reply = await send({ to: ['+44 7400 000001', BRUNO], text: 'Grüße {x}', payload: 'order 7' });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toHaveLength(2);
    const [first] = reply.body.data;
    expect(first).toMatchObject({
      account_id: company.account_id,
      to: ANNA,
      from: code,
      channel: 'SMS',
      status: 'enroute',
      direction: 'MT',
      source: 'api',
      encoding: 'GSM-7',
      segments_count: 1,
      country: 'GB',
      price: 0.04,
      price_micros: PRICE,
      charge: 'held',
      sender_id,
      user_id: null,
      conversation_id: null,
    });
    expect(Object.keys(first).slice(0, 2)).toEqual(['id', 'account_id']);
    const queued = await world.kernel.db.rows(sql`
      select number, sender_address, priority, stage, connection_id is not null as routed,
             extract(epoch from expire_date - not_before)::int as seconds
      from dispatch where account_id = ${company.account_id} order by message_id`);
    expect(queued).toEqual(
      [ANNA, BRUNO].map((number) => ({
        number,
        sender_address: code,
        priority: 5,
        stage: 'queued',
        routed: true,
        seconds: 86_400,
      })),
    );
    expect(await balance()).toMatchObject({ available_micros: 1_000_000 - 2 * PRICE, held_micros: 2 * PRICE });
    expect(await count('holds')).toBe(1);
    const events = await world.kernel.db.rows<{ type: string; payload: { id: string }; live: boolean }>(sql`
      select type, payload, live from events where account_id = ${company.account_id} and type <> 'balance.changed' order by id`);
    expect(events.map((event) => [event.type, event.live, event.payload.id])).toEqual(
      reply.body.data.map((message: { id: string }) => ['message.created', true, message.id]),
    );
    const story = (await api.get(`/v1/messages/${first.id}`)).body.data;
    expect(story).toMatchObject({
      ...first,
      payload: 'order 7',
      key_name: 'Test',
      user_name: null,
      attempts: 0,
      external_ids: [],
    });
    expect(story.timeline).toMatchObject([{ status: 'enroute', source: 'gate' }]);
    await sound();
  });

  test('costs by the parts the text needs', async () => {
    const reply = await send({ text: 'ж'.repeat(71) });
    expect(reply.body.data[0]).toMatchObject({ encoding: 'UCS-2', segments_count: 2, price_micros: 2 * PRICE });
    expect(await balance()).toMatchObject({ held_micros: 2 * PRICE });
  });

  test('to a number given twice goes once', async () => {
    const reply = await send({ to: [ANNA, `+${ANNA}`, BRUNO] });
    expect(reply.body.data.map((message: { to: string }) => message.to)).toEqual([ANNA, BRUNO]);
    expect(await balance()).toMatchObject({ held_micros: 2 * PRICE });
  });

  test('may be said to leave later', async () => {
    const schedule = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    const reply = await send({ schedule, validity_seconds: 600 });
    expect(reply.body.data[0]).toMatchObject({ status: 'scheduled', schedule });
    const queued = await world.kernel.db.one(sql`
      select not_before, extract(epoch from expire_date - not_before)::int as seconds from dispatch where account_id = ${company.account_id}`);
    expect(queued).toEqual({ not_before: schedule, seconds: 600 });
  });

  test('of a person is theirs: it opens a conversation and leaves first', async () => {
    const [message] = (await send()).body.data;
    expect(message).toMatchObject({ source: 'inbox', user_id: company.user_id });
    expect(message.conversation_id).not.toBeNull();
    expect(await world.kernel.db.one(sql`select priority from dispatch where message_id = ${message.id}`)).toEqual({
      priority: 1,
    });
  });
});

describe('refused, with nothing left behind', () => {
  const cases: [string, object, number, number, string | undefined][] = [
    ['no sender', { from: '' }, 400, 1503, 'from'],
    ['an unknown sender', { from: 'Nobody' }, 404, 1505, 'from'],
    ['nobody to send to', { to: [] }, 400, 1506, 'to'],
    ['eleven people', { to: Array.from({ length: 11 }, (_, i) => `44740000001${i}`) }, 400, 1507, 'to'],
    ['no text', { text: '' }, 400, 1508, 'text'],
    ['only blanks', { text: ' \n' }, 400, 1508, 'text'],
    ['1,001 characters', { text: 'a'.repeat(1_001) }, 400, 1510, 'text'],
    ['an unknown channel', { channel: 'pigeon' }, 400, 1515, 'channel'],
    ['an image by SMS', { type: 'image' }, 400, 1518, 'type'],
    ['a time that is past', { schedule: '2020-01-01 00:00:00' }, 400, 1522, 'schedule'],
    ['a time that is none', { schedule: 'tomorrow' }, 400, 1522, 'schedule'],
    ['a number that is none', { to: [ANNA, '12'] }, 400, 1523, 'to'],
    ['too long a payload', { payload: 'x'.repeat(501) }, 400, 1527, 'payload'],
    ['no price there', { to: '4915112345678' }, 400, 1544, 'to'],
    ['a validity of a second', { validity_seconds: 1 }, 400, 1545, 'validity_seconds'],
    ['more than 10 parts', { text: 'ж'.repeat(700) }, 400, 1546, 'text'],
  ];
  test.each(cases)('%s', async (_, fields, status, problem, field) => {
    const reply = await send(fields);
    expect(reply.status).toBe(status);
    expect(reply.body.errors[0]).toMatchObject({ code: problem, field });
    await nothingHappened();
  });

  test('an account that is not verified', async () => {
    await world.kernel.db.run(sql`update accounts set status = 'UNVERIFIED' where id = ${company.account_id}`);
    const reply = await send();
    expect([reply.status, reply.body.errors[0].code]).toEqual([403, 1524]);
    await nothingHappened();
  });

  test.each([
    ['pending', 1504],
    ['rejected', 1504],
    ['canceled', 1625],
  ])('a sender that is %s', async (status, problem) => {
    await world.kernel.db.run(sql`update senders set status = ${status} where id = ${sender_id}`);
    expect((await send()).body.errors[0].code).toBe(problem);
    await nothingHappened();
  });

  test('a sender of another account, by its id too', async () => {
    const stranger = await makeCompany(world.kernel);
    const other = await makeSender(world.kernel, stranger.account_id);
    expect((await send({ from: other.sender_id })).body.errors[0].code).toBe(1505);
    expect((await send({ from: other.code })).body.errors[0].code).toBe(1505);
  });

  test('a country the sender does not reach, and one that nobody carries to', async () => {
    await world.kernel.db.run(sql`update senders set countries = '{US}' where id = ${sender_id}`);
    expect((await send()).body.errors[0].code).toBe(1543);
    expect((await send({ to: '12025550123' })).status).toBe(200);
    await world.kernel.db.run(sql`update routes set enabled = false`);
    forgetRoutes(world.kernel.db);
    try {
      expect((await send({ to: '12025550123' })).body.errors[0].code).toBe(1543);
    } finally {
      await world.kernel.db.run(sql`update routes set enabled = true`);
      forgetRoutes(world.kernel.db);
    }
  });

  test('a number on the stop list, for this sender or for all, but not for another sender', async () => {
    const { account_id } = company;
    const other = await makeSender(world.kernel, account_id);
    const stop = (number: string, sender: string | null) =>
      world.kernel.db.run(sql`
        insert into stop_list (account_id, id, number, sender_id, reason) values (${account_id}, ${newId()}, ${number}, ${sender}, 'manual')`);
    await stop(ANNA, sender_id);
    await stop(BRUNO, null);
    const reply = await send({ to: ['447400000003', ANNA, BRUNO] });
    expect(reply.status).toBe(403);
    expect(
      reply.body.errors.map((error: { code: number; message: string }) => [error.code, error.message.split(': ')[1]]),
    ).toEqual([
      [1530, ANNA],
      [1530, BRUNO],
    ]);
    await nothingHappened();
    expect((await send({ from: other.code })).status).toBe(200);
    expect((await send({ from: other.code, to: BRUNO })).status).toBe(403);
  });

  test('no money for all of them', async () => {
    const expensive = { to: [ANNA, BRUNO, '447400000003'], text: 'ж'.repeat(660) };
    const reply = await send(expensive);
    expect([reply.status, reply.body.errors[0].code]).toEqual([402, 7909]);
    await nothingHappened();
    expect(await count('events')).toBe(1);
  });

  test('who may not send', async () => {
    const reader = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
    api = world.as(reader.token);
    const reply = await send();
    expect([reply.status, reply.body.errors[0].code]).toEqual([403, 1136]);
  });
});

describe('many at once', () => {
  test('of 32 sends against money for 5, exactly 5 are accepted', async () => {
    company = await makeCompany(world.kernel, { balance_micros: 5 * PRICE + 1 });
    ({ code, sender_id } = await makeSender(world.kernel, company.account_id));
    api = world.as(company.token);
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, i) => send({ to: `4474000001${String(i).padStart(2, '0')}` })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(5).fill(200), ...Array(27).fill(402)]);
    expect(await count('messages')).toBe(5);
    expect(await balance()).toMatchObject({ available_micros: 1, held_micros: 5 * PRICE });
    await sound();
  });

  test('one Idempotency-Key is one message, however often and however fast', async () => {
    const headers = { 'idempotency-key': 'order-7' };
    const replies = await Promise.all(Array.from({ length: 16 }, () => send({}, headers)));
    const done = replies.filter((reply) => reply.status === 200);
    for (const reply of replies)
      if (reply.status !== 200) expect([reply.status, reply.body.errors[0].code]).toEqual([409, 1010]);
    const again = await send({}, headers);
    for (const reply of [...done, again]) expect(reply.body.data[0].id).toBe(again.body.data[0].id);
    expect(again.status).toBe(200);
    expect(await count('messages')).toBe(1);
    const other = await send({ text: 'Something else' }, headers);
    expect([other.status, other.body.errors[0].code]).toEqual([422, 1011]);
    expect(await count('messages')).toBe(1);
  });

  test('a refusal is not remembered: the same key may try again', async () => {
    const headers = { 'idempotency-key': 'order-8' };
    expect((await send({ to: '12' }, headers)).status).toBe(400);
    expect((await send({}, headers)).status).toBe(200);
  });

  test('while the first is at work, the second is told so', async () => {
    const { db } = world.kernel;
    await db.tx(async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${company.account_id} order-9`}, 42))`);
      const reply = await send({}, { 'idempotency-key': 'order-9' });
      expect([reply.status, reply.body.errors[0].code]).toEqual([409, 1010]);
    });
  });

  test('a campaign skips whom it may not reach, tells why, and holds once', async () => {
    const { account_id } = company;
    await world.kernel.db.run(sql`
      insert into stop_list (account_id, id, number, reason) values (${account_id}, ${newId()}, ${BRUNO}, 'keyword')`);
    const campaign_id = newId();
    const result = await world.kernel.db.tx((tx) =>
      accept(tx, world.kernel, {
        account_id,
        channel: 'SMS',
        from: sender_id,
        source: 'campaign',
        refusal: 'skip',
        campaign_id,
        recipients: [
          { to: ANNA, country: 'GB', text: 'Hello Anna' },
          { to: BRUNO, country: 'GB', text: 'Hello Bruno' },
          { to: '4915112345678', country: 'DE', text: 'Hallo' },
          { to: '447400000003', country: 'GB', text: 'ж'.repeat(700) },
          { to: '447400000004', country: 'GB', text: 'Hello '.repeat(30) },
          { to: 'nonsense', text: 'Hello' },
        ],
      }),
    );
    expect(result.accepted.map((message) => [message.to, message.segments_count])).toEqual([
      [ANNA, 1],
      ['447400000004', 2],
    ]);
    expect(result.refused).toEqual([
      { index: 1, number: BRUNO, code: 1530 },
      { index: 2, number: '4915112345678', code: 1544 },
      { index: 3, number: '447400000003', code: 1546 },
      { index: 5, number: 'nonsense', code: 1523 },
    ]);
    expect(result.total_micros).toBe(3 * PRICE);
    expect(await count('holds')).toBe(1);
    const types = await world.kernel.db.rows<{ type: string }>(
      sql`select distinct type from events where account_id = ${account_id}`,
    );
    expect(types.map((row) => row.type)).toEqual(['balance.changed']);
    await sound();
  });

  test('nobody left of a campaign costs nothing', async () => {
    const result = await world.kernel.db.tx((tx) =>
      accept(tx, world.kernel, {
        ...{ account_id: company.account_id, channel: 'SMS', from: sender_id, source: 'campaign', refusal: 'skip' },
        campaign_id: newId(),
        recipients: [{ to: 'nonsense', text: 'Hello' }],
      }),
    );
    expect(result).toEqual({
      accepted: [],
      refused: [{ index: 0, number: 'nonsense', code: 1523 }],
      hold_id: null,
      total_micros: 0,
    });
    await nothingHappened();
  });
});

describe('calling back', () => {
  test('takes it out of the queue and gives the money back', async () => {
    const [{ id }] = (await send()).body.data;
    expect((await api.delete(`/v1/messages/${id}`)).status).toBe(204);
    expect((await api.get(`/v1/messages/${id}`)).body.data).toMatchObject({ status: 'canceled', charge: 'released' });
    expect(await count('dispatch')).toBe(0);
    expect(await balance()).toMatchObject({ available_micros: 1_000_000, held_micros: 0 });
    const again = await api.delete(`/v1/messages/${id}`);
    expect([again.status, again.body.errors[0].code]).toEqual([409, 1528]);
    await sound();
  });

  test('is too late once a worker has it', async () => {
    const [{ id }] = (await send()).body.data;
    await world.kernel.db.run(sql`update dispatch set stage = 'submitting' where message_id = ${id}`);
    expect((await api.delete(`/v1/messages/${id}`)).body.errors[0].code).toBe(1528);
    expect((await api.get(`/v1/messages/${id}`)).body.data).toMatchObject({ status: 'enroute', charge: 'held' });
  });

  test('of a message that is not there, or is somebody else’s', async () => {
    const [{ id }] = (await send()).body.data;
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect((await stranger.delete(`/v1/messages/${id}`)).body.errors[0].code).toBe(1501);
    expect((await stranger.get(`/v1/messages/${id}`)).body.errors[0].code).toBe(1501);
    expect((await api.delete('/v1/messages/7')).body.errors[0].code).toBe(1502);
    expect(await count('dispatch')).toBe(1);
  });
});

import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Incoming } from '../../channels/channel.ts';
import { sql } from '../../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';
import { InboundIntake, receiveMessages } from './intake.ts';
import { replyToKeyword } from './keyword_replies.ts';
import { takeIncomplete } from './parts.ts';

const ANNA = '447400000101';

let world: World;
let carrier: Carrier;
let connection_id: string;
let company: Company;
let api: Caller;
let code: string;
let sender_id: string;

beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true });
  carrier = openCarrier(world);
  await carrier.set({ receipt_delay_ms: 20, receipt_jitter_ms: 10 });
  ({ connection_id } = await makeCarrier(world.kernel, { port: world.sandbox!.smpp, countries: ['GB'] }));
  await until(
    'a bind is up',
    async () => (await world.kernel.db.rows(sql`select 1 from binds where state = 'bound'`)).length === 1,
  );
});
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  ({ code, sender_id } = await makeSender(world.kernel, company.account_id));
  api = world.as(company.token);
});

const log = async () =>
  (await api.get('/v1/messages?page_size=100')).body.data as {
    direction: string;
    text: string;
    status: string;
    id: string;
    source: string;
  }[];
const waitForReceived = async (count: number) => {
  let messages = await log();
  await until(`${count} messages from people`, async () => {
    messages = await log();
    return messages.filter(({ direction }) => direction === 'MO').length === count;
  });
  return messages.filter(({ direction }) => direction === 'MO');
};
const phoneHas = async (text: RegExp, times = 1) => {
  await until(`the phone shows ${text} ${times} times`, async () => {
    const messages = await carrier.phone(ANNA);
    return (
      messages.filter((message) => message.direction === 'to_phone' && message.from === code && text.test(message.text))
        .length === times
    );
  });
};
const expectSound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

describe('an inbound message', () => {
  test('is stored, opens a conversation, and emits an event in one transaction', async () => {
    await carrier.write(ANNA, code, 'Hello, is it ready?');
    const [message] = await waitForReceived(1);
    expect(message).toMatchObject({
      status: 'received',
      source: 'phone',
      from: ANNA,
      to: code,
      country: 'GB',
      price: 0,
      charge: 'none',
    });
    const { data } = (await api.get('/v1/conversations')).body;
    expect(data).toMatchObject([
      { number: ANNA, sender_id, unread_count: 1, last_message: { text: 'Hello, is it ready?' }, stopped: false },
    ]);
    const events = await world.kernel.db.rows(sql`
      select type, payload->>'conversation_id' as conversation_id from events
      where account_id = ${company.account_id} and type ~ '^(message|conversation)[.]' order by id`);
    expect(events).toEqual([
      { type: 'conversation.created', conversation_id: null },
      { type: 'message.created', conversation_id: data[0].id },
    ]);
    await carrier.write(ANNA, code, 'Hello?');
    await waitForReceived(2);
    expect((await api.get('/v1/conversations')).body.data).toMatchObject([
      { unread_count: 2, last_message: { text: 'Hello?' } },
    ]);
    await expectSound();
  });

  test('arrives complete when it has several parts and scripts', async () => {
    const text = `${'Շնորհակալություն, կսպասեմ ձեզ։ 🙂 '.repeat(9)}`.trim();
    await carrier.write(ANNA, code, text);
    expect(await waitForReceived(1)).toMatchObject([{ text, segments_count: 5, encoding: 'UCS-2' }]);
    expect(await world.kernel.db.rows(sql`select * from inbound_parts`)).toEqual([]);
  });

  test('is acknowledged without effect when its address is unknown', async () => {
    const before = await world.kernel.db.one<{ n: number }>(sql`select count(*) as n from messages`);
    await carrier.write(ANNA, '447999999999', 'Anybody?');
    await until('the carrier has its acknowledgment', async () =>
      (await carrier.phone(ANNA)).some((message) => message.text === 'Anybody?' && message.status === 'delivered'),
    );
    expect(await world.kernel.db.one(sql`select count(*) as n from messages`)).toEqual(before);
  });
});

describe('the intake', () => {
  const intake = () => new InboundIntake(world.kernel);
  const connection = async () =>
    world.kernel.db.one<{ id: string; name: string; adapter: string; channel: string; settings: object }>(
      sql`select id, name, adapter, channel, settings from connections where id = ${connection_id}`,
    );
  const incoming = (text: string, session: string): Incoming => ({
    from: ANNA,
    to: code,
    text,
    part: null,
    digest: createHash('sha256').update(`${code} ${text}`).digest(),
    session,
  });
  const part = (key: string, number: number, total: number, text: string, session: string): Incoming => ({
    from: ANNA,
    to: code,
    text: null,
    part: { key, part: number, total, octets: Buffer.from(text, 'utf16le').swap16(), coding: 8 },
    digest: createHash('sha256').update(`${code} ${key} ${number} ${text}`).digest(),
    session,
  });

  test('treats the same text on another bind as a duplicate once the first bind has ended', async () => {
    const [session, carrier_connection] = [randomUUID(), await connection()];
    await intake().add(carrier_connection, incoming('ok', session));
    await intake().add(carrier_connection, incoming('ok', session));
    expect(await waitForReceived(2)).toHaveLength(2);
    const next = randomUUID();
    await intake().add(carrier_connection, incoming('ok', next));
    await intake().add(carrier_connection, incoming('ok', next));
    expect((await waitForReceived(2)).map(({ text }) => text)).toEqual(['ok', 'ok']);
    await intake().add(carrier_connection, incoming('ok', next));
    expect(await waitForReceived(3)).toHaveLength(3);
  });

  test('stores the same text twice when it arrives on two active binds', async () => {
    const { session } = await world.kernel.db.one<{ session: string }>(sql`select session from binds`);
    const carrier_connection = await connection();
    await intake().add(carrier_connection, incoming('yes please', session));
    await intake().add(carrier_connection, incoming('yes please', randomUUID()));
    expect(await waitForReceived(2)).toHaveLength(2);
  });

  test('joins parts that are out of order, repeated, split within a character, and from two workers', async () => {
    const [key, carrier_connection, session] = [randomUUID(), await connection(), randomUUID()];
    const [first, second, third] = ['Good morning \ud83d', '\ude42 I will be', ' late'];
    const [firstIntake, secondIntake] = [intake(), intake()];
    await Promise.all([
      firstIntake.add(carrier_connection, part(key, 3, 3, third, session)),
      secondIntake.add(carrier_connection, part(key, 1, 3, first, session)),
      firstIntake.add(carrier_connection, part(key, 3, 3, third, session)),
    ]);
    await secondIntake.add(carrier_connection, part(key, 2, 3, second, session));
    expect(await waitForReceived(1)).toMatchObject([{ text: 'Good morning 🙂 I will be late', segments_count: 3 }]);
    await firstIntake.add(carrier_connection, part(key, 2, 3, second, randomUUID()));
    expect(await waitForReceived(1)).toHaveLength(1);
  });

  test('stores the parts that arrived when a message stays incomplete', async () => {
    const [key, carrier_connection] = [randomUUID(), await connection()];
    await intake().add(carrier_connection, part(key, 1, 3, 'The first, ', randomUUID()));
    await intake().add(carrier_connection, part(key, 3, 3, ' and the last.', randomUUID()));
    expect(await waitForReceived(0)).toEqual([]);
    await world.kernel.db.run(sql`update inbound_parts set create_date = now() - interval '11 minutes'`);
    await world.kernel.db.tx(async (tx) => receiveMessages(tx, await takeIncomplete(tx)));
    expect(await waitForReceived(1)).toMatchObject([{ text: 'The first, […] and the last.' }]);
  });
});

describe('the keyword', () => {
  const send = (text: string) => api.post('/v1/messages', { from: code, to: ANNA, channel: 'sms', text });
  const automatic = async () =>
    (await log()).filter(({ direction, source }) => direction === 'MT' && source === 'reply');

  test('STOP takes effect immediately and is confirmed once, and START reverses it', async () => {
    expect((await send('Come and see our news')).status).toBe(200);
    await phoneHas(/our news/);
    await carrier.write(ANNA, code, 'Stop');
    const [stop] = await waitForReceived(1);
    expect((await api.get('/v1/stop_list')).body.data).toMatchObject([
      { number: ANNA, sender_id, reason: 'keyword', text: 'Stop', message_id: stop!.id },
    ]);
    await phoneHas(/^Brand: You are unsubscribed/);
    expect((await api.get('/v1/conversations')).body.data).toMatchObject([{ stopped: true }]);
    expect((await send('And now?')).body.errors).toMatchObject([{ code: 1530 }]);

    await carrier.write(ANNA, code, 'STOP');
    await waitForReceived(2);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await automatic()).toHaveLength(1);

    await carrier.write(ANNA, code, 'Start');
    await waitForReceived(3);
    await phoneHas(/^Brand: You are subscribed to our messages again/);
    expect((await api.get('/v1/stop_list')).body.data).toEqual([]);
    expect((await send('Welcome back')).status).toBe(200);
    await phoneHas(/Welcome back/);
    const history = await world.kernel.db.rows(sql`
      select change, reason, text from stop_list_history where account_id = ${company.account_id} order by id`);
    expect(history).toEqual([
      { change: 'stopped', reason: 'keyword', text: 'Stop' },
      { change: 'started', reason: 'keyword', text: 'Start' },
    ]);
    await carrier.write(ANNA, code, 'yes');
    await waitForReceived(4);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await automatic()).toHaveLength(2);
    await expectSound();
  });

  test('STOP to one sender does not affect the account’s other senders', async () => {
    const other = await makeSender(world.kernel, company.account_id);
    await carrier.write(ANNA, code, 'quit');
    await waitForReceived(1);
    const reply = await api.post('/v1/messages', { from: other.code, to: ANNA, channel: 'sms', text: 'From another' });
    expect(reply.status).toBe(200);
  });

  test('START does not remove a stop list entry that a user added', async () => {
    await api.post('/v1/stop_list', { number: `+${ANNA}` });
    await carrier.write(ANNA, code, 'START');
    await waitForReceived(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await api.get('/v1/stop_list')).body.data).toHaveLength(1);
    expect(await automatic()).toEqual([]);
  });

  test('HELP is answered even for people who opted out', async () => {
    await carrier.write(ANNA, code, 'stop');
    await phoneHas(/unsubscribed/);
    await carrier.write(ANNA, code, 'help');
    await phoneHas(/^Brand: We send you messages from this number/);
    expect(await automatic()).toHaveLength(2);
    expect((await send('Buy now')).body.errors[0].code).toBe(1530);
  });

  test('HELP is answered with the sender’s own text a limited number of times', async () => {
    await world.kernel.db.run(sql`update senders set help_text = 'Call 020 7946 0000.' where id = ${sender_id}`);
    for (let count = 1; count <= 7; count++) {
      await carrier.write(ANNA, code, 'help');
      await waitForReceived(count);
      await until('the message is answered or ignored', async () => (await automatic()).length >= Math.min(count, 5));
    }
    await phoneHas(/^Call 020 7946 0000\.$/, 5);
    expect(await automatic()).toHaveLength(5);
  });

  test('STOP works for an account without funds, and a repeated job replies only once', async () => {
    const poor = await makeCompany(world.kernel, { balance_micros: 0 });
    const from = await makeSender(world.kernel, poor.account_id);
    await carrier.write(ANNA, from.code, 'stop');
    await until(
      'the number is on the stop list',
      async () =>
        (await world.kernel.db.rows(sql`select 1 from stop_list where account_id = ${poor.account_id}`)).length === 1,
    );
    await carrier.write(ANNA, code, 'stop');
    const [stop] = await waitForReceived(1);
    await phoneHas(/unsubscribed/, 1);
    const job = {
      account_id: company.account_id,
      message_id: stop!.id,
      channel: 'SMS',
      sender_id,
      number: ANNA,
      keyword: 'stop',
    } as const;
    await replyToKeyword(world.kernel, job);
    expect(await automatic()).toHaveLength(1);
    const { n } = await world.kernel.db.one<{ n: number }>(sql`
      select count(*) as n from messages where account_id = ${poor.account_id} and direction = 'MT'`);
    expect(n).toBe(0);
    await expectSound();
  });
});

test('a user’s reply joins the conversation without changing its unread count', async () => {
  await carrier.write(ANNA, code, 'Are you open?');
  await waitForReceived(1);
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 3, CONVERSATIONS: 3 } });
  const reply = await world
    .as(agent.token)
    .post('/v1/messages', { from: code, to: ANNA, channel: 'sms', text: 'Until six' });
  expect(reply.status).toBe(200);
  await phoneHas(/Until six/);
  expect((await api.get('/v1/conversations')).body.data).toMatchObject([
    { unread_count: 1, last_message: { text: 'Until six', direction: 'MT' } },
  ]);
});

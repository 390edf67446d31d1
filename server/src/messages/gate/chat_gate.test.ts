import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  CHAT_PRICES,
  type ChatSender,
  makeChatSender,
  makeIncoming,
  makeMedia,
  readConnection,
} from '../../test/chat.ts';
import { ANNA, BRUNO, createGate, type Gate } from '../../test/gate.ts';
import { makeAudience, makeCompany } from '../../test/make.ts';
import { makeTemplate } from '../../test/templates.ts';
import { InboundIntake } from '../inbound/intake.ts';

let gate: Gate;
let whatsapp: ChatSender;
let viber: ChatSender;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(async () => {
  await gate.renew(1_000_000);
  whatsapp = await makeChatSender(gate.world.kernel, gate.company.account_id, 'WHATSAPP');
  viber = await makeChatSender(gate.world.kernel, gate.company.account_id, 'VIBER');
});

const db = () => gate.world.kernel.db;
const sendAs = (sender: ChatSender, fields: object) =>
  gate.api.post('/v1/messages', {
    from: sender.sender_id,
    to: ANNA,
    channel: sender === whatsapp ? 'whatsapp' : 'VIBER',
    ...fields,
  });
const receive = async (sender: ChatSender, from = ANNA, fields = {}) => {
  const connection = await readConnection(gate.world.kernel, sender.connection_id);
  await new InboundIntake(gate.world.kernel).add(connection, makeIncoming(sender, from, fields));
};
const queued = (id: string) =>
  db().one<{ connection_id: string; sender_address: string; number: string; channel: string }>(
    sql`select connection_id, sender_address, number, channel from dispatch where message_id = ${id}`,
  );
const conversation = async (sender: ChatSender, number = ANNA) =>
  (
    (await gate.api.get(`/v1/conversations?filter[sender_id]=${sender.sender_id}`)).body.data as { number: string }[]
  ).find((item) => item.number === number) as Record<string, never> | undefined;

/** Returns the fields of the thread response other than its messages. */
async function readThreadFields(sender: ChatSender): Promise<object> {
  const {
    data: _,
    pagination: __,
    ...rest
  } = (await gate.api.get(`/v1/conversations/${(await conversation(sender))!.id}/messages`)).body;
  return rest;
}

describe('WhatsApp', () => {
  test('allows only templates until a person sends a message, and any message for 24 hours after that', async () => {
    const refusal = await sendAs(whatsapp, { text: 'Hi' });
    expect([refusal.status, refusal.body.errors[0].code, refusal.body.errors[0].field]).toEqual([409, 1547, 'type']);
    await gate.expectNoMessages();

    await receive(whatsapp);
    expect(await conversation(whatsapp)).toMatchObject({
      session: { open: true, limit_reached: false, until: expect.any(String) },
      unread_count: 1,
      alias: null,
      profile_name: '',
    });
    const reply = await sendAs(whatsapp, { text: 'Hi Anna' });
    expect(reply.status).toBe(200);
    const [message] = reply.body.data;
    expect(message).toMatchObject({
      type: 'text',
      template_id: null,
      content: { purpose: 'service', media_id: null, buttons: [] },
      price_micros: CHAT_PRICES.WHATSAPP.service,
      segments_count: 1,
      encoding: 'UTF-8',
      charge: 'held',
      from: whatsapp.code,
      conversation_id: expect.any(String),
    });
    expect(await queued(message.id)).toEqual({
      connection_id: whatsapp.connection_id,
      sender_address: whatsapp.address,
      number: ANNA,
      channel: 'WHATSAPP',
    });

    await db().run(
      sql`update conversations set session_until = now() - interval '1 second' where sender_id = ${whatsapp.sender_id}`,
    );
    expect((await conversation(whatsapp))?.session).toMatchObject({ open: false });
    expect((await sendAs(whatsapp, { text: 'Still there?' })).body.errors[0].code).toBe(1547);
    await receive(whatsapp);
    expect((await sendAs(whatsapp, { text: 'Still there?' })).status).toBe(200);
    await gate.expectSound();
  });

  test('rejects the whole request when one recipient has a closed session', async () => {
    await receive(whatsapp);
    const reply = await sendAs(whatsapp, { to: [ANNA, BRUNO], text: 'Hi' });
    expect(reply.body.errors).toMatchObject([{ code: 1547, message: expect.stringContaining(BRUNO) }]);
    expect(await gate.count('holds')).toBe(0);
  });

  test('accepts a scheduled message only when it is due within the session', async () => {
    await receive(whatsapp);
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    expect((await sendAs(whatsapp, { text: 'Later', schedule: at(23) })).status).toBe(200);
    expect((await sendAs(whatsapp, { text: 'Too late', schedule: at(25) })).body.errors[0].code).toBe(1547);
  });

  test('accepts a template at any time, fills in its variables, and charges the price of its category', async () => {
    const { account_id } = gate.company;
    const template = await makeTemplate(gate.world.kernel, account_id, {
      channel: 'WHATSAPP',
      sender_id: whatsapp.sender_id,
      external_id: '4711',
      text: 'Hello {first_name:there}, order {custom1} is ready.',
    });
    const reply = await sendAs(whatsapp, { template, variables: ['Anna', 1204] });
    expect(reply.status).toBe(200);
    expect(reply.body.data[0]).toMatchObject({
      text: 'Hello Anna, order 1204 is ready.',
      template_id: template,
      price_micros: CHAT_PRICES.WHATSAPP.utility,
      content: { purpose: 'utility', template: { id: template, external_id: '4711', body_values: ['Anna', '1204'] } },
    });
    // No recipient has written, so the template was accepted without a session.
    const missing = await sendAs(whatsapp, { template, variables: ['Anna'] });
    expect(missing.body.errors[0]).toMatchObject({ code: 1514, field: 'variables' });
    expect((await sendAs(whatsapp, { template, variables: ['a'.repeat(71), 'b'] })).body.errors[0].code).toBe(1526);
    const waiting = await makeTemplate(gate.world.kernel, account_id, {
      channel: 'WHATSAPP',
      status: 'IN_PROCESS',
      sender_id: whatsapp.sender_id,
    });
    expect((await sendAs(whatsapp, { template: waiting })).body.errors[0].code).toBe(1549);
    const otherCompany = await makeCompany(gate.world.kernel);
    const other = await makeTemplate(gate.world.kernel, otherCompany.account_id, { channel: 'WHATSAPP' });
    expect((await sendAs(whatsapp, { template: other })).body.errors[0].code).toBe(1513);
    expect((await sendAs(whatsapp, { template: 'none' })).body.errors[0].code).toBe(1512);
    expect((await sendAs(viber, { template })).body.errors[0].code).toBe(1628);
    await gate.expectSound();
  });

  test('keeps a file while a message uses it and rejects file types that the channel does not support', async () => {
    const { account_id } = gate.company;
    await receive(whatsapp);
    const image = await makeMedia(gate.world.kernel, account_id, {
      type: 'image',
      name: 'Cat.png',
      content_type: 'image/png',
    });
    const reply = await sendAs(whatsapp, { type: 'image', media_id: image, text: 'Look' });
    expect(reply.body.data[0]).toMatchObject({
      type: 'image',
      text: 'Look',
      content: { media_id: image, media_type: 'image', file_name: 'Cat.png', content_type: 'image/png' },
    });
    expect((await gate.api.delete(`/v1/media/${image}`)).body.errors[0].code).toBe(1913);
    const bare = await sendAs(whatsapp, { type: 'image', media_id: image });
    expect([bare.status, bare.body.data?.[0].text]).toEqual([200, '']);
    const bill = await makeMedia(gate.world.kernel, account_id, {
      type: 'document',
      name: 'x.pdf',
      content_type: 'application/pdf',
    });
    expect(
      (await sendAs(whatsapp, { type: 'document', media_id: bill, file_name: 'Bill_1' })).body.data[0].content
        .file_name,
    ).toBe('Bill_1.pdf');
    expect(
      (await sendAs(whatsapp, { type: 'document', url: 'https://example.com/y.pdf', filename: 'Bill_2' })).body.data[0]
        .content,
    ).toMatchObject({
      url: 'https://example.com/y.pdf',
      file_name: 'Bill_2.pdf',
      media_id: null,
    });
    const moving = await makeMedia(gate.world.kernel, account_id, {
      type: 'image',
      name: 'Cat.gif',
      content_type: 'image/gif',
    });
    expect((await sendAs(whatsapp, { type: 'image', media_id: moving })).body.errors[0].code).toBe(1275);
    const otherCompany = await makeCompany(gate.world.kernel);
    const other = await makeMedia(gate.world.kernel, otherCompany.account_id, {
      type: 'image',
      name: 'a.png',
      content_type: 'image/png',
    });
    expect((await sendAs(whatsapp, { type: 'image', media_id: other })).body.errors[0].code).toBe(1901);
    await gate.expectSound();
  });

  test('rejects a message when its sender’s connection is missing or disabled, even if a route exists', async () => {
    await receive(whatsapp);
    await db().run(
      sql`insert into routes (id, channel, connection_id) values (${newId()}, 'WHATSAPP', ${viber.connection_id})`,
    );
    await db().run(sql`update connections set enabled = false where id = ${whatsapp.connection_id}`);
    expect((await sendAs(whatsapp, { text: 'Hi' })).body.errors[0].code).toBe(1543);
    await db().run(sql`update senders set connection_id = null where id = ${whatsapp.sender_id}`);
    expect((await sendAs(whatsapp, { text: 'Hi' })).body.errors[0].code).toBe(1543);
  });
});

describe('Viber', () => {
  test('derives the purpose from the conversation and the price from the purpose', async () => {
    const outside = await sendAs(viber, { text: 'Spring sale' });
    expect(outside.body.data[0]).toMatchObject({
      content: { purpose: 'promotional' },
      price_micros: CHAT_PRICES.VIBER.promotional,
    });
    await receive(viber);
    const inSession = await sendAs(viber, { text: 'Hi Anna' });
    expect(inSession.body.data[0]).toMatchObject({
      content: { purpose: 'session' },
      price_micros: CHAT_PRICES.VIBER.session,
    });
    const link = { text: 'Shop', value: 'https://example.com/s' };
    const shop = await sendAs(viber, { text: 'Hi Anna', button: link });
    expect(shop.body.data[0].content).toMatchObject({ purpose: 'promotional', buttons: [{ type: 'link', ...link }] });
    expect((await sendAs(viber, { text: 'Sale', purpose: 'promotional' })).body.data[0].content.purpose).toBe(
      'promotional',
    );
    expect(await conversation(viber)).toMatchObject({ session: { open: true, limit_reached: false } });
    const { session_sent } = await db().one<{ session_sent: number }>(
      sql`select session_sent from conversations where sender_id = ${viber.sender_id}`,
    );
    expect(session_sent).toBe(1);
    await gate.expectSound();
  });

  test('treats messages over the in-a-row limit as promotional until the person replies', async () => {
    const { account_id } = gate.company;
    viber = await makeChatSender(gate.world.kernel, account_id, 'VIBER', { settings: { in_a_row: 2 } });
    await receive(viber);
    const readSession = async () =>
      (await conversation(viber))?.session as { until: string; limit_reached: boolean; open: boolean } | undefined;
    const first = (await readSession())!.until;
    const purposes = [];
    for (const text of ['1', '2', '3']) purposes.push((await sendAs(viber, { text })).body.data[0].content.purpose);
    expect(purposes).toEqual(['session', 'session', 'promotional']);
    expect(await readSession()).toMatchObject({ limit_reached: true, open: false });
    expect(await readThreadFields(viber)).toEqual({ is_active_conversation: true, is_viber_limit_active: true });
    await db().run(
      sql`update conversations set session_until = session_until - interval '1 hour'
        where sender_id = ${viber.sender_id}`,
    );
    await receive(viber);
    expect(await readSession()).toMatchObject({ limit_reached: false, open: true });
    expect((await readSession())!.until < first).toBe(true);
    expect(await readThreadFields(viber)).toEqual({ is_active_conversation: true, is_viber_limit_active: false });
    expect((await sendAs(viber, { text: '4' })).body.data[0].content.purpose).toBe('session');
  });

  test('treats messages over the session limit as promotional until a new session starts', async () => {
    const { account_id } = gate.company;
    viber = await makeChatSender(gate.world.kernel, account_id, 'VIBER', { settings: { in_session: 3 } });
    const purposes = [];
    for (const text of ['1', '2', '3', '4']) {
      await receive(viber);
      purposes.push((await sendAs(viber, { text })).body.data[0].content.purpose);
    }
    expect(purposes).toEqual(['session', 'session', 'session', 'promotional']);
    expect(await conversation(viber)).toMatchObject({ session: { limit_reached: true } });
    await db().run(sql`update conversations set session_until = now() where sender_id = ${viber.sender_id}`);
    expect(await readThreadFields(viber)).toEqual({ is_active_conversation: false, is_viber_limit_active: false });
    await receive(viber);
    expect((await sendAs(viber, { text: '5' })).body.data[0].content.purpose).toBe('session');
  });

  test('treats a document as transactional outside a session and as a session message inside one', async () => {
    const media_id = await makeMedia(gate.world.kernel, gate.company.account_id, {
      ...{ type: 'document', name: 'Menu.pdf', content_type: 'application/pdf', channel: 'VIBER' },
    });
    const menu = { type: 'document', media_id };
    const { transactional, session } = CHAT_PRICES.VIBER;
    const sendMenu = async () => (await sendAs(viber, menu)).body.data[0];
    expect(await sendMenu()).toMatchObject({ content: { purpose: 'transactional' }, price_micros: transactional });
    const refusal = await sendAs(viber, { ...menu, purpose: 'promotional' });
    expect(refusal.body.errors[0]).toMatchObject({ code: 1548, field: 'purpose' });
    const fallbacks = [{ ...menu, channel: 'VIBER', from: viber.sender_id, trigger: 'failed' }];
    const other = await gate.send({ fallbacks });
    const { fallbacks: steps } = (await gate.api.get(`/v1/messages/${other.body.data[0].id}`)).body.data;
    expect(steps[1]).toMatchObject({ channel: 'VIBER', price_micros: transactional });
    await receive(viber);
    expect(await sendMenu()).toMatchObject({ content: { purpose: 'session' }, price_micros: session });
  });

  test('gives the last slot in a session to only one of several concurrent messages', async () => {
    const { account_id } = gate.company;
    viber = await makeChatSender(gate.world.kernel, account_id, 'VIBER', { settings: { in_a_row: 1 } });
    await receive(viber);
    const replies = await Promise.all([1, 2, 3, 4].map((n) => sendAs(viber, { text: `At once ${n}` })));
    expect(replies.map(({ body }) => body.data[0].content.purpose).sort()).toEqual([
      'promotional',
      'promotional',
      'promotional',
      'session',
    ]);
  });

  test('accepts a transactional text only from an active template with values for all variables', async () => {
    const { account_id } = gate.company;
    const template = await makeTemplate(gate.world.kernel, account_id, {
      channel: 'VIBER',
      text: 'Your code is {custom1}.',
    });
    const reply = await sendAs(viber, { template, variables: ['1234'], purpose: 'transactional' });
    expect(reply.body.data[0]).toMatchObject({
      text: 'Your code is 1234.',
      template_id: template,
      content: { purpose: 'transactional' },
      price_micros: CHAT_PRICES.VIBER.transactional,
    });
    expect((await sendAs(viber, { text: 'x', purpose: 'transactional' })).body.errors[0].code).toBe(1539);
    expect((await sendAs(viber, { template, purpose: 'transactional', variables: null })).body.errors[0].code).toBe(
      1568,
    );
    const paused = await makeTemplate(gate.world.kernel, account_id, { channel: 'VIBER', status: 'CANCELED' });
    expect((await sendAs(viber, { template: paused })).body.errors[0].code).toBe(1536);
  });
});

test('a Viber campaign is priced as promotional messages, and a free-text WhatsApp campaign is blocked', async () => {
  const { kernel } = gate.world;
  const { account_id } = gate.company;
  const preview = async (sender: ChatSender, channel: string) => {
    const audience = await makeAudience(kernel, account_id, [{ number: ANNA }, { number: BRUNO }]);
    await db().run(sql`update audiences set channel = ${channel} where id = ${audience}`);
    const body = { channel, from: sender.sender_id, audience, text: 'Ж'.repeat(700) };
    return (await gate.api.post('/v1/campaign_previews', body)).body.data;
  };
  expect(await preview(viber, 'VIBER')).toMatchObject({
    counts: { will_receive: 2, no_route: 0 },
    total_micros: 2 * CHAT_PRICES.VIBER.promotional,
    blockers: [],
  });
  expect((await preview(whatsapp, 'WHATSAPP')).blockers.map(({ code }: { code: string }) => code)).toContain('no_text');
});

test('an SMS is stored without extra content', async () => {
  const reply = await gate.send();
  expect(reply.body.data[0]).toMatchObject({ type: 'text', content: null, template_id: null, encoding: 'GSM-7' });
  const stored = await db().one(
    sql`select type, content, template_id from messages where id = ${reply.body.data[0].id}`,
  );
  expect(stored).toEqual({ type: 'text', content: null, template_id: null });
  const template = await makeTemplate(gate.world.kernel, gate.company.account_id, {
    text: 'Hello {first_name:there}!',
  });
  const filled = await gate.send({ text: undefined, template, variables: ['Anna'] });
  expect(filled.body.data[0]).toMatchObject({ text: 'Hello Anna!', content: null, template_id: template });
  expect((await gate.send({ text: undefined, template })).body.data[0].text).toBe('Hello there!');
});

test('an account’s price overrides the default, and a price for one purpose overrides one for all', async () => {
  const { account_id } = gate.company;
  await receive(whatsapp);
  const price = async () => (await sendAs(whatsapp, { text: 'Hi' })).body.data[0].price_micros;
  const rate = (account: string | null, purpose: string | null, micros: number) =>
    db().run(sql`
      insert into rates (id, account_id, channel, country, purpose, price_micros, currency)
      values (${newId()}, ${account}, 'WHATSAPP', 'GB', ${purpose}, ${micros}, 'USD') on conflict do nothing`);
  await rate(null, null, 99_000);
  expect(await price()).toBe(CHAT_PRICES.WHATSAPP.service);
  await rate(account_id, null, 4_000);
  expect(await price()).toBe(4_000);
  await rate(account_id, 'service', 3_000);
  await rate(account_id, 'marketing', 1);
  expect(await price()).toBe(3_000);
  const rates = (await gate.api.get('/v1/rates?filter[channel]=whatsapp&filter[country]=GB&page_size=20')).body.data;
  expect(
    rates.map((item: { purpose: string | null; price_micros: number }) => [item.purpose, item.price_micros]),
  ).toEqual(
    expect.arrayContaining([
      [null, 4_000],
      ['marketing', 1],
      ['service', 3_000],
      ['utility', CHAT_PRICES.WHATSAPP.utility],
      ['authentication', CHAT_PRICES.WHATSAPP.authentication],
    ]),
  );
  expect(rates).toHaveLength(5);
});

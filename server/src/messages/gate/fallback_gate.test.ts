/** Checks the error code and field for every invalid list of fallbacks, and the hold and steps for a valid one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { CHAT_PRICES, type ChatSender, makeChatSender, makeIncoming, readConnection } from '../../test/chat.ts';
import { ANNA, BRUNO, createGate, FUNDS, type Gate, PRICE } from '../../test/gate.ts';
import { InboundIntake } from '../inbound/intake.ts';
import { trafficClass } from '../model/traffic_class.ts';

let gate: Gate;
let whatsapp: ChatSender;
let viber: ChatSender;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(async () => {
  await gate.renew();
  whatsapp = await makeChatSender(gate.world.kernel, gate.company.account_id, 'WHATSAPP');
  viber = await makeChatSender(gate.world.kernel, gate.company.account_id, 'VIBER');
});

const sms = (fields: object = {}) => ({
  ...{ channel: 'SMS', from: gate.code, text: 'By SMS', trigger: 'undelivered', wait_seconds: 60 },
  ...fields,
});
const wa = (fields: object = {}) => ({
  ...{ channel: 'whatsapp', from: whatsapp.sender_id, text: 'By WhatsApp', trigger: 'failed' },
  ...fields,
});
const post = (fields: object) =>
  gate.api.post('/v1/messages', { from: viber.code, to: ANNA, channel: 'VIBER', text: 'By Viber', ...fields });
const detail = async (id: string) => (await gate.api.get(`/v1/messages/${id}`)).body.data;

describe('a message’s fallbacks', () => {
  test.each<[string, object[], number, string]>([
    ['the list is empty', [], 1634, 'fallbacks'],
    ['the list is too long', [{}, {}, {}, {}].map(() => ({ channel: 'SMS' })), 1634, 'fallbacks'],
    ['a channel is unknown', [{ channel: 'PIGEON' }], 1515, 'fallbacks.0.channel'],
    [
      'one uses the channel of the message itself',
      [{ channel: 'VIBER', from: 'x', text: 'x', trigger: 'failed' }],
      1636,
      'fallbacks.0.channel',
    ],
    [
      'two use the same channel',
      [0, 1].map(() => ({ channel: 'SMS', from: 'x', text: 'x', trigger: 'failed' })),
      1637,
      'fallbacks.1.channel',
    ],
    ['a wait is missing', [{ channel: 'SMS', from: 'x', text: 'x' }], 1638, 'fallbacks.0.wait_seconds'],
    [
      'a wait is too short',
      [{ channel: 'SMS', from: 'x', text: 'x', wait_seconds: 29 }],
      1638,
      'fallbacks.0.wait_seconds',
    ],
    [
      'a wait is too long',
      [{ channel: 'SMS', from: 'x', text: 'x', wait_seconds: 86_401 }],
      1638,
      'fallbacks.0.wait_seconds',
    ],
    [
      'a wait is not a whole number of seconds',
      [{ channel: 'SMS', from: 'x', text: 'x', wait_seconds: 60.5 }],
      1638,
      'fallbacks.0.wait_seconds',
    ],
    [
      'a wait is as long as the validity',
      [{ channel: 'SMS', from: 'x', text: 'x', wait_seconds: 86_400 }],
      1638,
      'fallbacks.0.wait_seconds',
    ],
    ['a sender is missing', [{ channel: 'SMS', text: 'x', trigger: 'failed' }], 1639, 'fallbacks.0.from'],
    ['a trigger is unknown', [{ channel: 'SMS', from: 'x', text: 'x', trigger: 'never' }], 1705, 'fallbacks.0.trigger'],
    ['a text is missing', [{ channel: 'SMS', from: 'x', trigger: 'failed' }], 1508, 'fallbacks.0.text'],
    [
      'an SMS contains a picture',
      [{ channel: 'SMS', from: 'x', text: 'x', type: 'image', trigger: 'failed' }],
      1518,
      'fallbacks.0.type',
    ],
    ['a sender is unknown', [{ channel: 'SMS', from: 'x', text: 'x', trigger: 'failed' }], 1505, 'fallbacks.0.from'],
    [
      'a template is unknown',
      [{ channel: 'WHATSAPP', from: 'WA', template: '0198c0de-0000-7000-8000-000000000000', trigger: 'failed' }],
      1513,
      'fallbacks.0.template',
    ],
  ])('are rejected when %s', async (_, fallbacks, code, field) => {
    const variant = fallbacks.map((step) =>
      'from' in step && step.from === 'WA' ? { ...step, from: whatsapp.sender_id } : step,
    );
    const { body } = await post({ fallbacks: variant });
    expect([body.errors?.[0]?.code, body.errors?.[0]?.field]).toEqual([code, field]);
    await gate.expectNoMessages();
  });

  test('are rejected when they wait for an SMS to be read', async () => {
    const { body } = await gate.send({ fallbacks: [wa({ trigger: 'unread', wait_seconds: 60 })] });
    expect(body.errors[0]).toMatchObject({ code: 1548, field: 'fallbacks.0.trigger' });
  });

  test('have the traffic class of their message', async () => {
    const { kernel } = gate.world;
    const incoming = makeIncoming(viber, ANNA, {});
    await new InboundIntake(kernel).add(await readConnection(kernel, viber.connection_id), incoming);
    const { body } = await post({ to: [ANNA, BRUNO], fallbacks: [sms()] });
    const rows = await kernel.db.rows<{ message_id: string; priority: number }>(sql`
      select message_id, priority from fallbacks where account_id = ${gate.company.account_id}`);
    const classes = new Map(rows.map(({ message_id, priority }) => [message_id, trafficClass(priority)]));
    expect(body.data.map(({ id }: { id: string }) => classes.get(id))).toEqual(['conversation', 'single']);
  });

  test('raise the hold to the highest step price per recipient and are listed as steps', async () => {
    const reply = await post({ to: [ANNA, BRUNO], fallbacks: [sms({ text: 'word '.repeat(40) }), wa()] });
    expect(reply.body.data.map((message: { price_micros: number }) => message.price_micros)).toEqual([
      2 * PRICE,
      2 * PRICE,
    ]);
    expect(await gate.balance()).toMatchObject({ available_micros: FUNDS - 4 * PRICE, held_micros: 4 * PRICE });
    const [{ id }] = reply.body.data;
    expect((await detail(id)).fallbacks).toMatchObject([
      {
        leg: 1,
        channel: 'VIBER',
        state: 'in_effect',
        status: 'enroute',
        price_micros: CHAT_PRICES.VIBER.promotional,
        trigger: null,
      },
      {
        leg: 2,
        channel: 'SMS',
        from: gate.code,
        state: 'waiting',
        status: null,
        trigger: 'undelivered',
        wait_seconds: 60,
      },
      { leg: 3, channel: 'WHATSAPP', text: 'By WhatsApp', state: 'waiting', trigger: 'failed', wait_seconds: null },
    ]);
    await gate.expectSound();
  });

  test('start immediately for a recipient whose session on the first channel is closed', async () => {
    const request = { from: whatsapp.sender_id, channel: 'WHATSAPP', to: [ANNA, BRUNO], text: 'By WhatsApp' };
    const sender = await readConnection(gate.world.kernel, whatsapp.connection_id);
    await new InboundIntake(gate.world.kernel).add(sender, makeIncoming(whatsapp, BRUNO));
    const [first, second] = (await post({ ...request, fallbacks: [sms({ trigger: 'failed', wait_seconds: null })] }))
      .body.data;
    expect(first).toMatchObject({
      to: ANNA,
      channel: 'SMS',
      from: gate.code,
      text: 'By SMS',
      status: 'enroute',
      price_micros: PRICE,
    });
    expect(second).toMatchObject({ to: BRUNO, channel: 'WHATSAPP', content: { purpose: 'service' } });
    const { fallbacks, timeline } = await detail(first.id);
    expect(fallbacks).toMatchObject([
      {
        channel: 'WHATSAPP',
        state: 'skipped',
        status: null,
        reason: expect.stringMatching(/^The session is closed/),
      },
      { channel: 'SMS', state: 'in_effect', status: 'enroute' },
    ]);
    expect(timeline).toMatchObject([
      { source: 'gate', status: 'enroute' },
      { leg: 1, leg_state: 'skipped' },
      { leg: 2, leg_state: 'in_effect' },
    ]);
    expect(await gate.count('dispatch')).toBe(2);
    expect(await gate.balance()).toMatchObject({ held_micros: PRICE + Math.max(PRICE, CHAT_PRICES.WHATSAPP.service) });
    await gate.expectSound();
  });

  test('are rejected when no step can be sent, or when the first step of a scheduled message cannot', async () => {
    const request = { from: whatsapp.sender_id, channel: 'WHATSAPP', text: 'By WhatsApp' };
    await gate.api.post('/v1/stop_list', { number: ANNA, sender_id: gate.sender_id });
    const fallbacks = [sms({ trigger: 'failed', wait_seconds: null })];
    const refusal = await post({ ...request, fallbacks });
    expect([refusal.status, refusal.body.errors?.[0]]).toMatchObject([
      409,
      { code: 1547, message: expect.stringContaining(ANNA) },
    ]);
    const schedule = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    expect((await post({ ...request, to: BRUNO, schedule, fallbacks })).body.errors[0].code).toBe(1547);
    await gate.expectNoMessages();
  });

  test('are an empty list when none were requested', async () => {
    const { body } = await gate.send();
    expect((await detail(body.data[0].id)).fallbacks).toEqual([]);
  });
});

/** Tests how reports, timers, and users affect messages with fallbacks after the gate has accepted them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stopNumber } from '../../audiences/audiences.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { CHAT_PRICES, type ChatSender, makeChatSender, makeIncoming, readConnection } from '../../test/chat.ts';
import { ANNA, BRUNO, createGate, FUNDS, type Gate, PRICE } from '../../test/gate.ts';
import { makeTemplate } from '../../test/templates.ts';
import { InboundIntake } from '../inbound/intake.ts';
import { applyStatuses, type Change } from '../messages.ts';
import { expireQueued, expireUnreported } from './expiry.ts';
import { passOnDue } from './fallback_timers.ts';

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

const db = () => gate.world.kernel.db;
const smsStep = (fields: object = {}) => ({
  ...{ channel: 'SMS', from: gate.code, text: 'By SMS', trigger: 'undelivered', wait_seconds: 60 },
  ...fields,
});
const whatsappStep = (fields: object = {}) => ({
  ...{ channel: 'whatsapp', from: whatsapp.sender_id, text: 'By WhatsApp', trigger: 'failed' },
  ...fields,
});
const post = (fields: object) =>
  gate.api.post('/v1/messages', { from: viber.code, to: ANNA, channel: 'VIBER', text: 'By Viber', ...fields });
const sendWith = async (fields: object): Promise<string> => {
  const reply = await post(fields);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data[0].id;
};
const detail = async (id: string) => (await gate.api.get(`/v1/messages/${id}`)).body.data;
const states = async (id: string) =>
  (await detail(id)).fallbacks.map((step: { state: string; reason: string | null }) => [step.state, step.reason]);
const apply = (changes: readonly Change[]) => db().tx((tx) => applyStatuses(tx, changes));
const makeChange = (id: string, status: Change['status'], overrides: Partial<Change> = {}): Change => ({
  account_id: gate.company.account_id,
  message_id: id,
  status,
  source: 'carrier',
  ...overrides,
});
const byViber = (id: string, status: Change['status'], overrides: Partial<Change> = {}) =>
  apply([makeChange(id, status, { connection_id: viber.connection_id, ...overrides })]);
const connectionFor = async (id: string) =>
  (await db().one<{ id: string }>(sql`select connection_id as id from dispatch where message_id = ${id}`)).id;
/** Moves the times of the steps back by this many seconds and checks for due messages. */
async function skipSeconds(id: string, seconds: number): Promise<void> {
  await db().run(sql`
    update fallbacks set due_date = due_date - ${seconds} * interval '1 second', steps = (
      select jsonb_agg(step || jsonb_build_object(
        'handed', (step->>'handed')::float8 - ${seconds} * 1000,
        'queued', (step->>'queued')::float8 - ${seconds} * 1000) order by n)
      from jsonb_array_elements(steps) with ordinality as l(step, n))
    where message_id = ${id}`);
  await passOnDue(db());
}
const queued = (id: string) =>
  db().rows<Record<string, unknown>>(
    sql`select connection_id, channel, sender_address, stage, attempt from dispatch where message_id = ${id}`,
  );
const balance = async () => {
  const { available_micros, held_micros } = await gate.balance();
  return { spent: FUNDS - available_micros - held_micros, held: held_micros };
};

describe('a message with fallbacks', () => {
  test('moves on immediately when the carrier refuses it and is charged for the step that was sent', async () => {
    const id = await sendWith({ fallbacks: [smsStep()] });
    await db().run(sql`delete from events where account_id = ${gate.company.account_id}`);
    await byViber(id, 'rejected', { failure: 'rejected', code: '6', text: 'The person is not on Viber' });
    expect(await detail(id)).toMatchObject({
      ...{
        channel: 'SMS',
        from: gate.code,
        text: 'By SMS',
        type: 'text',
        content: null,
        status: 'enroute',
        charge: 'held',
      },
      ...{ failure: null, sender_id: gate.sender_id, price_micros: PRICE },
    });
    expect(await states(id)).toEqual([
      ['passed_on', 'The person is not on Viber'],
      ['in_effect', null],
    ]);
    expect((await detail(id)).timeline).toMatchObject([
      { status: 'enroute', source: 'gate' },
      { status: 'rejected', leg: 1, channel: 'VIBER', code: '6' },
      { status: 'enroute', leg: 2, channel: 'SMS', leg_state: 'in_effect', text: 'The person is not on Viber' },
    ]);
    const events = await db().rows<{ payload: object }>(sql`
      select payload from events where account_id = ${gate.company.account_id} and type = 'message.status_changed'`);
    expect(events).toMatchObject([{ payload: { id, status: 'enroute', channel: 'SMS' } }]);
    expect(await queued(id)).toMatchObject([{ channel: 'SMS', stage: 'queued', sender_address: gate.code }]);
    await gate.expectSound();
    await apply([makeChange(id, 'sent', { connection_id: await connectionFor(id) })]);
    expect(await balance()).toEqual({ spent: PRICE, held: 0 });
    await byViber(id, 'failed', { failure: 'rejected' });
    expect(await detail(id)).toMatchObject({ status: 'sent', charge: 'settled' });
    await gate.expectSound();
  });

  test('moves to the next step when it is not delivered in time, but not earlier', async () => {
    const id = await sendWith({ fallbacks: [smsStep()] });
    await byViber(id, 'sent');
    expect(await queued(id)).toEqual([]);
    await gate.expectSound();
    await skipSeconds(id, 50);
    expect(await states(id)).toEqual([
      ['in_effect', null],
      ['waiting', null],
    ]);
    await Promise.all([skipSeconds(id, 10), passOnDue(db()), passOnDue(db())]);
    expect(await states(id)).toEqual([
      ['passed_on', 'Not delivered within 60 seconds'],
      ['in_effect', null],
    ]);
    expect(await detail(id)).toMatchObject({ status: 'sent', channel: 'SMS', charge: 'held' });
    expect(await queued(id)).toHaveLength(1);
    await gate.expectSound();
    const carrier = await connectionFor(id);
    await apply([makeChange(id, 'sent', { connection_id: carrier })]);
    await apply([makeChange(id, 'delivered', { connection_id: carrier })]);
    expect(await detail(id)).toMatchObject({ status: 'delivered', charge: 'settled', price_micros: PRICE });
    await gate.expectSound();
  });

  test('is withdrawn and moves to the next step when the carrier does not accept it in time', async () => {
    const id = await sendWith({ fallbacks: [smsStep()] });
    await skipSeconds(id, 50);
    expect((await queued(id))[0]).toMatchObject({ channel: 'VIBER' });
    await Promise.all([skipSeconds(id, 10), passOnDue(db()), passOnDue(db())]);
    expect(await states(id)).toEqual([
      ['passed_on', 'Not accepted by the carrier within 60 seconds'],
      ['in_effect', null],
    ]);
    expect(await queued(id)).toMatchObject([{ channel: 'SMS', stage: 'queued' }]);
    await gate.expectSound();
    const carrier = await connectionFor(id);
    await apply([makeChange(id, 'sent', { connection_id: carrier })]);
    expect(await detail(id)).toMatchObject({ status: 'sent', channel: 'SMS', charge: 'settled', price_micros: PRICE });
    await gate.expectSound();
  });

  test('does not move on while it is being submitted or while its fallback waits for a failure', async () => {
    const [submitting, waiting] = [
      await sendWith({ fallbacks: [smsStep()] }),
      await sendWith({ fallbacks: [smsStep({ trigger: 'failed', wait_seconds: undefined })] }),
    ];
    await db().run(sql`update dispatch set stage = 'submitting', submit_date = now() where message_id = ${submitting}`);
    for (const id of [submitting, waiting]) {
      await skipSeconds(id, 3_600);
      expect((await states(id)).map(([state]: [string]) => state)).toEqual(['in_effect', 'waiting']);
    }
    await db().run(sql`update dispatch set stage = 'queued' where message_id = ${submitting}`);
    await passOnDue(db());
    expect((await states(submitting)).map(([state]: [string]) => state)).toEqual(['passed_on', 'in_effect']);
    await gate.expectSound();
  });

  test('withdraws an unsent step after late proof of delivery and is charged for the cheaper step', async () => {
    const id = await sendWith({ fallbacks: [smsStep()] });
    await byViber(id, 'sent');
    await skipSeconds(id, 61);
    expect(await queued(id)).toHaveLength(1);
    await byViber(id, 'delivered');
    expect(await queued(id)).toEqual([]);
    expect(await detail(id)).toMatchObject({
      ...{ status: 'delivered', channel: 'VIBER', text: 'By Viber', charge: 'settled' },
      ...{ price_micros: CHAT_PRICES.VIBER.promotional, content: { purpose: 'promotional' } },
    });
    expect(await states(id)).toEqual([
      ['in_effect', null],
      ['not_needed', 'Delivered on Viber'],
    ]);
    expect(await balance()).toEqual({ spent: CHAT_PRICES.VIBER.promotional, held: 0 });
    await gate.expectSound();
  });

  test('keeps a step that may have been sent and is charged for the most expensive step', async () => {
    const id = await sendWith({ fallbacks: [smsStep()] });
    await byViber(id, 'sent');
    await skipSeconds(id, 61);
    const carrier = await connectionFor(id);
    await db().run(sql`update dispatch set stage = 'submitting', attempt = attempt + 1 where message_id = ${id}`);
    await byViber(id, 'read');
    expect(await detail(id)).toMatchObject({ status: 'read', channel: 'SMS', charge: 'held' });
    await apply([makeChange(id, 'sent', { connection_id: carrier })]);
    expect(await detail(id)).toMatchObject({ status: 'read', charge: 'settled', price_micros: PRICE });
    expect(await queued(id)).toEqual([]);
    await gate.expectSound();
  });

  test('moves on when it is delivered but not read in time, if the trigger is "unread"', async () => {
    const id = await sendWith({ fallbacks: [smsStep({ trigger: 'unread' })] });
    await byViber(id, 'delivered');
    await skipSeconds(id, 61);
    expect(await states(id)).toEqual([
      ['passed_on', 'Not read within 60 seconds'],
      ['in_effect', null],
    ]);
    expect(await detail(id)).toMatchObject({ status: 'delivered', channel: 'SMS', charge: 'held' });
    await gate.expectSound();
    const second = await sendWith({ fallbacks: [smsStep({ trigger: 'unread' })] });
    await byViber(second, 'delivered');
    await byViber(second, 'read');
    expect(await states(second)).toEqual([
      ['in_effect', null],
      ['not_needed', 'Read on Viber'],
    ]);
    await skipSeconds(second, 61);
    expect(await detail(second)).toMatchObject({ status: 'read', channel: 'VIBER', charge: 'settled' });
    await gate.expectSound();
  });

  test('skips a step that cannot be sent and records the reason', async () => {
    const id = await sendWith({ fallbacks: [whatsappStep(), smsStep()] });
    await byViber(id, 'unsubscribed', { failure: 'opted_out', text: 'The recipient has blocked the sender' });
    expect(await states(id)).toEqual([
      ['passed_on', 'The recipient has blocked the sender'],
      ['skipped', expect.stringContaining('session is closed')],
      ['in_effect', null],
    ]);
    expect((await detail(id)).timeline.map((entry: { leg_state?: string }) => entry.leg_state)).toEqual([
      ...[undefined, undefined, 'skipped', 'in_effect'],
    ]);
    await gate.expectSound();
  });

  test('moves to WhatsApp within an open session or with a template', async () => {
    const connection = await readConnection(gate.world.kernel, whatsapp.connection_id);
    await new InboundIntake(gate.world.kernel).add(connection, makeIncoming(whatsapp, ANNA));
    const free = await sendWith({ fallbacks: [whatsappStep()] });
    await byViber(free, 'failed', { failure: 'config', text: 'No' });
    expect(await detail(free)).toMatchObject({ channel: 'WHATSAPP', content: { purpose: 'service' } });
    const template = await makeTemplate(gate.world.kernel, gate.company.account_id, {
      ...{ channel: 'WHATSAPP', sender_id: whatsapp.sender_id, external_id: '1' },
    });
    const templated = await sendWith({
      to: BRUNO,
      fallbacks: [whatsappStep({ text: undefined, template, variables: ['Bruno'] })],
    });
    await byViber(templated, 'failed', { failure: 'config', text: 'No' });
    expect(await detail(templated)).toMatchObject({
      channel: 'WHATSAPP',
      template_id: template,
      text: expect.stringContaining('Bruno'),
    });
    await byViber(free, 'sent', { connection_id: whatsapp.connection_id });
    await byViber(free, 'delivered', { connection_id: whatsapp.connection_id });
    expect(await detail(free)).toMatchObject({ status: 'delivered', price_micros: CHAT_PRICES.WHATSAPP.service });
    await gate.expectSound();
  });

  test('skips a step when the recipient opted out, and keeps the failure of the last step sent', async () => {
    const id = await sendWith({ fallbacks: [smsStep()] });
    await db().tx((tx) =>
      stopNumber(tx, {
        ...{ account_id: gate.company.account_id, number: ANNA, sender_id: gate.sender_id, reason: 'keyword' },
        ...{ text: 'STOP', message_id: newId() },
      }),
    );
    await byViber(id, 'rejected', { failure: 'rejected', code: '6', text: 'Not on Viber' });
    expect(await detail(id)).toMatchObject({
      status: 'rejected',
      channel: 'VIBER',
      charge: 'released',
      failure: 'rejected',
    });
    expect((await states(id))[1][0]).toBe('skipped');
    expect(await balance()).toEqual({ spent: 0, held: 0 });
    await gate.expectSound();
  });

  test('does not move on after it expires', async () => {
    const id = await sendWith({ fallbacks: [smsStep()] });
    await db().run(sql`update dispatch set expire_date = now() where message_id = ${id}`);
    await db().run(sql`update messages set expire_date = now() where id = ${id}`);
    await expireQueued(db());
    expect(await detail(id)).toMatchObject({ status: 'expired', charge: 'released' });
    expect(await states(id)).toEqual([
      ['in_effect', null],
      ['not_needed', 'The message expired'],
    ]);
    await gate.expectSound();
  });

  test('does not move on after it is canceled, and cannot be canceled once a carrier has received a step', async () => {
    const id = await sendWith({ fallbacks: [smsStep()] });
    expect((await gate.api.delete(`/v1/messages/${id}`)).status).toBe(204);
    expect(await states(id)).toEqual([
      ['not_needed', 'Canceled'],
      ['not_needed', 'Canceled'],
    ]);
    expect(await balance()).toEqual({ spent: 0, held: 0 });
    const secondId = await sendWith({ fallbacks: [smsStep()] });
    await byViber(secondId, 'sent');
    await skipSeconds(secondId, 61);
    const reply = await gate.api.delete(`/v1/messages/${secondId}`);
    expect([reply.status, reply.body.errors[0].code]).toEqual([409, 1528]);
    await gate.expectSound();
  });

  test('is charged for an SMS that was sent, regardless of the next step', async () => {
    const { body } = await gate.send({ fallbacks: [whatsappStep({ trigger: 'undelivered', wait_seconds: 60 })] });
    const { id } = body.data[0];
    const carrier = await connectionFor(id);
    await apply([makeChange(id, 'sent', { connection_id: carrier })]);
    expect(await detail(id)).toMatchObject({ status: 'sent', charge: 'held' });
    await gate.expectSound();
    await skipSeconds(id, 61);
    expect(await detail(id)).toMatchObject({ channel: 'SMS', status: 'sent', charge: 'settled', price_micros: PRICE });
    await apply([
      makeChange(id, 'failed', { connection_id: carrier, failure: 'rejected', accepted: true, text: 'Gone' }),
    ]);
    expect(await detail(id)).toMatchObject({ status: 'failed', charge: 'settled' });
    await gate.expectSound();
  });

  test('is charged for the delivered step after four days without a report about the last one', async () => {
    const id = await sendWith({ fallbacks: [whatsappStep({ trigger: 'unread', wait_seconds: 60 })] });
    const connection = await readConnection(gate.world.kernel, whatsapp.connection_id);
    await new InboundIntake(gate.world.kernel).add(connection, makeIncoming(whatsapp, ANNA));
    const addSubmission = (connection_id: string, days: number) =>
      db().run(sql`
        insert into submissions (connection_id, external_id, account_id, message_id, part, parts, create_date)
        values (${connection_id}, ${`${id} ${days}`}, ${gate.company.account_id}, ${id}, 1, 1,
          now() - ${days} * interval '1 day')`);
    await byViber(id, 'delivered');
    await addSubmission(viber.connection_id, 5);
    await skipSeconds(id, 61);
    await byViber(id, 'sent', { connection_id: whatsapp.connection_id });
    await addSubmission(whatsapp.connection_id, 3);
    await expireUnreported(db());
    expect(await detail(id)).toMatchObject({ status: 'delivered', channel: 'WHATSAPP', charge: 'held' });
    await db().run(sql`update submissions set create_date = now() - interval '5 days' where message_id = ${id}`);
    await expireUnreported(db());
    expect(await detail(id)).toMatchObject({
      ...{ status: 'delivered', charge: 'settled', price_micros: CHAT_PRICES.VIBER.promotional },
    });
    await gate.expectSound();
  });
});

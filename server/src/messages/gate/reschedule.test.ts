import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type ChatSender, makeChatSender, makeIncoming, readConnection } from '../../test/chat.ts';
import { ANNA, createGate, type Gate } from '../../test/gate.ts';
import { makeConversation } from '../../test/inbox/conversations.ts';
import { makeCompany } from '../../test/make.ts';
import { InboundIntake } from '../inbound/intake.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(() => gate.renew());

const inHours = (hours: number) =>
  new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const queueRow = (id: string) =>
  gate.world.kernel.db.one<{ not_before: string; seconds: number; is_due: boolean }>(sql`
    select to_char(not_before, 'YYYY-MM-DD HH24:MI:SS') as not_before, not_before <= now() as is_due,
           extract(epoch from expire_date - not_before)::int as seconds
    from dispatch where message_id = ${id}`);

test('a message with time to undo waits on the server and can be canceled exactly once', async () => {
  const [message] = (await gate.send({ undo_seconds: 5 })).body.data;
  expect(message).toMatchObject({ status: 'scheduled' });
  expect((await queueRow(message.id)).is_due).toBe(false);
  const replies = await Promise.all([1, 2].map(() => gate.api.delete(`/v1/messages/${message.id}`)));
  expect(replies.map(({ status }) => status).sort()).toEqual([204, 409]);
  expect(await gate.count('dispatch')).toBe(0);
  expect(await gate.balance()).toMatchObject({ held_micros: 0 });
  await gate.expectSound();
});

test('a scheduled message moves with its expiration, or is sent now', async () => {
  const [message] = (await gate.send({ schedule: inHours(2), validity_seconds: 600 })).body.data;
  const path = `/v1/messages/${message.id}`;
  const later = inHours(5);
  const moved = await gate.api.put(path, { schedule: later });
  expect(moved.body.data).toMatchObject({ id: message.id, schedule: later, status: 'scheduled' });
  expect(await queueRow(message.id)).toMatchObject({ not_before: later, seconds: 600 });
  expect((await gate.api.put(path, { schedule: inHours(-1) })).body.errors[0].code).toBe(1522);
  expect((await gate.api.put(path, { schedule: null })).status).toBe(200);
  expect(await queueRow(message.id)).toMatchObject({ is_due: true, seconds: 600 });
  await gate.expectSound();
});

test('a message that is claimed, has ended, or belongs to another account is unchanged', async () => {
  const [message] = (await gate.send({ schedule: inHours(2) })).body.data;
  const path = `/v1/messages/${message.id}`;
  const stranger = gate.world.as((await makeCompany(gate.world.kernel)).token);
  expect((await stranger.put(path, { schedule: null })).status).toBe(404);
  await gate.world.kernel.db.run(sql`update dispatch set stage = 'submitting' where message_id = ${message.id}`);
  expect((await gate.api.put(path, { schedule: null })).body.errors[0].code).toBe(2366);
  await gate.world.kernel.db.run(sql`update dispatch set stage = 'queued' where message_id = ${message.id}`);
  expect((await gate.api.delete(path)).status).toBe(204);
  expect((await gate.api.put(path, { schedule: inHours(1) })).body.errors[0].code).toBe(2366);
});

test('the waits of fallbacks move with the message', async () => {
  const viber = await makeChatSender(gate.world.kernel, gate.company.account_id, 'VIBER');
  const fallbacks = [{ channel: 'VIBER', from: viber.sender_id, text: 'Hi', wait_seconds: 60 }];
  const [message] = (await gate.send({ schedule: inHours(2), fallbacks })).body.data;
  const wait = () =>
    gate.world.kernel.db.one<{ seconds: number; queued: number }>(sql`
      select extract(epoch from f.due_date - d.not_before)::int as seconds,
             round((f.steps->0->>'queued')::numeric / 1000 - extract(epoch from d.not_before))::int as queued
      from fallbacks f join dispatch d on d.account_id = f.account_id and d.message_id = f.message_id
      where f.message_id = ${message.id}`);
  expect(await wait()).toEqual({ seconds: 60, queued: 0 });
  expect((await gate.api.put(`/v1/messages/${message.id}`, { schedule: inHours(9) })).status).toBe(200);
  expect(await wait()).toEqual({ seconds: 60, queued: 0 });
});

test('a message cannot move out of its session', async () => {
  const { kernel } = gate.world;
  const whatsapp: ChatSender = await makeChatSender(kernel, gate.company.account_id, 'WHATSAPP');
  const connection = await readConnection(kernel, whatsapp.connection_id);
  await new InboundIntake(kernel).add(connection, makeIncoming(whatsapp, ANNA, {}));
  const sent = await gate.send({ from: whatsapp.sender_id, channel: 'WHATSAPP', schedule: inHours(2) });
  const path = `/v1/messages/${sent.body.data[0].id}`;
  expect((await gate.api.put(path, { schedule: inHours(23) })).status).toBe(200);
  expect((await gate.api.put(path, { schedule: inHours(25) })).body.errors[0].code).toBe(1547);
});

test('a canceled reply does not change the conversation', async () => {
  const { account_id } = gate.company;
  const number = '447410005999';
  const id = await makeConversation(gate.world.kernel, { account_id, sender_id: gate.sender_id, number });
  const read = async () => (await gate.api.get(`/v1/conversations/${id}`)).body.data;
  await gate.world.kernel.db.run(sql`
    update conversations c set waiting_since = m.create_date, "timestamp" = m.create_date
    from messages m where m.account_id = c.account_id and m.id = c.last_message_id and c.id = ${id}`);
  const before = await read();
  const [message] = (await gate.send({ to: number, undo_seconds: 5 })).body.data;
  expect(await read()).toMatchObject({ waiting_since: null, last_message: { id: message.id } });
  await gate.api.delete(`/v1/messages/${message.id}`);
  expect(await read()).toEqual(before);
});

/** Tests fallbacks in the inbox, where each conversation shows its own step. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type ChatSender, makeChatSender, makeIncoming, readConnection } from '../../test/chat.ts';
import { ANNA, createGate, type Gate } from '../../test/gate.ts';
import { InboundIntake } from '../inbound/intake.ts';
import { applyStatuses, type Change } from '../messages.ts';
import { passOnDue } from '../status/fallback_timers.ts';

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
  for (const sender of [whatsapp, viber]) await receive(sender, `Hello ${sender.code}`);
  await gate.world.kernel.db.run(sql`delete from events where account_id = ${gate.company.account_id}`);
});

const db = () => gate.world.kernel.db;
const receive = async (sender: ChatSender, text: string) =>
  new InboundIntake(gate.world.kernel).add(
    await readConnection(gate.world.kernel, sender.connection_id),
    makeIncoming(sender, ANNA, { text }),
  );
async function send(trigger: 'undelivered' | 'unread'): Promise<string> {
  const reply = await gate.api.post('/v1/messages', {
    ...{ from: whatsapp.sender_id, to: ANNA, channel: 'WHATSAPP', text: 'By WhatsApp' },
    fallbacks: [{ channel: 'VIBER', from: viber.code, text: 'By Viber', trigger, wait_seconds: 30 }],
  });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data[0].id;
}
const report = (message_id: string, status: Change['status'], connection_id: string) =>
  db().tx((tx) =>
    applyStatuses(tx, [{ account_id: gate.company.account_id, message_id, status, source: 'carrier', connection_id }]),
  );
/** Ends the wait of the step in effect without a report. */
async function passOn(id: string): Promise<void> {
  await db().run(sql`
    update fallbacks set due_date = now() - interval '1 second', steps = (
      select jsonb_agg(step || jsonb_build_object(
        'handed', (step->>'handed')::float8 - 3600000,
        'queued', (step->>'queued')::float8 - 3600000) order by n)
      from jsonb_array_elements(steps) with ordinality as l(step, n))
    where message_id = ${id}`);
  await passOnDue(db());
}
const conversation = async ({ sender_id }: ChatSender) =>
  (await gate.api.get(`/v1/conversations?filter[sender_id]=${sender_id}`)).body.data[0];
const thread = async (sender: ChatSender, query = '') =>
  (await gate.api.get(`/v1/conversations/${(await conversation(sender)).id}/messages${query}`)).body;
const readThread = async (sender: ChatSender) =>
  ((await thread(sender)).data as Record<string, unknown>[]).map(({ text, status, channel, passed_on }) => ({
    ...{ text, status, channel, passed_on },
  }));
const hello = ({ code }: ChatSender, channel: string) => ({
  ...{ text: `Hello ${code}`, status: 'received', channel, passed_on: null },
});

test('a delivered first step keeps its text and shows the channel of the fallback', async () => {
  const id = await send('unread');
  await report(id, 'sent', whatsapp.connection_id);
  await report(id, 'delivered', whatsapp.connection_id);
  await passOn(id);
  const first = {
    ...{ text: 'By WhatsApp', status: 'delivered', channel: 'WHATSAPP' },
    passed_on: { channel: 'VIBER', reason: 'Not read within 30 seconds' },
  };
  expect(await readThread(whatsapp)).toEqual([first, hello(whatsapp, 'WHATSAPP')]);
  expect((await thread(whatsapp)).pagination.total).toBe(2);
  expect(await readThread(viber)).toEqual([
    { text: 'By Viber', status: 'delivered', channel: 'VIBER', passed_on: null },
    hello(viber, 'VIBER'),
  ]);
  expect((await conversation(whatsapp)).last_message).toEqual({
    ...{ id, text: 'By WhatsApp', type: 'text', direction: 'MT', status: 'delivered' },
  });
  expect((await conversation(viber)).last_message).toMatchObject({ id, text: 'By Viber' });
  const events = await db().rows<{ payload: { channel: string; last_message: { text: string } } }>(sql`
    select payload from events where account_id = ${gate.company.account_id} and type = 'conversation.updated'
    order by id`);
  expect(
    events
      .slice(-2)
      .map(({ payload }) => payload.last_message.text)
      .sort(),
  ).toEqual(['By Viber', 'By WhatsApp']);

  await report(id, 'sent', viber.connection_id);
  await report(id, 'read', whatsapp.connection_id);
  expect((await readThread(whatsapp))[0]).toEqual({ ...first, status: 'read' });
  await receive(whatsapp, 'What do you mean?');
  for (let n = 0; n < 9; n++) await receive(whatsapp, `And ${n}`);
  const page = await thread(whatsapp, '?page_size=10');
  expect(page.pagination.total).toBe(12);
  const older = await gate.api.get(page.pagination.links.next);
  expect(older.body.data.map(({ text }: { text: string }) => text)).toEqual(['By WhatsApp', `Hello ${whatsapp.code}`]);
  await gate.expectSound();
});

test('an unsent first step leaves its conversation unchanged, and the fallback appears in its own', async () => {
  const before = await conversation(whatsapp);
  const id = await send('undelivered');
  expect((await conversation(whatsapp)).last_message).toMatchObject({ id });
  await passOn(id);
  expect(await conversation(whatsapp)).toEqual(before);
  expect(await readThread(whatsapp)).toEqual([hello(whatsapp, 'WHATSAPP')]);
  expect(await readThread(viber)).toMatchObject([{ text: 'By Viber', status: 'enroute', passed_on: null }, {}]);
});

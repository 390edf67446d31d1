/** Tests events about earlier messages and contacts, with the sandbox as WhatsApp. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnection } from '../../connections/connections.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { type ChatSender, makeChatSender } from '../../test/chat.ts';
import { type Company, makeAudience, makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';

const CODE = '442079460124';
let world: World;
let company: Company;
let api: Caller;
let sender: ChatSender;
let address: string;
let next = 447_400_700_300;

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  company = await makeCompany(world.kernel);
  api = world.as(company.token);
  await box('PUT', '/api/whatsapp', { sent_delay_ms: 0, delivered_delay_ms: 0, read_delay_ms: 0 });
  const settings = {
    base_url: `${world.sandbox!.url}/graph/v25.0`,
    ...{ access_token: 'sandbox-whatsapp-token', app_secret: 'sandbox-app-secret', app_id: '1000000001' },
    verify_token: 'a-word',
  };
  const fields = { settings, code: CODE, address: newId() };
  sender = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP', fields);
  const connection = (await openConnection(world.kernel, world.kernel.db, sender.connection_id))!;
  const business = { number: CODE, display_name: 'Harbour Café', pin: '204060' };
  ({ address } = await connection.adapter.senders!.enroll(connection.spec, business));
  await world.kernel.db.run(sql`update senders set carrier_address = ${address} where id = ${sender.sender_id}`);
  await world.kernel.db.run(
    sql`update inbound_addresses set address = ${address} where sender_id = ${sender.sender_id}`,
  );
  await until('WhatsApp has the callback URL', async () => {
    const row = await world.kernel.db.one<{ ok: boolean }>(sql`
      select coalesce((callback_state->>'ok')::boolean, false) as ok from connections
      where id = ${sender.connection_id}`);
    return row.ok;
  });
}, 60_000);
afterAll(() => world?.stop());

async function box(method: string, path: string, body: unknown): Promise<Record<string, string>> {
  const response = await fetch(world.sandbox!.url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}
const play = (type: string, phone: string, fields: object = {}) =>
  box('POST', `/api/whatsapp/numbers/${address}/events`, { type, phone, ...fields });
const conversation = async (phone: string) => (await api.get(`/v1/conversations?filter[search]=${phone}`)).body.data[0];
const thread = async (phone: string) => {
  const row = await conversation(phone);
  return row ? (await api.get(`/v1/conversations/${row.id}/messages`)).body.data : [];
};
const latest = async (phone: string) => (await thread(phone))[0];
const becomes = (what: string, phone: string, isTrue: (message: never) => boolean) =>
  until(what, async () => {
    const message = await latest(phone);
    return message !== undefined && isTrue(message as never);
  });
/** Writes a message and returns WhatsApp's ID of it. */
async function write(phone: string, text: string): Promise<string> {
  await box('POST', `/api/phones/${phone}/messages`, { channel: 'WHATSAPP', to: CODE, text });
  await becomes('the message is stored', phone, ({ text: stored }: { text: string }) => stored === text);
  const { id } = await latest(phone);
  const row = await world.kernel.db.one<{ id: string }>(
    sql`select external_id as id from submissions where message_id = ${id}`,
  );
  return row.id;
}
const expectSound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

test('a message keeps its earlier text when it is edited and loses all texts when it is deleted', async () => {
  const phone = String(next++);
  const message_id = await write(phone, 'Table for two');
  await play('edit', phone, { message_id, text: 'Table for three' });
  await becomes('the text is new', phone, ({ text }: { text: string }) => text === 'Table for three');
  expect((await latest(phone)).marks.edits).toMatchObject([{ text: 'Table for two' }]);
  expect((await conversation(phone)).last_message.text).toBe('Table for three');
  await play('revoke', phone, { message_id });
  await becomes('it is deleted', phone, ({ text }: { text: string }) => text === 'Deleted message');
  expect((await latest(phone)).marks).toEqual({ deleted: expect.any(String) });
  expect(await thread(phone)).toHaveLength(1);
});

test('a reaction appears on its message until it is removed', async () => {
  const phone = String(next++);
  const message_id = await write(phone, 'See you');
  const react = (emoji: string) =>
    box('POST', `/api/phones/${phone}/messages`, { channel: 'WHATSAPP', to: CODE, reaction: { message_id, emoji } });
  type Reacted = { marks: { reactions: { emoji: string }[] } | null };
  await react('👍');
  await becomes('it has a reaction', phone, ({ marks }: Reacted) => marks?.reactions[0]?.emoji === '👍');
  await react('');
  await becomes('it has none', phone, ({ marks }: Reacted) => marks?.reactions[0]?.emoji === '');
  expect(await thread(phone)).toHaveLength(1);
});

test('a change is stored as a message when the original message is unknown', async () => {
  const phone = String(next++);
  await play('edit', phone, { message_id: 'wamid.unknown', text: 'The new text' });
  await becomes('it is stored', phone, ({ text }: { text: string }) => text === 'The new text');
});

test('a message contains its ad when an ad led to it, and its content when its type is unknown', async () => {
  const phone = String(next++);
  await play('referral', phone, { text: 'Is this still free?' });
  await becomes('it is stored', phone, ({ text }: { text: string }) => text === 'Is this still free?');
  expect((await latest(phone)).marks.referral).toMatchObject({ source_type: 'ad', headline: 'Summer menu' });
  await play('unknown', phone, { text: 'Look' });
  await becomes(
    'it is stored',
    phone,
    ({ marks }: { marks: { unknown?: { type: string } } }) => marks.unknown?.type === 'hologram',
  );
  expect(JSON.parse((await latest(phone)).marks.unknown.content)).toEqual({
    hologram: { caption: 'Look', frames: 24 },
  });
});

test('the conversation, the contact, and the opt-outs move when the number changes', async () => {
  const [phone, to] = [String(next++), String(next++)];
  await write(phone, 'Hello');
  const before = await conversation(phone);
  await makeAudience(world.kernel, company.account_id, [{ number: phone, first_name: 'Anna' }]);
  await world.kernel.db.run(sql`
    insert into stop_list (account_id, id, number, sender_id, reason, text, create_date)
    values (${company.account_id}, ${newId()}, ${phone}, null, 'manual', '', now())`);
  await play('number_change', phone, { to });
  await until('the conversation has the new number', async () => (await conversation(to))?.id === before.id);
  expect(await conversation(to)).toMatchObject({ number: to, contact_name: 'Anna', stopped: true });
  const messages = await thread(to);
  expect(messages).toHaveLength(2);
  expect(messages[0]).toMatchObject({
    text: `The number changed from +${phone} to +${to}`,
    marks: { number_change: { from: phone, to } },
  });
  await write(to, 'It is still me');
  expect(await thread(to)).toHaveLength(3);
  expect(await conversation(phone)).toBeUndefined();
  await expectSound();
});

test('two conversations are merged when the contact has already written from the new number', async () => {
  const [phone, to] = [String(next++), String(next++)];
  await write(phone, 'From the old phone');
  await write(to, 'From the new phone');
  const kept = await conversation(to);
  await play('number_change', phone, { to });
  await until('the messages are together', async () => (await thread(to)).length === 3);
  expect((await conversation(to)).id).toBe(kept.id);
  expect(await conversation(phone)).toBeUndefined();
  await expectSound();
});

test('a message is outbound, free, and can be edited and deleted when it comes from the phone app', async () => {
  const phone = String(next++);
  await write(phone, 'Are you open?');
  const { id: message_id } = await play('echo', phone, { text: 'Until ten' });
  await becomes('it is shown', phone, ({ text }: { text: string }) => text === 'Until ten');
  expect(await latest(phone)).toMatchObject({
    ...{ direction: 'MT', source: 'phone_app', status: 'sent', charge: 'none', price: 0 },
  });
  await play('echo_edit', phone, { message_id, text: 'Until eleven' });
  await becomes('its text is new', phone, ({ text }: { text: string }) => text === 'Until eleven');
  await play('echo_revoke', phone, { message_id });
  await becomes('it is deleted', phone, ({ text }: { text: string }) => text === 'Deleted message');
  await expectSound();
});

test('an account error appears in Health when WhatsApp reports it', async () => {
  await play('error', String(next), { text: 'The rate limit was reached' });
  await until('the error is recorded', async () => {
    const row = await world.kernel.db.one<{ error_text: string }>(
      sql`select error_text from connections where id = ${sender.connection_id}`,
    );
    return row.error_text === '130429: The rate limit was reached';
  });
});

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openConnection } from '../../connections/connections.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { CHAT_PRICES, type ChatSender, makeChatSender } from '../../test/chat.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { uploadFile } from '../../test/media.ts';
import { picture } from '../../test/media_files.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';
import { sendReaction } from '../thread/reactions.ts';

/** End-to-end tests with the sandbox as both carrier and phone, without scripted responses. */
const ANNA = '447400700123';
let world: World;
let company: Company;
let api: Caller;

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  company = await makeCompany(world.kernel);
  api = world.as(company.token);
  await box('PUT', '/api/whatsapp', { sent_delay_ms: 0, delivered_delay_ms: 0, read_delay_ms: 0 });
  await box('PUT', '/api/viber/settings', { delivered_delay_ms: 0, delivered_jitter_ms: 0, seen_delay_ms: 0 });
});
afterAll(() => world?.stop());

async function box(method: string, path: string, body?: unknown): Promise<Record<string, never>> {
  const response = await fetch(world.sandbox!.url + path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, never>;
}

interface PhoneContent {
  kind: string;
  text?: string;
  location?: object;
  contacts?: object[];
  list_title?: string;
  buttons?: object[];
}

const writeAs = (message: object) => box('POST', `/api/phones/${ANNA}/messages`, message);
const loadStatuses = async () =>
  (await box('GET', `/api/phones/${ANNA}/messages`)).messages as unknown as {
    text: string;
    status: string;
    channel: string;
    message_ids: string[];
    content: PhoneContent;
  }[];
const conversation = async (sender: ChatSender) =>
  (await api.get(`/v1/conversations?filter[sender_id]=${sender.sender_id}`)).body.data[0];
const latest = async (sender: ChatSender) =>
  (await api.get(`/v1/conversations/${(await conversation(sender)).id}/messages`)).body.data[0];
const send = async (sender: ChatSender, channel: string, fields: object) => {
  const reply = await api.post('/v1/messages', { from: sender.sender_id, to: ANNA, channel, ...fields });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data[0].id as string;
};
const becomes = (id: string, status: string) =>
  until(`the message is ${status}`, async () => (await api.get(`/v1/messages/${id}`)).body.data.status === status);
const expectSound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

/** Exchanges a picture in each direction: the person writes, we reply, and the person reads the reply. */
async function exchangeMessages(sender: ChatSender, channel: 'WHATSAPP' | 'VIBER', to: string): Promise<void> {
  const file = (await (
    await fetch(`${world.sandbox!.url}/api/files?name=cat.png`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array(await picture('png')),
    })
  ).json()) as { url: string };
  await writeAs({ channel, to, text: 'Is this it?', media_url: file.url });
  await until('the message is stored with its picture', async () =>
    Boolean((await conversation(sender)) && (await latest(sender)).content?.media_id),
  );
  expect(await latest(sender)).toMatchObject({ type: 'image', text: 'Is this it?', status_details: null });
  expect(await conversation(sender)).toMatchObject({ session: { open: true }, number: ANNA });

  const media = await uploadFile(
    world,
    company.token,
    { file_name: 'menu.png', type: 'image', channel },
    await picture('png', 40, 30),
  );
  const reply = channel === 'WHATSAPP' ? { text: 'Yes, and this is the menu' } : {};
  const id = await send(sender, channel, { type: 'image', media_id: media.id, ...reply });
  await becomes(id, 'read');
  const purpose = channel === 'WHATSAPP' ? CHAT_PRICES.WHATSAPP.service : CHAT_PRICES.VIBER.session;
  expect((await api.get(`/v1/messages/${id}`)).body.data).toMatchObject({ charge: 'settled', price_micros: purpose });
}

/** A WhatsApp number that is enrolled at the sandbox and receives callbacks. */
async function enrollNumber(code: string): Promise<ChatSender> {
  const settings = {
    base_url: `${world.sandbox!.url}/graph/v25.0`,
    access_token: 'sandbox-whatsapp-token',
    app_secret: 'sandbox-app-secret',
    app_id: '1000000001',
    verify_token: 'a-word',
  };
  const sender = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP', {
    settings,
    code,
    address: newId(),
  });
  const connection = (await openConnection(world.kernel, world.kernel.db, sender.connection_id))!;
  const business = { number: code, display_name: 'Harbour Café', pin: '204060' };
  const { address } = await connection.adapter.senders!.enroll(connection.spec, business);
  await world.kernel.db.run(sql`update senders set carrier_address = ${address} where id = ${sender.sender_id}`);
  await world.kernel.db.run(
    sql`update inbound_addresses set address = ${address} where sender_id = ${sender.sender_id}`,
  );
  await until(
    'WhatsApp has the callback URL',
    async () =>
      (
        await world.kernel.db.one<{ ok: boolean }>(
          sql`select coalesce((callback_state->>'ok')::boolean, false) as ok from connections
            where id = ${sender.connection_id}`,
        )
      ).ok,
  );
  return { ...sender, address };
}

test('an enrolled WhatsApp number receives callbacks and exchanges pictures with a person', async () => {
  const code = '442079460123';
  await exchangeMessages(await enrollNumber(code), 'WHATSAPP', code);
  await expectSound();
});

test('a Viber sender receives callbacks and exchanges pictures with a person', async () => {
  const settings = { base_url: `${world.sandbox!.url}/viber/vibersrvc/1`, auth_token: 'sandbox-viber-token' };
  const sender = await makeChatSender(world.kernel, company.account_id, 'VIBER', { settings, address: '30001' });
  await box('PUT', '/api/viber/services/30001', { callback_url: `${world.url}/callbacks/${sender.connection_id}` });
  await exchangeMessages(sender, 'VIBER', '30001');
  expect((await loadStatuses()).some(({ channel, status }) => channel === 'VIBER' && status === 'read')).toBe(true);
  await expectSound();
});

test('a reaction does not wait forever for a carrier that cannot be reached', async () => {
  const code = '442079460126';
  const sender = await enrollNumber(code);
  await writeAs({ channel: 'WHATSAPP', to: code, text: 'Hello?' });
  await until('the message has arrived', async () => Boolean(await conversation(sender)));
  const { id: message_id } = await latest(sender);
  const { account_id } = company;
  const { db } = world.kernel;
  const { connection_id } = await db.one<{ connection_id: string }>(sql`
    select connection_id from submissions where account_id = ${account_id} and message_id = ${message_id}`);
  const { adapter } = (await openConnection(world.kernel, db, connection_id))!;
  const calls = vi.spyOn(adapter.reactions!, 'react').mockRejectedValue(new Error('no route to host'));
  const waitSince = (seconds: number) => {
    const at = new Date(Date.now() - seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
    const marks = { reactions: [{ by: 'business', emoji: '👍', at, waiting: true }] };
    return db.run(sql`
      update messages set marks = ${JSON.stringify(marks)}::jsonb
      where account_id = ${account_id} and id = ${message_id}`);
  };
  try {
    await waitSince(0);
    await expect(sendReaction(world.kernel, { account_id, message_id })).rejects.toThrow('no route to host');
    await waitSince(600);
    await sendReaction(world.kernel, { account_id, message_id });
  } finally {
    calls.mockRestore();
  }
  const [reaction] = (await api.get(`/v1/messages/${message_id}`)).body.data.marks.reactions;
  expect(reaction).toMatchObject({ emoji: '👍', refusal: 'The carrier cannot be reached' });
  expect(reaction).not.toHaveProperty('waiting');
});

test('a reply quotes a message, and reactions arrive, change, and disappear', async () => {
  const code = '442079460124';
  const sender = await enrollNumber(code);
  await writeAs({ channel: 'WHATSAPP', to: code, text: 'Which day suits you?' });
  await until('the message has arrived', async () => Boolean(await conversation(sender)));
  const { id } = await conversation(sender);
  const asked = await latest(sender);
  const reply = await send(sender, 'WHATSAPP', { text: 'Tuesday', reply_to: asked.id });
  await becomes(reply, 'read');
  expect((await api.get(`/v1/messages/${reply}`)).body.data.content).toMatchObject({ answers: asked.id });
  const phone = async (text: string) => (await loadStatuses()).find((message) => message.text === text);
  expect(await phone('Tuesday')).toMatchObject({
    reply_to: (await phone('Which day suits you?'))!.message_ids[0],
  });

  const react = (message_id: string, emoji: unknown) =>
    api.put(`/v1/conversations/${id}/reaction`, { message_id, emoji });
  const shown = async () => {
    const { body } = await api.get(`/v1/messages/${asked.id}`);
    return body.data.marks.reactions.map(({ at: _, ...reaction }: { at: string }) => reaction);
  };
  expect((await react(asked.id, '👍🏽')).body.data.marks.reactions).toMatchObject([{ emoji: '👍🏽', waiting: true }]);
  for (const emoji of ['👍🏽', '👩‍👩‍👧‍👦', '']) {
    expect((await react(asked.id, emoji)).status).toBe(200);
    await expect.poll(shown, { timeout: 20_000 }).toEqual([{ by: 'business', emoji }]);
    const isOn = ({ content }: { content: PhoneContent }) => content.kind === 'reaction' && content.text === emoji;
    await until('the phone has it', async () => (await loadStatuses()).some(isOn));
  }
  const readCode = async (reply: Promise<{ body: { errors: { code: number }[] } }>) =>
    (await reply).body.errors[0]!.code;
  for (const emoji of ['a', '👍👍', ' ', null]) expect(await readCode(react(asked.id, emoji))).toBe(2654);
  expect(await readCode(react(newId(), '👍'))).toBe(2655);
  const other = await makeCompany(world.kernel);
  const stranger = world.as(other.token);
  expect(await readCode(stranger.put(`/v1/conversations/${id}/reaction`, { message_id: asked.id, emoji: '👍' }))).toBe(
    1651,
  );
  const quote = (fields: object) =>
    api.post('/v1/messages', { from: sender.sender_id, to: ANNA, channel: 'WHATSAPP', text: 'Hi', ...fields });
  expect(await readCode(quote({ reply_to: newId() }))).toBe(2651);
  expect(await readCode(quote({ reply_to: asked.id, to: '447400700999' }))).toBe(2651);
  expect(await readCode(quote({ reply_to: asked.id, channel: 'SMS' }))).toBe(2650);
  await world.kernel.db.run(
    sql`update messages set marks = '{"deleted": "2027-01-01 00:00:00"}' where id = ${asked.id}`,
  );
  expect(await readCode(quote({ reply_to: asked.id }))).toBe(2651);
  await expectSound();
});

test('locations, contacts, and lists are sent and received, and found in the inbox', async () => {
  const code = '442079460127';
  const sender = await enrollNumber(code);
  const write = (message: object) => writeAs({ channel: 'WHATSAPP', to: code, ...message });
  await write({ location: { latitude: 51.5, longitude: -0.12, name: 'Quay', address: '1 Quay Street' } });
  await until('the location has arrived', async () => Boolean(await conversation(sender)));
  const place = { latitude: 51.5, longitude: -0.12, name: 'Quay', address: '1 Quay Street' };
  expect(await latest(sender)).toMatchObject({ type: 'location', content: { location: place } });
  const bob = { name: 'Bob Stone', phones: ['+447700900999'], emails: ['bob@harbour.example'] };
  await write({ contacts: [bob] });
  await until('the contact has arrived', async () => (await latest(sender)).type === 'contacts');
  expect((await latest(sender)).content.contacts).toEqual([bob]);
  const { id } = await conversation(sender);
  const { results } = (await api.get('/v1/inbox_texts?kind=message&text=stone')).body.data;
  expect(results).toMatchObject([{ conversation: { id } }]);

  const rows = [
    { text: 'Terrace', description: 'Outside' },
    { text: 'Bar', value: 'seat-2' },
  ];
  const cards = [
    { type: 'location', location: { latitude: -1.5, longitude: 36.8, name: 'Depot' } },
    { type: 'contacts', contacts: [bob] },
    { type: 'list', text: 'Where would you like to sit?', list: { button: 'Seats', rows } },
  ];
  for (const card of cards) await becomes(await send(sender, 'WHATSAPP', card), 'read');
  const contents = (await loadStatuses()).slice(-3).map(({ content }) => content);
  expect(contents).toMatchObject([
    { kind: 'location', location: { latitude: -1.5, longitude: 36.8, name: 'Depot' } },
    { kind: 'contacts', contacts: [bob] },
    { kind: 'interactive', text: 'Where would you like to sit?', list_title: 'Seats', buttons: [{}, {}] },
  ]);
  const list = (await loadStatuses()).at(-1)!;
  await write({ press: { message_id: list.message_ids[0], button: 'Bar' } });
  await until('the choice has arrived', async () => (await latest(sender)).text === 'Bar');
  expect((await latest(sender)).content.pressed).toEqual({ text: 'Bar', value: 'seat-2', from_list: true });

  const refuse = async (channel: string, fields: object) => {
    const { status, body } = await api.post('/v1/messages', { from: sender.sender_id, to: ANNA, channel, ...fields });
    return [status, body.errors?.[0].code];
  };
  const list_of = (count: number) => ({
    button: 'Go',
    rows: Array.from({ length: count }, (_, n) => ({ text: `${n}` })),
  });
  expect(await refuse('SMS', { location: place })).toEqual([400, 2694]);
  expect(await refuse('WHATSAPP', { type: 'location' })).toEqual([400, 2693]);
  expect(await refuse('WHATSAPP', { location: { ...place, latitude: 91 } })).toEqual([400, 2693]);
  expect(await refuse('WHATSAPP', { location: place, text: 'Here' })).toEqual([400, 1509]);
  expect(await refuse('WHATSAPP', { contacts: [{ name: 'Bob' }] })).toEqual([400, 2693]);
  expect(await refuse('WHATSAPP', { list: list_of(3) })).toEqual([400, 1508]);
  expect(await refuse('WHATSAPP', { text: 'Go', list: list_of(11) })).toEqual([400, 2693]);
  expect(await refuse('WHATSAPP', { location: place, contacts: [bob] })).toEqual([400, 2693]);
  await expectSound();
});

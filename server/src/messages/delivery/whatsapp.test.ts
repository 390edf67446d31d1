import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { CHAT_PRICES, type ChatSender, makeChatSender, makeMedia } from '../../test/chat.ts';
import { type HttpCarrier, sendWhatsappCallback, startHttpCarrier } from '../../test/http_carrier.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { picture } from '../../test/media_files.ts';
import { makeTemplate } from '../../test/templates.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';
import { fetchFile } from '../inbound/files.ts';

const ANNA = '447400000001';
const ALIAS = 'GB.13491208655302741918';
let world: World;
let carrier: HttpCarrier;
let company: Company;
let sender: ChatSender;
let api: Caller;
beforeAll(async () => {
  carrier = await startHttpCarrier();
  world = await createWorld();
});
afterAll(async () => {
  await world?.stop();
  await carrier?.stop();
});
beforeEach(async () => {
  await world.kernel.db.run(sql`update connections set enabled = false`);
  company = await makeCompany(world.kernel);
  sender = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP', {
    settings: { base_url: carrier.url, timeout_ms: 5_000 },
  });
  api = world.as(company.token);
  carrier.requests.length = 0;
  carrier.script.length = 0;
});

let lastId = 0;
const person = (message: object, who: { from?: string; user_id?: string } = { from: ANNA }) => ({
  contacts: [
    {
      profile: { name: 'Anna' },
      ...(who.from ? { wa_id: who.from } : {}),
      ...(who.user_id ? { user_id: who.user_id } : {}),
    },
  ],
  messages: [
    {
      id: `wamid.in.${++lastId}`,
      timestamp: String(Math.floor(Date.now() / 1_000)),
      ...(who.from ? { from: who.from } : {}),
      ...(who.user_id ? { from_user_id: who.user_id } : {}),
      ...message,
    },
  ],
});
const text = (body: string) => ({ type: 'text', text: { body } });
const callback = (value: object) => sendWhatsappCallback(world, sender, value);
const status = (id: string, state: string, fields: object = {}) =>
  callback({
    statuses: [{ id, status: state, timestamp: String(Math.floor(Date.now() / 1_000)), recipient_id: ANNA, ...fields }],
  });
const send = async (fields: object) => {
  const reply = await api.post('/v1/messages', { from: sender.sender_id, to: ANNA, channel: 'WHATSAPP', ...fields });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data[0] as { id: string; content: object };
};
const detail = async (id: string) => (await api.get(`/v1/messages/${id}`)).body.data;
const waitForStatus = (id: string, status: string) =>
  until(`the message is ${status}`, async () => (await detail(id)).status === status);
const externalId = async (id: string) => (await detail(id)).external_ids[0] as string;
const conversation = async () => (await api.get('/v1/conversations')).body.data[0];
const latest = async () => {
  const { id } = await conversation();
  return (await api.get(`/v1/conversations/${id}/messages`)).body.data[0];
};
const expectSound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
const balance = async () =>
  (await api.get(`/v1/balances/${company.account_id}`)).body.data as { available_micros: number; held_micros: number };

test('a reply to an inbound message is delivered, charged on delivery, and read', async () => {
  const before = (await balance()).available_micros;
  expect(await callback(person(text('Are you open?')))).toBe(200);
  expect(await conversation()).toMatchObject({ profile_name: 'Anna', session: { open: true }, unread_count: 1 });
  const { id } = await send({ text: 'Yes, until six' });
  await waitForStatus(id, 'sent');
  const [body] = carrier.messages();
  expect(body).toMatchObject({ to: ANNA, type: 'text', text: { body: 'Yes, until six' } });
  expect(carrier.requests.find(({ path }) => path.endsWith('/messages'))).toMatchObject({
    path: `/${sender.address}/messages`,
    headers: { authorization: 'Bearer token' },
  });
  expect(await balance()).toMatchObject({ held_micros: CHAT_PRICES.WHATSAPP.service });

  const external_id = await externalId(id);
  // The reports arrive out of order, and some arrive twice.
  for (const state of ['read', 'delivered', 'sent', 'delivered', 'read'])
    expect(await status(external_id, state)).toBe(200);
  const message = await detail(id);
  expect(message).toMatchObject({ status: 'read', charge: 'settled', price_micros: CHAT_PRICES.WHATSAPP.service });
  expect(
    message.timeline.map((entry: { status: string; late?: boolean }) => `${entry.status}${entry.late ? ' late' : ''}`),
  ).toEqual(['enroute', 'sent', 'read', 'delivered late', 'sent late', 'delivered late', 'read late']);
  expect(await balance()).toMatchObject({ held_micros: 0, available_micros: before - CHAT_PRICES.WHATSAPP.service });
  await expectSound();
});

test('a repeated callback changes nothing, and one signed with a wrong secret is refused', async () => {
  const hello = person(text('Hello'));
  expect([await callback(hello), await callback(hello)]).toEqual([200, 200]);
  expect(await sendWhatsappCallback(world, sender, person(text('Forged')), 'another secret')).toBe(403);
  expect(await conversation()).toMatchObject({ unread_count: 1 });
});

describe('files', () => {
  test('are fetched with the token and scanned when inbound, and uploaded only once when outbound', async () => {
    carrier.files.set('photo-1', { content_type: 'image/png', bytes: await picture('png') });
    await callback(person({ type: 'image', image: { id: 'photo-1', mime_type: 'image/png', caption: 'Is this it?' } }));
    expect(await latest()).toMatchObject({ text: 'Is this it?', type: 'image', content: { media_type: 'image' } });
    await until('the file is stored', async () => (await latest()).content.media_id !== null);
    const { content, status_details } = await latest();
    expect([content.file_name, content.content_type, status_details]).toEqual(['image.png', 'image/png', null]);
    const media = (await api.get(`/v1/media/${content.media_id}`)).body.data;
    expect(media).toMatchObject({ type: 'image', status: 'ready', width: 64, height: 48 });
    expect((await api.delete(`/v1/media/${content.media_id}`)).body.errors[0].code).toBe(1913);
    expect(carrier.requests.find(({ path }) => path === '/files/photo-1')?.headers.authorization).toBe('Bearer token');

    const ownMedia = await makeMedia(world.kernel, company.account_id, {
      type: 'image',
      name: 'Menu.png',
      content_type: 'image/png',
      bytes: 'the menu',
    });
    const first = await send({ type: 'image', media_id: ownMedia, text: 'Our menu' });
    const second = await send({ type: 'image', media_id: ownMedia, text: 'Once more' });
    await waitForStatus(first.id, 'sent');
    await waitForStatus(second.id, 'sent');
    const uploads = carrier.requests.filter(({ path }) => path === `/${sender.address}/media`);
    expect(uploads.map(({ bytes }) => bytes.includes('the menu'))).toEqual([true]);
    expect(
      carrier
        .messages()
        .map(({ type, image }) => [type, image.caption])
        .sort(),
    ).toEqual([
      ['image', 'Once more'],
      ['image', 'Our menu'],
    ]);
    await expectSound();
  });

  test.each<[string, { content_type: string; bytes: () => Promise<Buffer>; size?: number }, object, string]>([
    [
      'too large',
      { content_type: 'image/png', bytes: async () => Buffer.alloc(5 * 1024 * 1024 + 1) },
      { type: 'image', image: { id: 'it', mime_type: 'image/png' } },
      'file size should not exceed 5 MB',
    ],
    [
      'programs',
      { content_type: 'application/x-msdownload', bytes: async () => Buffer.from('MZ') },
      { type: 'document', document: { id: 'it', mime_type: 'application/x-msdownload', filename: 'game.exe' } },
      'the file is a program',
    ],
  ])('are dropped when they are %s, and the message states the reason', async (_, file, message, reason) => {
    carrier.files.set('it', { content_type: file.content_type, bytes: await file.bytes() });
    await callback(person(message));
    await until('the file has failed', async () => (await latest()).status_details !== null);
    expect(await latest()).toMatchObject({
      status: 'received',
      status_details: `The file could not be fetched: ${reason}`,
      content: { media_id: null },
    });
    const remaining = await world.kernel.db.one<{ n: number }>(
      sql`select count(*) as n from media where account_id = ${company.account_id} and status <> 'removed'`,
    );
    expect(remaining.n).toBe(0);
  });

  test('are fetched later when the storage of the company is full', async () => {
    const { db, config } = world.kernel;
    carrier.files.set('it', { content_type: 'image/png', bytes: await picture('png') });
    const { id } = await db.one<{ id: string }>(sql`
      insert into media (account_id, id, status, type, file_name, content_type, lease, bytes, sha256)
      values (${company.account_id}, gen_random_uuid(), 'ready', 'image', 'a.png', 'image/png', gen_random_uuid(),
              ${config.FILES_MB * 1024 * 1024}, 'x')
      returning id`);
    await callback(person({ type: 'image', image: { id: 'it', mime_type: 'image/png' } }));
    const readRetry = () =>
      db.maybeOne<{ data: Parameters<typeof fetchFile>[1] }>(sql`
        select data from pgboss.job where name = 'messages.fetch_file' and state = 'created'
          and data->>'tries' = '1' and data->>'message_id' = ${message.id}`);
    const message = await latest();
    await until('the file has a retry', async () => (await readRetry()) !== null);
    expect(await latest()).toMatchObject({ status_details: null, content: { media_id: null } });
    await db.run(sql`delete from media where account_id = ${company.account_id} and id = ${id}`);
    await fetchFile(world.kernel, (await readRetry())!.data);
    expect(await latest()).toMatchObject({ status_details: null, content: { media_id: expect.any(String) } });
  });

  test('become downloadable documents when their content does not match their type', async () => {
    carrier.files.set('it', { content_type: 'image/png', bytes: Buffer.from('<script>alert(1)</script>') });
    await callback(person({ type: 'image', image: { id: 'it', mime_type: 'image/png' } }));
    await until('the message is stored', async () => typeof (await latest()).content?.media_id === 'string');
    const message = await latest();
    expect(message).toMatchObject({ type: 'document', content: { media_type: 'document', file_name: 'image.png' } });
    const { get_url } = (await api.get(`/v1/media/${message.content.media_id}`)).body.data;
    const { pathname, search } = new URL(get_url);
    const file = await fetch(world.url + pathname + search);
    expect([file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      expect.stringMatching(/^attachment/),
    ]);
    await file.body?.cancel();
  });

  test('make a scheduled message fail when they are deleted before it is sent', async () => {
    await callback(person(text('Hello')));
    const media = await makeMedia(world.kernel, company.account_id, {
      type: 'image',
      name: 'a.png',
      content_type: 'image/png',
    });
    const at = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    const { id } = await send({ type: 'image', media_id: media, schedule: at });
    await world.kernel.db.run(sql`update media set status = 'removed' where id = ${media}`);
    await world.kernel.db.run(sql`update dispatch set not_before = now() where message_id = ${id}`);
    await waitForStatus(id, 'failed');
    expect(await detail(id)).toMatchObject({
      charge: 'released',
      status_details: 'The file of this message was deleted',
    });
    expect(carrier.messages()).toEqual([]);
    await world.kernel.db.run(sql`update media set status = 'ready' where id = ${media}`);
  });
});

describe('a message that WhatsApp refuses', () => {
  const refusal = (code: number, message = 'No') => ({
    status: 400,
    body: { error: { code, message, error_data: { details: 'No' } } },
  });

  test('is rejected and not charged when its session has closed', async () => {
    await callback(person(text('Hello')));
    carrier.script.push(refusal(131_047, 'Re-engagement message'));
    const { id } = await send({ text: 'Hi' });
    await waitForStatus(id, 'rejected');
    expect(await detail(id)).toMatchObject({ charge: 'released', failure: 'rejected', carrier_code: '131047' });
    expect(await conversation()).toMatchObject({ session: { open: false } });
    const reply = await api.post('/v1/messages', { from: sender.sender_id, to: ANNA, channel: 'WHATSAPP', text: 'Hi' });
    expect(reply.body.errors[0].code).toBe(1547);
    await callback(person(text('Hello again')));
    expect(await conversation()).toMatchObject({ session: { open: true } });
    await expectSound();
  });

  test('fails and is not charged when WhatsApp initially accepted it, unless it is delivered after all', async () => {
    await callback(person(text('Hello')));
    const { id } = await send({ text: 'Hi' });
    await waitForStatus(id, 'sent');
    const external_id = await externalId(id);
    await status(external_id, 'failed', { errors: [{ code: 131_026, title: 'Message undeliverable' }] });
    expect(await detail(id)).toMatchObject({ charge: 'released', carrier_code: '131026' });
    expect(['failed', 'rejected']).toContain((await detail(id)).status);
    await status(external_id, 'delivered');
    expect(await detail(id)).toMatchObject({ status: 'delivered', charge: 'settled' });
    const other = await send({ text: 'Still there?' });
    await waitForStatus(other.id, 'sent');
    await status(await externalId(other.id), 'failed', { errors: [{ code: 131_047, title: 'Re-engagement message' }] });
    expect(await conversation()).toMatchObject({ session: { open: false } });
    await expectSound();
  });

  test('is retried until it is accepted when WhatsApp is busy', async () => {
    await callback(person(text('Hello')));
    carrier.script.push(refusal(131_056), refusal(131_016));
    const { id } = await send({ text: 'Hi' });
    await waitForStatus(id, 'sent');
    expect(carrier.messages().length).toBe(3);
  });
});

test('a message with a lost response is confirmed by a later report and sent only once', async () => {
  await callback(person(text('Hello')));
  carrier.script.push('cut');
  const { id } = await send({ text: 'Hi' });
  await until('the message was submitted', () => carrier.messages().length === 1);
  await until('the submission is ambiguous', async () => {
    const row = await world.kernel.db.maybeOne<{ open: boolean }>(
      sql`select stage = 'submitting' and worker_id is null as open from dispatch where message_id = ${id}`,
    );
    return row?.open === true;
  });
  const [body] = carrier.messages();
  expect(await status('wamid.lost', 'delivered', { biz_opaque_callback_data: body.biz_opaque_callback_data })).toBe(
    200,
  );
  await waitForStatus(id, 'delivered');
  expect(await detail(id)).toMatchObject({
    charge: 'settled',
    external_ids: ['wamid.lost'],
    possible_duplicate: false,
  });
  expect(carrier.messages()).toHaveLength(1);
  await expectSound();
});

test('a person who hides their number is addressed by their WhatsApp alias', async () => {
  await callback(person(text('Hello'), { user_id: ALIAS }));
  expect(await conversation()).toMatchObject({ number: ALIAS, alias: ALIAS, country: 'GB' });
  const { id } = await send({ to: ALIAS, text: 'Hi' });
  await waitForStatus(id, 'sent');
  expect(carrier.messages()[0]).toMatchObject({ recipient: ALIAS, text: { body: 'Hi' } });
  expect(carrier.messages()[0].to).toBeUndefined();
});

test('a template can be sent outside a session, and a pressed button arrives as a reply to it', async () => {
  const template = await makeTemplate(world.kernel, company.account_id, {
    channel: 'WHATSAPP',
    name: 'order_ready',
    sender_id: sender.sender_id,
    external_id: '4711',
    text: 'Hello {first_name}, your order is ready.',
  });
  const { id } = await send({ template, variables: ['Anna'] });
  await waitForStatus(id, 'sent');
  expect(carrier.messages()[0]).toMatchObject({
    type: 'template',
    template: { name: 'order_ready', components: [{ type: 'body', parameters: [{ type: 'text', text: 'Anna' }] }] },
  });
  await callback(
    person({ type: 'button', button: { text: 'Thanks', payload: 'thanks' }, context: { id: await externalId(id) } }),
  );
  expect(await latest()).toMatchObject({
    text: 'Thanks',
    content: { pressed: { text: 'Thanks', value: 'thanks' }, answers: id },
  });
  await send({ text: 'You are welcome' });
});

test('a person sees a read receipt when a user reads their messages', async () => {
  await callback(person(text('One')));
  await callback(person(text('Two')));
  const { id } = await conversation();
  const last_read_timestamp = new Date(Date.now() + 5_000).toISOString().slice(0, 19).replace('T', ' ');
  await api.put(`/v1/conversations/${id}`, { last_read_timestamp });
  const marks = () => carrier.requests.filter(({ body }) => body?.status === 'read').map(({ body }) => body.message_id);
  await until('WhatsApp gets the read receipt', () => marks().length > 0);
  expect(marks()).toEqual([`wamid.in.${lastId}`]);
});

test('STOP on WhatsApp takes effect and is confirmed in the same conversation', async () => {
  await callback(person(text('STOP')));
  await until('the opt-out is confirmed', () => carrier.messages().length === 1);
  expect(carrier.messages()[0].text.body).toContain('unsubscribed');
  const refusal = await api.post('/v1/messages', { from: sender.sender_id, to: ANNA, channel: 'WHATSAPP', text: 'Hi' });
  expect(refusal.body.errors[0].code).toBe(1530);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { CHAT_PRICES, type ChatSender, makeChatSender, makeMedia } from '../../test/chat.ts';
import { type HttpCarrier, sendViberCallback, startHttpCarrier } from '../../test/http_carrier.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { picture } from '../../test/media_files.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';

const ANNA = '447400000001';
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
  sender = await makeChatSender(world.kernel, company.account_id, 'VIBER', {
    settings: { base_url: carrier.url, timeout_ms: 5_000, in_a_row: 2 },
  });
  api = world.as(company.token);
  carrier.requests.length = 0;
  carrier.script.length = 0;
});

let lastToken = 0;
const callback = (fields: string) =>
  sendViberCallback(
    world,
    sender,
    `{"phone_number":"${ANNA}","service_id":${sender.address},"message_time":${Date.now()},${fields}}`,
  );
/** Sends a message as Anna. Viber ids have more digits than a JavaScript number can hold. */
const writes = (message: object) =>
  callback(
    `"message_token":60017958715864${String(++lastToken).padStart(5, '0')},"message":${JSON.stringify(message)}`,
  );
const send = async (fields: object) => {
  const reply = await api.post('/v1/messages', { from: sender.sender_id, to: ANNA, channel: 'VIBER', ...fields });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data[0].id as string;
};
const detail = async (id: string) => (await api.get(`/v1/messages/${id}`)).body.data;
const waitForStatus = (id: string, status: string) =>
  until(`the message is ${status}`, async () => (await detail(id)).status === status);
const report = async (id: string, status: number) =>
  callback(`"message_token":${(await detail(id)).external_ids[0]},"message_status":${status}`);
const conversation = async () => (await api.get('/v1/conversations')).body.data[0];
const latest = async () => (await api.get(`/v1/conversations/${(await conversation()).id}/messages`)).body.data[0];
const expectSound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

test('a promotional message can be sent to anyone and is charged on delivery', async () => {
  const id = await send({ text: 'Spring sale' });
  await waitForStatus(id, 'sent');
  expect(carrier.messages()[0]).toMatchObject({
    service_id: Number(sender.address),
    dest: ANNA,
    type: 225,
    label: 'promotion',
    message: { '#txt': 'Spring sale' },
  });
  expect(await detail(id)).toMatchObject({
    charge: 'held',
    external_ids: [expect.stringMatching(/^50017958715864001\d+$/)],
  });
  expect(await report(id, 1)).toBe(200);
  expect(await report(id, 0)).toBe(200);
  expect(await report(id, 1)).toBe(200);
  expect(await detail(id)).toMatchObject({
    status: 'read',
    charge: 'settled',
    price_micros: CHAT_PRICES.VIBER.promotional,
  });
  await expectSound();
});

test('an undelivered message is not charged', async () => {
  const id = await send({ text: 'Spring sale' });
  await waitForStatus(id, 'sent');
  await report(id, 2);
  expect(await detail(id)).toMatchObject({ status: 'expired', charge: 'released' });
  await expectSound();
});

test('replies are session messages up to Viber’s limit and promotional messages after it', async () => {
  expect(await writes({ type: 'text', text: 'Are you open?' })).toBe(200);
  expect(await conversation()).toMatchObject({ session: { open: true }, number: ANNA, unread_count: 1 });
  for (const text of ['Yes', 'Until six', 'By the way']) await waitForStatus(await send({ text }), 'sent');
  expect(carrier.messages().map(({ type, label }) => [type, label])).toEqual([
    [306, 'transaction'],
    [306, 'transaction'],
    [225, 'promotion'],
  ]);
  expect(await conversation()).toMatchObject({ session: { open: false, limit_reached: true } });
  await writes({ type: 'text', text: 'Thanks' });
  expect(await conversation()).toMatchObject({ session: { open: true, limit_reached: false } });
});

test('a picture with text and a button links to a public file', async () => {
  const media_id = await makeMedia(world.kernel, company.account_id, {
    type: 'image',
    name: 'Cat.png',
    content_type: 'image/png',
    bytes: 'a cat',
  });
  const button = { text: 'Shop', value: 'https://example.com/s' };
  await waitForStatus(await send({ type: 'image', media_id, text: 'Look', button }), 'sent');
  const [{ type, message }] = carrier.messages();
  expect([type, message['#txt'], message['#caption'], message['#action']]).toEqual([
    208,
    'Look',
    'Shop',
    'https://example.com/s',
  ]);
  expect(new URL(message['#img']).pathname).toMatch(/Cat\.png$/);
  const { pathname, search } = new URL(message['#img']);
  const fetched = await fetch(world.url + pathname + search);
  expect([fetched.status, await fetched.text()]).toEqual([200, 'a cat']);
});

test('a picture from a person is fetched from Viber’s storage but never from a private address', async () => {
  carrier.files.set('cat.png', { content_type: 'image/png', bytes: await picture('png') });
  await writes({ type: 'picture', media: `${carrier.url}/files/cat.png`, text: 'Mine' });
  await until('the file is stored', async () => (await latest()).content.media_id !== null);
  expect(await latest()).toMatchObject({
    text: 'Mine',
    type: 'image',
    content: { file_name: 'cat.png', content_type: 'image/png' },
  });
  await writes({ type: 'picture', media: 'http://169.254.169.254/latest/secrets.png' });
  await until('the file has failed', async () => (await latest()).status_details !== null);
  expect(await latest()).toMatchObject({ status: 'received', content: { media_id: null } });
});

test('a session closes in Parley when Viber closes it, and later messages are promotional', async () => {
  await writes({ type: 'text', text: 'Hello' });
  carrier.script.push({ body: '{"status":21,"seq":1}' });
  await waitForStatus(await send({ text: 'Hi' }), 'rejected');
  expect(await conversation()).toMatchObject({ session: { open: false } });
  await waitForStatus(await send({ text: 'Hi' }), 'sent');
  expect(carrier.messages().map(({ type }) => type)).toEqual([306, 225]);
  await expectSound();
});

test.each<[string, number, string]>([
  ['the session limit is reached at Viber', 21, 'rejected'],
  ['the person is not on Viber', 9, 'rejected'],
  ['the person has blocked the sender', 8, 'unsubscribed'],
])('a message is refused and not charged when %s', async (_, status, becoming) => {
  carrier.script.push({ body: `{"status":${status},"seq":1}` });
  const id = await send({ text: 'Hi' });
  await waitForStatus(id, becoming);
  expect(await detail(id)).toMatchObject({ charge: 'released', carrier_code: String(status) });
  await expectSound();
});

test('a message with a lost response is confirmed by an unambiguous report and sent only once', async () => {
  carrier.script.push('cut');
  const id = await send({ text: 'Hi' });
  await until('the message was submitted', () => carrier.messages().length === 1);
  await until('the submission is ambiguous', async () => {
    const row = await world.kernel.db.maybeOne<{ open: boolean }>(
      sql`select stage = 'submitting' and worker_id is null as open from dispatch where message_id = ${id}`,
    );
    return row?.open === true;
  });
  expect(await callback('"message_token":50017958715864009999,"message_status":0')).toBe(200);
  await waitForStatus(id, 'delivered');
  expect(await detail(id)).toMatchObject({ charge: 'settled', external_ids: ['50017958715864009999'] });
  expect(carrier.messages()).toHaveLength(1);
  await expectSound();
});

test('a person who blocks the sender stays on the stop list until they subscribe again', async () => {
  await writes({ type: 'text', text: 'Hello' });
  await callback('"event":"unsubscribed","message_token":6001795871590000167');
  const refusal = await api.post('/v1/messages', { from: sender.sender_id, to: ANNA, channel: 'VIBER', text: 'Hi' });
  expect(refusal.body.errors[0].code).toBe(1530);
  await callback('"event":"subscribed","message_token":6001795871590000169');
  await waitForStatus(await send({ text: 'Welcome back' }), 'sent');
});

test('messages wait and operators are alerted when Viber does not allow our IP address', async () => {
  const { kernel } = world;
  const operators = await makeCompany(kernel, { operator: true });
  carrier.script.push({ body: { status: 401 } });
  const id = await send({ text: 'Spring sale' });
  const connection = () =>
    kernel.db.one<{ id: string; name: string; paused: boolean; pause_reason: string; binds: number }>(sql`
      select c.id, c.name, c.paused_date is not null as paused, c.pause_reason,
             (select count(*) from binds b where b.connection_id = c.id)::int as binds
      from connections c where c.enabled and c.channel = 'VIBER'`);
  await until('the binds are closed', async () => {
    const { paused, binds } = await connection();
    return paused && binds === 0;
  });
  const { id: connection_id, name, pause_reason } = await connection();
  expect(pause_reason).toBe('Viber does not allow requests from our IP address');
  expect(await detail(id)).toMatchObject({ status: 'enroute', charge: 'held', failure: null });
  expect(
    await kernel.db.rows(sql`
      select payload from events where account_id = ${operators.account_id} and type = 'connection.changed'
        and payload->>'state' = 'paused'`),
  ).toEqual([{ payload: { id: connection_id, name, state: 'paused' } }]);
  await until('the operators get an email', async () => {
    const mails = await kernel.db.rows(sql`select 1 from mails where subject = ${`The connection ${name} is paused`}`);
    return mails.length > 0;
  });
  const resumed = await world.as(operators.token).put(`/v1/connections/${connection_id}`, { enabled: true });
  expect(resumed.body.data).toMatchObject({ paused_date: null, pause_reason: '', desired_binds: 1 });
  await waitForStatus(id, 'sent');
  await expectSound();
});

test('the connection is paused when Viber does not permit three messages in a row', async () => {
  for (let refusal = 0; refusal < 3; refusal++) carrier.script.push({ body: { status: 13 } });
  const id = await send({ text: 'Spring sale' });
  await until('the connection is paused', async () => {
    const { paused } = await world.kernel.db.one<{ paused: boolean }>(
      sql`select paused_date is not null as paused from connections where enabled and channel = 'VIBER'`,
    );
    return paused;
  });
  expect(carrier.messages()).toHaveLength(3);
  expect(await detail(id)).toMatchObject({ status: 'enroute', charge: 'held' });
});

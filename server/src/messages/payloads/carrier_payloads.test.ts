/** Recorded requests and responses of carriers, for messages sent or received over SMPP and HTTP during a recording. */
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import type { CarrierPayload } from '@parley/contract/messages/carrier_payloads.ts';
import { MAX_RECORDED_MESSAGES } from '@parley/contract/messages/carrier_payloads.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Callback, Incoming } from '../../channels/channel.ts';
import { sql } from '../../kernel/db/db.ts';
import { openCarrier } from '../../test/carrier.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { connectProvider, listProviders, SENDER } from '../../test/peers/sandbox_providers.ts';
import { makeTemplate } from '../../test/templates.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';
import { maskArrived } from './masking.ts';
import { prunePayloads } from './recordings.ts';
import { showIncoming } from './shown_callbacks.ts';

let world: World;
let company: Company;
let owner: Caller;
let sender_id: string;
const PATH = '/v1/carrier_recording';

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  await openCarrier(world).set({ receipt_delay_ms: 50, receipt_jitter_ms: 20 });
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp, countries: ['GB'], settings: {}, grace_seconds: 1 });
  for (const provider of await listProviders(world.sandbox!))
    await connectProvider(world, provider, { origin: world.sandbox!.url, prefix: PREFIXES[provider.name] ?? '447999' });
  company = await makeCompany(world.kernel);
  ({ sender_id } = await makeSender(world.kernel, company.account_id, { code: SENDER }));
  owner = world.as(company.token);
});
afterAll(() => world?.stop());
const PREFIXES: Readonly<Record<string, string>> = {
  twilio: '447420',
  telnyx: '447421',
  infobip: '447422',
  vonage: '447423',
};

/** Waits until the worker knows of the recording. */
async function record(): Promise<void> {
  expect((await owner.put(PATH, {})).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
}
async function stopRecording(): Promise<void> {
  expect((await owner.raw(PATH, { method: 'DELETE' })).status).toBe(204);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
}
async function send(to: string, text: string): Promise<string> {
  const { body, text: raw } = await owner.post('/v1/messages', { from: SENDER, to, channel: 'SMS', text });
  expect(body.data, raw).toHaveLength(1);
  return body.data[0].id;
}
const read = async (id: string): Promise<CarrierPayload[]> =>
  (await owner.get(`/v1/messages/${id}/carrier_payloads`)).body.data;
async function readAll(id: string, count: number): Promise<CarrierPayload[]> {
  let found: CarrierPayload[] = [];
  await until(`${count} payloads`, async () => {
    found = await read(id);
    return found.length >= count;
  }).catch((error) => {
    throw new Error(`${error.message}: ${JSON.stringify(found)}`);
  });
  return found;
}
const becomesDelivered = (id: string) =>
  until('it is delivered', async () => (await owner.get(`/v1/messages/${id}`)).body.data.status === 'delivered');
const findField = (payload: CarrierPayload | undefined, name: string) =>
  payload?.fields.find((field) => field.name === name)?.value;

test('a message over SMPP shows its PDUs, the response, and the receipt in order', async () => {
  const before = await send('447411100001', 'Sent before the recording');
  await becomesDelivered(before);
  await record();
  const id = await send('447411100002', 'Your order 48213 is ready');
  const payloads = await readAll(id, 3);
  expect(payloads.map(({ direction, title }) => `${direction} ${title}`)).toEqual([
    'sent submit_sm',
    'received submit_sm_resp',
    'received deliver_sm',
  ]);
  const [submit, response, receipt] = payloads;
  expect(findField(submit, 'destination_addr')).toBe('447411100002');
  expect(findField(submit, 'short_message')).toBe('Your order ***** is ready');
  expect(findField(response, 'command_status')).toBe('ESME_ROK (0)');
  expect(findField(receipt, 'short_message')).toContain(`id:${findField(response, 'message_id')}`);
  expect(findField(receipt, 'short_message')).toContain('stat:DELIVRD');
  expect(JSON.stringify(payloads)).not.toMatch(/48213|Your order i/);
  expect(await read(before)).toEqual([]);
  await until('the recording counts the message', async () => (await owner.get(PATH)).body.data.messages_count === 1);
});

test('every part of a long message is shown with its text', async () => {
  await record();
  const text = `${'a'.repeat(153)}${'b'.repeat(60)}`;
  const payloads = await readAll(await send('447411100003', text), 6);
  const parts = payloads.filter(({ title }) => title === 'submit_sm').map((part) => findField(part, 'short_message'));
  expect(parts).toEqual(['a'.repeat(153), 'b'.repeat(60)]);
});

test.each(Object.entries(PREFIXES))(
  'a message over %s shows the request, response, and callback',
  async (name, prefix) => {
    await record();
    const payloads = await readAll(await send(`${prefix}100001`, 'Gate code 7711, thank you'), 3);
    const [request, response, callback] = payloads;
    expect(request).toMatchObject({ direction: 'sent', connection_name: name });
    expect(request!.title).toMatch(/^POST http/);
    expect(decodeURIComponent(request!.body)).toMatch(/Gate[ +]code[ +]\*\*\*\*/);
    expect(response!.title).toMatch(/^HTTP 20/);
    expect(callback!.direction).toBe('received');
    const { settings } = (await listProviders(world.sandbox!)).find((provider) => provider.name === name)!;
    const secrets = ADAPTERS[name as AdapterName].secrets.options.flatMap((option) => settings[option] ?? []);
    expect(secrets).not.toEqual([]);
    for (const secret of secrets) expect(JSON.stringify(payloads)).not.toContain(secret);
    expect(JSON.stringify(payloads)).not.toMatch(/7711|"(price|cost)\\?":\s*\\?"?-?\d/);
    expect(findField(request, 'authorization') ?? '••••').toContain('••••');
  },
);

test('the price of the carrier is stored in the timeline, but users do not see it', async () => {
  const id = await send(`${PREFIXES.vonage}100009`, 'Your table is ready');
  await becomesDelivered(id);
  const { stored } = await world.kernel.db.one<{ stored: string }>(sql`
    select timeline::text as stored from messages where id = ${id}`);
  expect(stored).toContain('"price"');
  const { timeline } = (await owner.get(`/v1/messages/${id}`)).body.data;
  expect(timeline.at(-1)).toMatchObject({ status: 'delivered', source: 'carrier', detail: { id: expect.anything() } });
  expect(JSON.stringify(timeline)).not.toContain('"price"');
});

test('a verification code is in no payload', async () => {
  await makeTemplate(world.kernel, company.account_id, { text: 'Your code is 9{code}' });
  await record();
  const template = (await owner.get('/v1/templates')).body.data[0].id;
  const phone = '447411100004';
  const sent = await owner.post('/v1/verifications', {
    ...{ channel: 'SMS', sender: sender_id, template, phone, code: '271828' },
  });
  expect(sent.status, sent.text).toBe(201);
  const payloads = await readAll(sent.body.data.message_id, 3);
  expect(findField(payloads[0], 'short_message')).toBe('Your code is *******');
  expect(JSON.stringify(payloads)).not.toContain('271828');
});

const arrives = async (from: string): Promise<string> => {
  let id = '';
  await until('the message is stored', async () => {
    id = (await owner.get(`/v1/messages?filter[direction]=MO&filter[from]=${from}`)).body.data[0]?.id ?? '';
    return id !== '';
  });
  return id;
};

test('an inbound message over SMPP shows its PDUs, one for each part', async () => {
  await stopRecording();
  await openCarrier(world).write('447411200001', SENDER, 'Before the recording');
  const before = await arrives('447411200001');
  await record();
  await openCarrier(world).write('447411200002', SENDER, 'Is order 48213 ready?');
  await openCarrier(world).write('447411200003', SENDER, `${'a'.repeat(153)}${'b'.repeat(60)}`);
  const [short] = await readAll(await arrives('447411200002'), 1);
  expect(short).toMatchObject({ direction: 'received', title: 'deliver_sm' });
  expect(findField(short, 'source_addr')).toBe('447411200002');
  expect(findField(short, 'short_message')).toBe('Is order ***** ready?');
  const parts = await readAll(await arrives('447411200003'), 2);
  expect(parts.map((part) => findField(part, 'short_message'))).toEqual(['a'.repeat(153), 'b'.repeat(60)]);
  expect(await read(before)).toEqual([]);
  await until('the recording counts them', async () => (await owner.get(PATH)).body.data.messages_count === 2);
});

test.each(Object.entries(PREFIXES))('an inbound message over %s shows its callback', async (name, prefix) => {
  // The reply takes the way of the message.
  await becomesDelivered(await send(`${prefix}200001`, 'Which order?'));
  await record();
  await openCarrier(world).write(`${prefix}200001`, SENDER, 'Code 7711 please');
  const payloads = await readAll(await arrives(`${prefix}200001`), 1);
  expect(payloads).toHaveLength(1);
  expect(payloads[0]).toMatchObject({ direction: 'received', connection_name: name });
  expect(payloads[0]!.title).toMatch(/^(GET|POST) callback$/);
  expect(payloads[0]!.body).toContain('please');
  expect(payloads[0]!.body).not.toContain('7711');
  const { settings } = (await listProviders(world.sandbox!)).find((provider) => provider.name === name)!;
  for (const option of ADAPTERS[name as AdapterName].secrets.options)
    if (settings[option]) expect(JSON.stringify(payloads)).not.toContain(settings[option]);
});

test('an inbound message of an account without a recording is not recorded while another account records', async () => {
  await record();
  const other = await makeCompany(world.kernel);
  await makeSender(world.kernel, other.account_id, { code: '447700123456' });
  const stranger = world.as(other.token);
  await openCarrier(world).write('447411200009', '447700123456', 'Hello');
  let id = '';
  await until('the message is stored', async () => {
    id = (await stranger.get('/v1/messages?filter[direction]=MO')).body.data[0]?.id ?? '';
    return id !== '';
  });
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect((await stranger.get(`/v1/messages/${id}/carrier_payloads`)).body.data).toEqual([]);
});

test('a callback with several messages shows only the values of one', () => {
  const incoming = { from: '447411200010', to: SENDER, text: 'Code 7711 please' } as Incoming;
  const callback: Callback = { status: 200, body: '', reports: [], incoming: [incoming, incoming], notices: [] };
  const request = { method: 'POST', url: '', query: {}, headers: {}, body: Buffer.from('{"secret":"other"}') } as const;
  const shown = maskArrived(showIncoming({} as never, request, callback, incoming), incoming.text);
  expect(shown).toMatchObject({ title: 'Message in a callback', body: '' });
  expect(shown.fields).toEqual([
    { name: 'from', value: '447411200010' },
    { name: 'to', value: SENDER },
    { name: 'text', value: 'Code **** please' },
  ]);
});

test('a stopped recording, another account, and a user without the permission record nothing', async () => {
  await record();
  await stopRecording();
  const id = await send('447411100005', 'Not recorded');
  await becomesDelivered(id);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(await read(id)).toEqual([]);
  const viewer = world.as((await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } })).token);
  expect((await viewer.put(PATH, {})).status).toBe(403);
  expect((await viewer.get(PATH)).body.data).toMatchObject({ is_on: false, messages_count: 0 });
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await stranger.get(`/v1/messages/${id}/carrier_payloads`)).body.errors[0].code).toBe(1501);
});

test('a recording ends after its messages, and old payloads are deleted', async () => {
  await record();
  const id = await send('447411100006', 'Recorded');
  await readAll(id, 3);
  const { account_id } = company;
  await world.kernel.db.run(sql`
    update carrier_recordings set messages_count = ${MAX_RECORDED_MESSAGES} where account_id = ${account_id}`);
  expect((await owner.get(PATH)).body.data).toMatchObject({ is_on: false, messages_count: MAX_RECORDED_MESSAGES });
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const next = await send('447411100007', 'Too late');
  await until(
    'it is delivered',
    async () => (await owner.get(`/v1/messages/${next}`)).body.data.status === 'delivered',
  );
  expect(await read(next)).toEqual([]);
  await world.kernel.db.run(sql`
    update carrier_payloads set create_date = now() - interval '8 days' where account_id = ${account_id}`);
  expect(await prunePayloads(world.kernel.db, 7, 100)).toBeGreaterThanOrEqual(3);
  expect(await read(id)).toEqual([]);
});

/** What each provider receives, over a real socket, and what its responses mean. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome, Outgoing } from '../channel.ts';
import { getAdapter } from '../index.ts';

let server: Server;
let origin = '';
let response: { status: number; body: unknown } = { status: 200, body: '' };
let request: { url: string; headers: IncomingHttpHeaders; body: string } | null = null;

beforeAll(async () => {
  server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    request = { url: incoming.url!, headers: incoming.headers, body: Buffer.concat(pieces).toString('utf8') };
    const body = typeof response.body === 'string' ? response.body : JSON.stringify(response.body);
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const CALLBACK = 'https://parley.example/callbacks/c1';
const SETTINGS: Record<string, Record<string, string>> = {
  twilio: { account_sid: 'AC1', auth_token: 'token' },
  vonage: { api_key: 'key', api_secret: 'secret' },
  telnyx: { api_key: 'KEY1' },
  plivo: { auth_id: 'MA1', auth_token: 'token' },
  android: { username: 'user', password: 'pass', sim: '2' },
  infobip: { api_key: 'app', callback_secret: 'a-long-callback-secret' },
  sinch: { service_plan_id: 'plan1', api_token: 'token', callback_secret: 'a-long-callback-secret' },
  generic: { authorization: 'Bearer abc', callback_secret: 'a-long-callback-secret', id_path: 'messages.0.id' },
};

async function send(adapter: string, changes: Partial<Outgoing> = {}, settings: object = {}): Promise<Outcome> {
  const spec = { id: 'c1', settings: { base_url: origin, ...SETTINGS[adapter], ...settings }, callback_url: CALLBACK };
  const bind = getAdapter(adapter).open(spec, { report: async () => {}, incoming: async () => {}, changed() {} });
  const message: Outgoing = {
    ...{ from: '447400999999', to: '447700900123', text: 'Your table is ready', content: null },
    ...{ reference: 4711, key: 'k4711', valid_seconds: 3_600, sent_parts: [] },
    ...changes,
  };
  const outcome = await bind.send(message);
  await bind.close(0);
  return outcome;
}
const respondWith = (status: number, body: unknown) => {
  response = { status, body };
};

test('Twilio receives a form with a callback URL, and its response names the segments', async () => {
  respondWith(201, { sid: 'SM1', status: 'queued', num_segments: '2', error_code: null });
  const outcome = await send('twilio');
  expect(request!.url).toBe('/2010-04-01/Accounts/AC1/Messages.json');
  expect(request!.headers.authorization).toBe(`Basic ${Buffer.from('AC1:token').toString('base64')}`);
  expect(Object.fromEntries(new URLSearchParams(request!.body))).toEqual({
    To: '+447700900123',
    From: '+447400999999',
    Body: 'Your table is ready',
    StatusCallback: `${CALLBACK}?reference=4711`,
    ValidityPeriod: '3600',
  });
  expect(outcome).toMatchObject({ parts: 1, segments: 2, accepted: [{ part: 1, external_id: 'SM1' }], failure: null });
  await send('twilio', { from: 'Harbour', valid_seconds: 172_800 }, { messaging_service_sid: 'MG1' });
  const form = new URLSearchParams(request!.body);
  expect([form.get('From'), form.get('MessagingServiceSid'), form.get('ValidityPeriod')]).toEqual([
    null,
    'MG1',
    '36000',
  ]);
});

test('Vonage receives JSON with our reference, and reports every part of a long text', async () => {
  respondWith(200, {
    'message-count': '2',
    messages: [
      { to: '447700900123', 'message-id': '0A01', status: '0' },
      { to: '447700900123', 'message-id': '0A02', status: '0' },
    ],
  });
  const outcome = await send('vonage', { from: 'Harbour', text: 'Привет' });
  expect(request!.url).toBe('/sms/json');
  expect(JSON.parse(request!.body)).toEqual({
    ...{ api_key: 'key', api_secret: 'secret', from: 'Harbour', to: '447700900123', text: 'Привет' },
    ...{ type: 'unicode', ttl: 3_600_000, 'client-ref': '4711', callback: CALLBACK },
  });
  expect(outcome.parts).toBe(2);
  expect(outcome.accepted.map(({ external_id }) => external_id)).toEqual(['0A01', '0A02']);
});

test('Telnyx receives JSON with a bearer key and a callback URL', async () => {
  respondWith(200, { data: { id: '40319', parts: 1, to: [{ status: 'queued' }] } });
  const outcome = await send('telnyx', { from: '12025550100' });
  expect(request!.url).toBe('/messages');
  expect(request!.headers.authorization).toBe('Bearer KEY1');
  expect(JSON.parse(request!.body)).toMatchObject({
    ...{ from: '+12025550100', to: '+447700900123', text: 'Your table is ready' },
    webhook_url: `${CALLBACK}?reference=4711`,
  });
  expect(outcome.accepted).toEqual([{ part: 1, external_id: '40319' }]);
});

test('Infobip and Sinch receive a callback URL with the secret of the connection', async () => {
  respondWith(200, { messages: [{ messageId: 'm1', status: { groupName: 'PENDING', name: 'PENDING_ACCEPTED' } }] });
  expect((await send('infobip')).accepted).toEqual([{ part: 1, external_id: 'm1' }]);
  expect([request!.url, request!.headers.authorization]).toEqual(['/sms/3/messages', 'App app']);
  const [message] = JSON.parse(request!.body).messages;
  expect(message).toMatchObject({
    ...{ sender: '447400999999', destinations: [{ to: '447700900123' }], content: { text: 'Your table is ready' } },
    options: { validityPeriod: { amount: 60, timeUnit: 'MINUTES' } },
  });
  expect(message.webhooks.delivery.url).toBe(`${CALLBACK}?reference=4711&key=a-long-callback-secret`);
  respondWith(201, { id: 'batch1', to: ['447700900123'] });
  expect((await send('sinch')).accepted).toEqual([{ part: 1, external_id: 'batch1' }]);
  expect(request!.url).toBe('/xms/v1/plan1/batches');
  expect(JSON.parse(request!.body)).toMatchObject({
    ...{ to: ['447700900123'], body: 'Your table is ready', client_reference: '4711' },
    callback_url: `${CALLBACK}?reference=4711&key=a-long-callback-secret`,
  });
});

// https://www.plivo.com/docs/messaging/api/message/send-a-message
test('Plivo receives JSON with a callback URL and an expiry', async () => {
  respondWith(202, {
    message: 'message(s) queued',
    message_uuid: ['db3ce55a-7f1d-11e1-8ea7-1231380bc196'],
    api_id: 'db342550-7f1d-11e1-8ea7-1231380bc196',
  });
  const outcome = await send('plivo', { valid_seconds: 172_800 });
  expect(request!.url).toBe('/v1/Account/MA1/Message/');
  expect(request!.headers.authorization).toBe(`Basic ${Buffer.from('MA1:token').toString('base64')}`);
  expect(JSON.parse(request!.body)).toEqual({
    ...{ src: '447400999999', dst: '447700900123', text: 'Your table is ready', type: 'sms', method: 'POST' },
    ...{ url: `${CALLBACK}?reference=4711`, message_expiry: 10_800 },
  });
  expect(outcome.accepted).toEqual([{ part: 1, external_id: 'db3ce55a-7f1d-11e1-8ea7-1231380bc196' }]);
});

// https://docs.sms-gate.app/features/sending-messages/
test('an Android phone receives the SIM card and an ID of our choice, and accepts the same ID once', async () => {
  respondWith(202, { id: 'k4711', state: 'Pending', recipients: [{ phoneNumber: '+447700900123', state: 'Pending' }] });
  const outcome = await send('android');
  expect(request!.url).toBe('/messages');
  expect(JSON.parse(request!.body)).toEqual({
    ...{ id: 'k4711', textMessage: { text: 'Your table is ready' }, phoneNumbers: ['+447700900123'] },
    ...{ ttl: 3_600, simNumber: 2, withDeliveryReport: true },
  });
  expect(outcome.accepted).toEqual([{ part: 1, external_id: 'k4711' }]);
  respondWith(409, { message: 'duplicate id' });
  expect((await send('android')).accepted).toEqual([{ part: 1, external_id: 'k4711' }]);
});

test('another provider receives the filled body, with every value encoded for its format', async () => {
  respondWith(200, { messages: [{ id: 17 }] });
  const text = 'He said "hi"\n{to} & more';
  expect((await send('generic', { text })).accepted).toEqual([{ part: 1, external_id: '17' }]);
  expect(request!.headers.authorization).toBe('Bearer abc');
  expect(JSON.parse(request!.body)).toMatchObject({ to: '447700900123', text });
  const body = 'msisdn={to}&message={text}&ref={reference}&ttl={validity_seconds}';
  await send('generic', { text }, { format: 'form', body });
  expect(request!.headers['content-type']).toBe('application/x-www-form-urlencoded');
  const form = Object.fromEntries(new URLSearchParams(request!.body));
  expect(form).toEqual({ msisdn: '447700900123', message: text, ref: '4711', ttl: '3600' });
});

test.each<[adapter: string, status: number, body: unknown, kind: string, code: string]>([
  ['twilio', 400, { code: 21211, message: 'Invalid To' }, 'rejected', '21211'],
  ['twilio', 400, { code: 21610, message: 'Unsubscribed' }, 'opted_out', '21610'],
  ['twilio', 400, { code: 21606, message: 'Not a valid From' }, 'config', '21606'],
  ['twilio', 400, { code: 29999, message: 'New' }, 'rejected', '29999'],
  ['twilio', 401, { code: 20003, message: 'Authenticate' }, 'connection', '20003'],
  ['twilio', 429, { code: 20429, message: 'Too many' }, 'throttled', '20429'],
  ['twilio', 500, 'oops', 'unknown', 'HTTP 500'],
  ['twilio', 503, '', 'connection', 'HTTP 503'],
  ['twilio', 201, { status: 'queued' }, 'unknown', 'HTTP 201'],
  ['vonage', 200, { messages: [{ status: '1', 'error-text': 'Throttled' }] }, 'throttled', '1'],
  ['vonage', 200, { messages: [{ status: '4' }] }, 'connection', '4'],
  ['vonage', 200, { messages: [{ status: '9' }] }, 'connection', '9'],
  ['vonage', 200, { messages: [{ status: '15' }] }, 'config', '15'],
  ['vonage', 200, {}, 'unknown', 'HTTP 200'],
  ['telnyx', 400, { errors: [{ code: '40310', title: 'Invalid to' }] }, 'rejected', '40310'],
  ['telnyx', 400, { errors: [{ code: '40300' }] }, 'opted_out', '40300'],
  ['telnyx', 401, { errors: [{ code: '10009' }] }, 'connection', '10009'],
  ['plivo', 400, { error: 'dst parameter is invalid' }, 'rejected', '400'],
  ['plivo', 401, 'Could not verify your access level for that URL.', 'connection', '401'],
  ['plivo', 202, { message_uuid: [], invalid_number: ['447700900123'] }, 'rejected', 'INVALID_NUMBER'],
  ['plivo', 429, '', 'throttled', '429'],
  ['plivo', 500, '', 'unknown', 'HTTP 500'],
  ['android', 400, { message: 'failed to validate: invalid phone number 447700900123' }, 'rejected', '400'],
  ['android', 401, { message: 'Unauthorized' }, 'connection', '401'],
  ['android', 502, '', 'unknown', 'HTTP 502'],
  ['infobip', 401, { requestError: {} }, 'connection', 'UNAUTHORIZED'],
  [
    'infobip',
    200,
    { messages: [{ status: { groupName: 'REJECTED', name: 'REJECTED_NOT_ENOUGH_CREDITS' } }] },
    'connection',
    'REJECTED_NOT_ENOUGH_CREDITS',
  ],
  ['sinch', 400, { code: 'syntax_invalid_parameter_format', text: '' }, 'rejected', 'syntax_invalid_parameter_format'],
  ['sinch', 429, '', 'throttled', 'too_many_requests'],
  ['generic', 422, { error: 'Unknown number 447700900123' }, 'rejected', '422'],
  ['generic', 200, { messages: [] }, 'unknown', ''],
  ['generic', 401, { error: 'no' }, 'connection', 'HTTP 401'],
])('%s: HTTP %i with %j is %s', async (adapter, status, body, kind, code) => {
  respondWith(status, body);
  const outcome = await send(adapter);
  expect(outcome.accepted).toEqual([]);
  expect(outcome.failure).toMatchObject({ kind, code });
  expect(outcome.failure!.text).not.toMatch(/447700900123|token|secret/i);
});

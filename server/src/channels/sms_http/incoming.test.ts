/** Callbacks of individual providers. `providers.test.ts` tests the behavior that all providers share. */
import { describe, expect, test } from 'vitest';
import type { Callback, CallbackRequest } from '../channel.ts';
import { getAdapter } from '../index.ts';
import { CALLBACK, type Fields, hmac, type Post, SECRET, type Signing } from './test/table.ts';
import { TABLES } from './test/tables.ts';

const URL_ = `${CALLBACK}?reference=4711`;

/** Reads a signed callback. `changes` are made after signing. */
function read(
  name: string,
  fields: Fields,
  { url = URL_, ...changes }: Partial<CallbackRequest> = {},
  signing: Partial<Signing> = {},
  settings: object = {},
): Callback {
  const { post, settings: own } = TABLES[name]!;
  const time_s = Math.floor(Date.now() / 1_000);
  const { query, headers, body }: Post = post(fields, { url: URL_, secret: SECRET, time_s, ...signing });
  return getAdapter(name).callbacks!.read(
    { id: 'c1', settings: { ...own, ...settings } },
    {
      ...{ method: 'POST', url, query: { reference: '4711', ...query }, headers, body: Buffer.from(body) },
      ...changes,
    },
  );
}

// https://www.twilio.com/docs/usage/security
test('Twilio: a callback is refused when its account, URL, or body does not match', () => {
  const receipt = { MessageSid: 'SM1', MessageStatus: 'delivered' };
  expect(read('twilio', receipt).status).toBe(200);
  expect(read('twilio', { ...receipt, AccountSid: 'ACother' }).status).toBe(403);
  expect(read('twilio', receipt, { url: `${URL_}1` }).status).toBe(403);
  expect(read('twilio', receipt, { body: Buffer.from('MessageSid=SM9&MessageStatus=delivered') }).status).toBe(403);
});

// https://developer.vonage.com/en/getting-started/concepts/signing-messages
test('Vonage: a callback can be in the query, and is refused as invalid JSON', () => {
  const { post } = TABLES.vonage!;
  const fields = { messageId: '0A01', status: 'delivered', msisdn: '447700900123', 'err-code': '0' };
  const { body } = post(fields, { url: '', secret: SECRET, time_s: Math.floor(Date.now() / 1_000) });
  const call = read('vonage', {}, { method: 'GET', query: JSON.parse(body), body: Buffer.alloc(0) });
  expect(call.reports[0]).toMatchObject({ external_id: '0A01', status: 'delivered' });
  expect(read('vonage', {}, { body: Buffer.from('{') }).status).toBe(400);
});

// https://www.plivo.com/docs/messaging/concepts/signature-validation
test('Plivo: one of several signatures must match the URL, the fields, and the nonce', () => {
  const receipt = { MessageUUID: 'db3ce55a', Status: 'delivered' };
  const { headers } = TABLES.plivo!.post(receipt, { url: URL_, secret: SECRET, time_s: 0 });
  const signature = headers['x-plivo-signature-v3'];
  const both = { ...headers, 'x-plivo-signature-v3': `old,${signature}` };
  expect(read('plivo', receipt, { headers: both }).status).toBe(200);
  expect(read('plivo', receipt, { headers: { ...headers, 'x-plivo-signature-v3-nonce': '2' } }).status).toBe(403);
  expect(read('plivo', receipt, { url: `${URL_}1` }).status).toBe(403);
  expect(read('plivo', receipt, { body: Buffer.from('MessageUUID=x&Status=delivered') }).status).toBe(403);
  const plain = hmac('sha256', SECRET, `${CALLBACK}?From1To2.7`).digest('base64');
  const inbound = {
    ...{ url: CALLBACK, query: {}, body: Buffer.from('From=1&To=2') },
    headers: { 'x-plivo-signature-v3': plain, 'x-plivo-signature-v3-nonce': '7' },
  };
  expect(read('plivo', {}, inbound).status).toBe(200);
});

// https://docs.sms-gate.app/features/webhooks/ and https://docs.sms-gate.app/features/health/
describe('an Android phone', () => {
  const [received] = TABLES.android!.inbound[0]!;
  const event = (name: string, payload: object) => ({ ...received, event: name, payload });

  test('callbacks of the other SIM card and of another phone are ignored', () => {
    const sent = { messageId: 'k1', phoneNumber: '+447700900123' };
    expect(read('android', event('sms:delivered', { ...sent, simNumber: 1 })).reports).toHaveLength(1);
    expect(read('android', event('sms:delivered', { ...sent, simNumber: 2 }))).toMatchObject({
      ...{ status: 200, reports: [] },
    });
    expect(read('android', { ...received, deviceId: 'other' })).toMatchObject({ status: 200, incoming: [] });
  });

  test('the same text at another time is another message', () => {
    const payload = received.payload as object;
    const again = event('sms:received', { ...payload, receivedAt: '2024-06-22T15:47:11.000+07:00' });
    const [first, second] = [received, again].map((fields) => read('android', fields).incoming[0]!.digest);
    expect(second).not.toEqual(first);
    const newer = event('sms:received', { ...payload, sender: '+1999', recipient: '+44555' });
    expect(read('android', newer).incoming[0]).toMatchObject({ from: '1999', to: '44555' });
  });

  test('a ping reports the battery and the network', () => {
    const checks = {
      'messages:failed': { observedValue: 2 },
      'connection:status': { observedValue: 1 },
      'connection:cellular': { observedValue: 4 },
      'battery:level': { observedValue: 94 },
      'battery:charging': { observedValue: 5 },
    };
    const health = { checks, status: 'pass', version: '1.0.0' };
    expect(read('android', event('system:ping', { health })).notices).toEqual([
      {
        ...{ kind: 'device', battery_percent: 94, is_charging: true, is_online: true, network: '4G', failed_count: 2 },
      },
    ]);
    expect(read('android', event('system:ping', { health: 'x' }))).toMatchObject({ status: 200, notices: [] });
  });
});

// https://www.infobip.com/docs/api/channels/sms/outbound-sms/receive-outbound-sms-message-report-v3
test('Infobip: a list of receipts is read, and its reasons contain no numbers', () => {
  const delivered = { groupName: 'DELIVERED', name: 'DELIVERED_TO_HANDSET' };
  const error = { id: 1, permanent: true, description: 'Unknown subscriber 447700900123' };
  const { reports } = read('infobip', {
    results: [
      { messageId: 'm1', to: '447700900123', status: delivered, error: { id: 0 } },
      { messageId: 'm2', to: '447700900124', status: { groupName: 'UNDELIVERABLE', name: 'NO_ROUTE' }, error },
    ],
  });
  expect(reports.map(({ external_id, status, code }) => [external_id, status, code])).toEqual([
    ['m1', 'delivered', null],
    ['m2', 'failed', '1'],
  ]);
  expect(reports[1]!.failure!.text).toBe('Unknown subscriber …');
});

describe('another provider', () => {
  test('callbacks are read by the paths in the settings, and as forms', () => {
    const paths = { callback_id_path: 'data.id', callback_status_path: 'data.state', callback_to_path: 'data.to' };
    const receipt = { data: { id: 'x1', state: 'DELIVRD', to: '447700900123' } };
    expect(read('generic', receipt, {}, {}, paths).reports[0]).toMatchObject({
      external_id: 'x1',
      status: 'delivered',
    });
    const body = Buffer.from('id=x2&from=447700900123&to=447400999999&text=Hi');
    expect(read('generic', {}, { headers: {}, body }).incoming[0]).toMatchObject({ text: 'Hi', external_id: 'x2' });
  });

  // https://signalwire.com/docs/compatibility-api/rest/messages/webhooks/sms-status-callback
  test('a receipt that repeats the text of our message is not an inbound message', () => {
    const sent = { id: 'x1', from: '447400999999', to: '447700900123', text: 'Your table is ready', status: 'sent' };
    expect(read('generic', sent)).toMatchObject({ status: 200, reports: [], incoming: [] });
    expect(read('generic', sent, { query: { key: SECRET } }).incoming).toHaveLength(1);
  });

  test('a signature over the body is verified in hexadecimal and in Base64', () => {
    const settings = { signature_header: 'x-signature', signature_secret: SECRET };
    const body = JSON.stringify({ id: 'x1', status: 'delivered' });
    const signed = (signature: string) =>
      read('generic', {}, { query: {}, headers: { 'x-signature': signature }, body: Buffer.from(body) }, {}, settings);
    expect(signed(`sha256=${hmac('sha256', SECRET, body).digest('hex')}`).status).toBe(200);
    expect(signed(hmac('sha256', SECRET, body).digest('base64')).status).toBe(200);
    expect(signed(hmac('sha256', `${SECRET}x`, body).digest('hex')).status).toBe(403);
    expect(signed('').status).toBe(403);
  });
});

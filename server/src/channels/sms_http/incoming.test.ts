/** Callbacks of each provider: what they mean, and that a forged or repeated recording is refused. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Callback, CallbackRequest } from '../channel.ts';
import { getAdapter } from '../index.ts';

const URL_ = 'https://parley.example/callbacks/c1?reference=4711';
const SECRET = 'a-long-callback-secret';
const read = (adapter: string, settings: object, request: Partial<CallbackRequest>): Callback =>
  getAdapter(adapter).callbacks!.read(
    { id: 'c1', settings },
    {
      ...{ method: 'POST', url: URL_, query: { reference: '4711' }, headers: {}, body: Buffer.alloc(0) },
      ...request,
    },
  );

describe('Twilio', () => {
  const settings = { auth_token: 'token', account_sid: 'AC1' };
  const signed = (fields: Record<string, string>, changes: Partial<CallbackRequest> = {}) => {
    const text = Object.keys(fields)
      .sort()
      .map((name) => name + fields[name])
      .join('');
    const signature = createHmac('sha1', 'token')
      .update(URL_ + text)
      .digest('base64');
    return read('twilio', settings, {
      headers: { 'x-twilio-signature': signature },
      body: Buffer.from(new URLSearchParams(fields).toString()),
      ...changes,
    });
  };
  const receipt = { MessageSid: 'SM1', MessageStatus: 'delivered', To: '+447700900123', From: '+447400999999' };

  test('a receipt has the status, our reference, and plain numbers', () => {
    expect(signed(receipt).reports).toEqual([
      {
        ...{ external_id: 'SM1', status: 'delivered', state: 'delivered', code: null, reference: 4711 },
        ...{ number: '447700900123', sender: '447400999999', detail: { id: 'SM1', state: 'delivered' } },
      },
    ]);
    const [failed] = signed({ ...receipt, MessageStatus: 'undelivered', ErrorCode: '30003' }).reports;
    expect(failed).toMatchObject({ status: 'failed', code: '30003' });
    expect(signed({ ...receipt, MessageStatus: 'dreaming' })).toMatchObject({ status: 200, reports: [] });
  });

  test('an inbound message keeps its text and identity', () => {
    const fields = { MessageSid: 'SM2', SmsStatus: 'received', From: '+447700900123', To: '12345', Body: 'Yes 👍' };
    const [first] = signed(fields).incoming;
    expect(first).toMatchObject({ from: '447700900123', to: '12345', text: 'Yes 👍', external_id: 'SM2' });
    expect(signed(fields).incoming[0]!.digest).toEqual(first!.digest);
  });

  test('a callback is refused when its signature, URL, or body does not match', () => {
    expect(signed(receipt, { headers: {} }).status).toBe(403);
    expect(signed(receipt, { headers: { 'x-twilio-signature': 'AAAA' } }).status).toBe(403);
    expect(signed({ ...receipt, AccountSid: 'AC2' }).status).toBe(403);
    expect(signed(receipt, { url: `${URL_}1` }).status).toBe(403);
    expect(signed(receipt, { body: Buffer.from('MessageSid=SM9&MessageStatus=delivered') }).status).toBe(403);
    expect(read('twilio', { auth_token: '' }, { body: Buffer.from('MessageSid=SM9') }).status).toBe(403);
  });
});

describe('Vonage', () => {
  const now = String(Math.floor(Date.now() / 1_000));
  const signed = (fields: Record<string, string>, secret = 'sig-secret') => {
    const all: Record<string, string> = { timestamp: now, nonce: 'n1', ...fields };
    const text = Object.keys(all)
      .sort()
      .map((name) => `&${name}=${all[name]!.replace(/[&=]/g, '_')}`)
      .join('');
    const sig = createHmac('sha256', secret).update(text).digest('hex').toUpperCase();
    return read('vonage', { signature_secret: 'sig-secret' }, { method: 'GET', query: { ...all, sig } });
  };
  const receipt = {
    ...{ messageId: '0A01', status: 'delivered', 'err-code': '0', msisdn: '447700900123', to: 'Harbour' },
    ...{ 'client-ref': '4711', 'message-timestamp': '2026-01-02 03:04:05' },
  };

  test('a receipt has the status, our reference, and its time', () => {
    expect(signed(receipt).reports[0]).toMatchObject({
      ...{ external_id: '0A01', status: 'delivered', code: null, reference: 4711, number: '447700900123' },
      ...{ sender: 'Harbour', at: Date.UTC(2026, 0, 2, 3, 4, 5) },
    });
  });

  test('an inbound message with & and = in its text is read when its signature is valid', () => {
    const [message] = signed({ messageId: '0B', msisdn: '447700900123', to: '447400999999', text: 'a=1&b' }).incoming;
    expect(message).toMatchObject({ text: 'a=1&b', from: '447700900123', to: '447400999999', external_id: '0B' });
  });

  test('a callback is refused when its signature is wrong or days old', () => {
    expect(signed(receipt, 'other').status).toBe(403);
    expect(signed({ ...receipt, timestamp: String(Number(now) - 3 * 86_400) }).status).toBe(403);
    expect(read('vonage', { signature_secret: '' }, { method: 'GET', query: { ...receipt, sig: '' } }).status).toBe(
      403,
    );
    expect(read('vonage', {}, { headers: { 'content-type': 'application/json' }, body: Buffer.from('{') }).status).toBe(
      400,
    );
  });
});

describe('Telnyx', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64');
  const signed = (data: object, { age_s = 0, key = privateKey } = {}) => {
    const body = Buffer.from(JSON.stringify({ data }));
    const timestamp = String(Math.floor(Date.now() / 1_000) - age_s);
    const signature = sign(null, Buffer.concat([Buffer.from(`${timestamp}|`), body]), key).toString('base64');
    const headers = { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature };
    return read('telnyx', { public_key }, { headers, body });
  };
  const payload = { id: '403', from: { phone_number: '+12025550100' }, to: [{ phone_number: '+447700900123' }] };

  test('a receipt and an inbound message are read', () => {
    const to = [{ phone_number: '+447700900123', status: 'delivery_failed' }];
    const finalized = { ...payload, to, errors: [{ code: '40008' }], completed_at: '2026-01-02T03:04:05.000+00:00' };
    expect(signed({ event_type: 'message.finalized', payload: finalized }).reports[0]).toMatchObject({
      ...{ external_id: '403', status: 'failed', code: '40008', reference: 4711 },
      at: Date.UTC(2026, 0, 2, 3, 4, 5),
    });
    const [message] = signed({ event_type: 'message.received', payload: { ...payload, text: 'Hello' } }).incoming;
    expect(message).toMatchObject({ from: '12025550100', to: '447700900123', text: 'Hello' });
  });

  test('a callback is refused when it is old, signed with another key, or the connection has no key', () => {
    const data = { event_type: 'message.received', payload };
    expect(signed(data, { age_s: 600 }).status).toBe(403);
    expect(signed(data, { key: generateKeyPairSync('ed25519').privateKey }).status).toBe(403);
    expect(read('telnyx', { public_key: 'AAAA' }, { body: Buffer.from('{}') }).status).toBe(403);
  });
});

// https://www.plivo.com/docs/messaging/api/message/message-status-callbacks and
// https://www.plivo.com/docs/messaging/concepts/signature-validation
describe('Plivo', () => {
  const sign = (text: string) => createHmac('sha256', 'token').update(text).digest('base64');
  const signed = (fields: Record<string, string>, changes: Partial<CallbackRequest> = {}) => {
    const sorted = Object.keys(fields)
      .sort()
      .map((name) => name + fields[name])
      .join('');
    const signature = sign(`${URL_}.${sorted}.12345`);
    return read(
      'plivo',
      { auth_token: 'token' },
      {
        headers: { 'x-plivo-signature-v3': `old,${signature}`, 'x-plivo-signature-v3-nonce': '12345' },
        body: Buffer.from(new URLSearchParams(fields).toString()),
        ...changes,
      },
    );
  };
  const receipt = {
    ...{ MessageUUID: 'db3ce55a', Status: 'delivered', To: '447700900123', From: '447400999999', ErrorCode: '000' },
    ...{ Units: '1', TotalRate: '0.00350', TotalAmount: '0.00350' },
  };

  test('a receipt has the status, our reference, and the price', () => {
    expect(signed(receipt).reports[0]).toMatchObject({
      ...{ external_id: 'db3ce55a', status: 'delivered', code: null, reference: 4711, number: '447700900123' },
      detail: { price: '0.00350 USD' },
    });
    const failed = signed({ ...receipt, Status: 'undelivered', ErrorCode: '200' }).reports[0];
    expect(failed).toMatchObject({ status: 'unsubscribed', code: '200' });
  });

  test('an inbound message with files has their links in its text', () => {
    const fields = { MessageUUID: 'i1', From: '447700900123', To: '447400999999', Text: 'See', Media0: 'https://m/1' };
    expect(signed(fields).incoming[0]).toMatchObject({ text: 'See\nhttps://m/1', external_id: 'i1' });
    const base = sign('https://parley.example/callbacks/c1?From1To2.7');
    const plain = read(
      'plivo',
      { auth_token: 'token' },
      {
        ...{ url: 'https://parley.example/callbacks/c1', query: {} },
        headers: { 'x-plivo-signature-v3': base, 'x-plivo-signature-v3-nonce': '7' },
        body: Buffer.from('From=1&To=2'),
      },
    );
    expect(plain.status).toBe(200);
  });

  test('a callback is refused when its signature, URL, nonce, or body does not match', () => {
    expect(signed(receipt, { headers: {} }).status).toBe(403);
    expect(signed(receipt, { url: `${URL_}1` }).status).toBe(403);
    expect(signed(receipt, { body: Buffer.from('MessageUUID=x&Status=delivered') }).status).toBe(403);
    expect(read('plivo', { auth_token: '' }, { body: Buffer.from('MessageUUID=x') }).status).toBe(403);
  });
});

// https://docs.sms-gate.app/features/webhooks/ and https://docs.sms-gate.app/features/health/
describe('an Android phone', () => {
  const settings = { signing_key: 'sign', sim: '2', sim_number: '447400999999', device_id: 'ffffffffceb0b1db' };
  const signed = (event: string, payload: object, { age_s = 0, key = 'sign', device = settings.device_id } = {}) => {
    const body = JSON.stringify({ deviceId: device, event, id: 'Ey6ECgOkVVFjz3CL48B8C', payload, webhookId: 'w1' });
    const timestamp = String(Math.floor(Date.now() / 1_000) - age_s);
    const signature = createHmac('sha256', key).update(`${body}${timestamp}`).digest('hex');
    return read('android', settings, {
      headers: { 'x-timestamp': timestamp, 'x-signature': signature },
      body: Buffer.from(body),
    });
  };
  const received = {
    ...{ messageId: 'abc123', message: 'Android is always a sweet treat!', phoneNumber: '+16505551212' },
    ...{ simNumber: 2, receivedAt: '2024-06-22T15:46:11.000+07:00' },
  };

  test('receipts and inbound messages are read, and those of the other SIM card are ignored', () => {
    const failed = { messageId: 'k1', phoneNumber: '+447700900123', simNumber: 2, reason: 'Invalid number' };
    expect(signed('sms:failed', { ...failed, failedAt: '2024-02-20T15:30:00Z' }).reports[0]).toMatchObject({
      ...{ external_id: 'k1', status: 'failed', number: '447700900123', at: Date.UTC(2024, 1, 20, 15, 30) },
      failure: { text: 'Invalid number' },
    });
    expect(signed('sms:delivered', { ...failed, simNumber: 1 })).toMatchObject({ status: 200, reports: [] });
    const [message] = signed('sms:received', received).incoming;
    expect(message).toMatchObject({ from: '16505551212', to: '447400999999', text: received.message });
    const later = { ...received, receivedAt: '2024-06-22T15:47:11.000+07:00' };
    expect(signed('sms:received', later).incoming[0]!.digest).not.toEqual(message!.digest);
    expect(signed('sms:received', { ...received, sender: '+1999', recipient: '+44555' }).incoming[0]).toMatchObject({
      ...{ from: '1999', to: '44555' },
    });
  });

  test('a ping reports the battery and the network', () => {
    const checks = {
      'messages:failed': { observedValue: 2 },
      'connection:status': { observedValue: 1 },
      'connection:cellular': { observedValue: 4 },
      'battery:level': { observedValue: 94 },
      'battery:charging': { observedValue: 5 },
    };
    expect(signed('system:ping', { health: { checks, status: 'pass', version: '1.0.0' } }).notices).toEqual([
      {
        ...{ kind: 'device', battery_percent: 94, is_charging: true, is_online: true, network: '4G', failed_count: 2 },
      },
    ]);
    expect(signed('system:ping', { health: 'x' })).toMatchObject({ status: 200, notices: [] });
  });

  test('a callback is refused when it is old or signed with another key, and ignored from another phone', () => {
    expect(signed('sms:received', received, { age_s: 600 }).status).toBe(403);
    expect(signed('sms:received', received, { key: 'other' }).status).toBe(403);
    expect(signed('sms:received', received, { device: 'other' })).toMatchObject({ status: 200, incoming: [] });
    expect(read('android', { signing_key: '' }, { body: Buffer.from('{}') }).status).toBe(403);
  });
});

describe('Providers without signatures', () => {
  const query = { reference: '4711', key: SECRET };
  const json = (adapter: string, body: unknown, settings: object = {}, asked: Record<string, string> = query) =>
    read(
      adapter,
      { callback_secret: SECRET, ...settings },
      { query: asked, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) },
    );

  test('Infobip reports receipts and inbound messages in lists', () => {
    const delivered = { groupName: 'DELIVERED', name: 'DELIVERED_TO_HANDSET' };
    const error = { id: 1, permanent: true, description: 'Unknown subscriber 447700900123' };
    const { reports } = json('infobip', {
      results: [
        { messageId: 'm1', to: '447700900123', status: delivered, error: { id: 0 }, doneAt: '2026-01-02T03:04:05Z' },
        { messageId: 'm2', to: '447700900124', status: { groupName: 'UNDELIVERABLE', name: 'NO_ROUTE' }, error },
      ],
    });
    expect(reports.map(({ external_id, status, code }) => [external_id, status, code])).toEqual([
      ['m1', 'delivered', null],
      ['m2', 'failed', '1'],
    ]);
    expect(reports[1]!.failure!.text).toBe('Unknown subscriber …');
    const received = { messageId: 'i1', from: '447700900123', to: '447400999999', text: 'Hi' };
    expect(json('infobip', { results: [received] }).incoming[0]).toMatchObject({ text: 'Hi', external_id: 'i1' });
  });

  test('Sinch reports receipts for one recipient, and inbound messages', () => {
    const receipt = { type: 'recipient_delivery_report_sms', batch_id: 'b1', recipient: '447700900123', code: 0 };
    expect(json('sinch', { ...receipt, status: 'Delivered' }).reports[0]).toMatchObject({
      ...{ external_id: 'b1', status: 'delivered', code: null, number: '447700900123' },
    });
    expect(json('sinch', { ...receipt, status: 'Rejected', code: 412 }).reports[0]!.status).toBe('unsubscribed');
    const inbound = { type: 'mo_text', id: 'i1', from: '447700900123', to: '12345', body: 'Hi' };
    expect(json('sinch', inbound).incoming[0]).toMatchObject({ from: '447700900123', to: '12345', text: 'Hi' });
  });

  test('another provider is read by the paths in the settings', () => {
    const settings = { callback_id_path: 'data.id', callback_status_path: 'data.state', callback_to_path: 'data.to' };
    const receipt = { data: { id: 'x1', state: 'DELIVRD', to: '447700900123' } };
    expect(json('generic', receipt, settings).reports[0]).toMatchObject({ external_id: 'x1', status: 'delivered' });
    const form = read(
      'generic',
      { callback_secret: SECRET },
      { query, body: Buffer.from('id=x2&from=447700900123&to=447400999999&text=Hi') },
    );
    expect(form.incoming[0]).toMatchObject({ from: '447700900123', text: 'Hi', external_id: 'x2' });
  });

  test.each(['infobip', 'sinch', 'generic'])(
    '%s: a callback is refused when its secret is missing or wrong',
    (name) => {
      expect(json(name, {}, {}, {}).status).toBe(403);
      expect(json(name, {}, {}, { key: `${SECRET}x` }).status).toBe(403);
      expect(json(name, {}, { callback_secret: '' }, { key: '' }).status).toBe(403);
      for (const body of [null, [], { results: 'x' }, { results: [null, 7] }, { type: 7 }, { id: {} }])
        expect(json(name, body)).toMatchObject({ status: 200, reports: [], incoming: [] });
    },
  );
});

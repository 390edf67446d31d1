import { createHmac } from 'node:crypto';
import { ViberSettings } from '@parley/contract/channels/viber/settings.ts';
import { describe, expect, test } from 'vitest';
import type { CallbackRequest } from '../channel.ts';
import { viber } from './viber.ts';

const settings = ViberSettings.parse({ auth_token: 'auth-token' });
const connection = { id: '00000000-0000-7000-8000-000000000002', settings };
const signed = (body: Buffer, token = 'auth-token') => createHmac('sha256', token).update(body).digest('hex');
const readCallbackBody = (request: Partial<CallbackRequest>, overrides: object = settings) =>
  viber.callbacks!.read(
    { ...connection, settings: overrides },
    { method: 'POST', url: '', query: {}, headers: {}, body: Buffer.alloc(0), ...request },
  );
const post = (payload: unknown) => {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  return readCallbackBody({ body, headers: { 'x-viber-content-signature': signed(body) } });
};
const emptyResult = { status: 200, body: '', reports: [], incoming: [], notices: [] };

describe('a callback', () => {
  const body = Buffer.from(
    '{"message_token":5001795871586400127,"message_status":0,"phone_number":"447700900123","service_id":30001}',
  );
  test.each<[string, number, Partial<CallbackRequest>, object]>([
    ['has no signature', 401, {}, settings],
    [
      'is signed with a different token',
      403,
      { headers: { 'x-viber-content-signature': signed(body, 'guess') } },
      settings,
    ],
    [
      'has the signature of a different body',
      403,
      { headers: { 'x-viber-content-signature': signed(Buffer.from('{}')) } },
      settings,
    ],
    ['has a truncated signature', 403, { headers: { 'x-viber-content-signature': signed(body).slice(2) } }, settings],
    [
      'arrives on a connection without a token',
      403,
      { headers: { 'x-viber-content-signature': signed(body, 'x') } },
      { ...settings, auth_token: '' },
    ],
    ['is a GET request', 405, { method: 'GET' }, settings],
  ])('is refused when it %s', (_, status, changes, overrides) => {
    expect(readCallbackBody({ body, ...changes }, overrides)).toEqual({ ...emptyResult, status });
  });
  test('is read when it is signed', () => {
    expect(readCallbackBody({ body, headers: { 'x-viber-content-signature': signed(body) } }).reports.length).toBe(1);
  });
});

describe('a delivery receipt', () => {
  const payload = (message_status: unknown, extra = '') =>
    `{"message_token":5001795871586400127,"message_status":${JSON.stringify(message_status)},` +
    `"message_time":1795871586412,"phone_number":"447700900123","service_id":30001${extra}}`;

  test('is read with all of its fields, and its token keeps every digit', () => {
    expect(post(payload(0)).reports).toEqual([
      {
        external_id: '5001795871586400127',
        at: 1_795_871_586_412,
        status: 'delivered',
        state: 'DELIVERED',
        code: null,
        reference: null,
        number: '447700900123',
        sender: '30001',
        detail: { id: '5001795871586400127', message_status: 0 },
      },
    ]);
  });
  test.each([
    [1, 'read', 'SEEN'],
    [2, 'expired', 'EXPIRED'],
  ])('with status %i is read as "%s"', (code, status, state) => {
    expect(post(payload(code)).reports).toMatchObject([{ status, state }]);
  });
  test.each([3, -1, 0.5, '0', null, true, 'length', {}])('with status %j is ignored', (code) => {
    expect(post(payload(code))).toEqual(emptyResult);
  });
  test('has the same number with or without a plus sign', () => {
    expect(post(payload(0).replace('"447', '"+447')).reports[0]!.number).toBe('447700900123');
  });
});

describe('an inbound message', () => {
  const incoming = (message: object, changes: object = {}) =>
    post(
      JSON.stringify({
        message_token: 'TOKEN',
        phone_number: '447700900123',
        message_time: 1,
        service_id: 30001,
        message,
        ...changes,
      }).replace('"TOKEN"', '5001795871586400157'),
    ).incoming;

  test('with text is read with all of its fields', () => {
    expect(incoming({ type: 'text', text: 'Hi', tracking_data: '4711' })).toEqual([
      {
        from: '447700900123',
        to: '30001',
        text: 'Hi',
        part: null,
        digest: expect.any(Buffer),
        session: connection.id,
        external_id: '5001795871586400157',
      },
    ]);
    const digest = (token: number) => incoming({ text: 'Hi' }, { message_token: token })[0]!.digest.toString('hex');
    expect(digest(1)).toBe(digest(1));
    expect(digest(1)).not.toBe(digest(2));
  });

  const media = 'https://media.example/files/abc/cat%20one.png?sig=1';
  test.each<[string, object, string, object | null]>([
    [
      'picture',
      { media, text: 'My cat' },
      'My cat',
      { type: 'image', source: media, content_type: null, file_name: 'cat one.png' },
    ],
    ['video', { media: 'https://media.example/a.mp4', size: 1 }, '', { type: 'video', file_name: 'a.mp4' }],
    ['file', { media, file_name: 'bill.pdf' }, '', { type: 'document', file_name: 'bill.pdf' }],
    ['file', { media: 'https://media.example/%E0%A4%A' }, '', { type: 'document', file_name: '%E0%A4%A' }],
    ['picture', { media: 'nowhere' }, 'This message cannot be displayed here', null],
    ['location', { location: { lat: 51.5, lon: -0.12 } }, 'Location: https://www.google.com/maps?q=51.5,-0.12', null],
    ['contact', { contact: { name: 'Bob', phone_number: '+447700900999' } }, 'Contact: Bob, +447700900999', null],
    ['url', { media: 'https://harbour.example' }, 'https://harbour.example', null],
    ['sticker', { sticker_id: 46105 }, 'This message cannot be displayed here', null],
    ['constructor', { media }, 'This message cannot be displayed here', null],
    ['text', {}, 'This message cannot be displayed here', null],
  ])('of type %s is converted to text and media', (type, message, text, file) => {
    const [inbound] = incoming({ type, ...message });
    expect(inbound!.text).toBe(text);
    if (file) expect(inbound!.content!.media).toMatchObject(file);
    else expect(inbound).not.toHaveProperty('content');
  });

  test('of an unknown type keeps the type and the content, and its text', () => {
    expect(incoming({ type: 'sticker', sticker_id: 46105, tracking_data: 'x' })[0]).toMatchObject({
      text: 'This message cannot be displayed here',
      unknown: { type: 'sticker', content: '{"sticker_id":46105,"tracking_data":"x"}' },
    });
    expect(incoming({ type: 'carousel', text: 'Our menu', items: ['y'.repeat(10_000)] })[0]).toMatchObject({
      text: 'Our menu',
      unknown: { type: 'carousel', content: expect.stringMatching(/^.{4000}$/) },
    });
    for (const type of ['text', 'picture', 'video', 'file', 'location', 'contact', 'url', undefined])
      expect(incoming({ type, text: 'x' })[0]).not.toHaveProperty('unknown');
  });

  test('is stripped of characters that cannot be stored', () => {
    const [inbound] = incoming({ type: 'text', text: `a\0b\ud83d${'x'.repeat(20_000)}` });
    expect(inbound!.text!.startsWith('ab\ufffdx')).toBe(true);
    expect(inbound!.text!.length).toBeLessThanOrEqual(10_000);
  });

  test.each<[string, object]>([
    ['no number', { phone_number: undefined }],
    ['a name instead of a number', { phone_number: 'Ann' }],
    ['no service ID', { service_id: undefined }],
    ['no token', { message_token: null }],
    ['a token that is not a number', { message_token: '../x' }],
  ])('is dropped when it has %s', (_, changes) => {
    expect(incoming({ type: 'text', text: 'x' }, changes)).toEqual([]);
  });
});

test('a notice reports that a person blocked or unblocked the sender', () => {
  const payload = (event: unknown, changes: object = {}) =>
    post({ event, message_token: 1, phone_number: '447700900123', service_id: 30001, ...changes }).notices;
  const notice = { kind: 'consent', address: '30001', from: '447700900123' };
  expect(payload('unsubscribed')).toEqual([{ ...notice, stopped: true }]);
  expect(payload('subscribed')).toEqual([{ ...notice, stopped: false }]);
  for (const event of ['conversation_started', 'webhook', '', null, 7]) expect(payload(event)).toEqual([]);
  expect(payload('unsubscribed', { phone_number: null })).toEqual([]);
  expect(payload('unsubscribed', { service_id: {} })).toEqual([]);
});

test.each<[string, unknown, number]>([
  ['invalid JSON', '{', 400],
  ['an empty body', '', 400],
  ['null', 'null', 200],
  ['a list', '[{"message_status":0}]', 200],
  ['a string', '"x"', 200],
  ['a message of the wrong type', { message: 7, message_token: 1, phone_number: '447700900123' }, 200],
  ['special keys', '{"__proto__":{"message_status":0},"constructor":1}', 200],
  ['deep nesting', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 200],
  ['deep nesting and a long number', `${'['.repeat(200_000)}5001795871586400127${']'.repeat(200_000)}`, 400],
  ['three megabytes', { event: 'x'.repeat(3_000_000) }, 200],
])('a callback with %s has no effect', (_, payload, status) => {
  expect(post(payload)).toEqual({ ...emptyResult, status });
});

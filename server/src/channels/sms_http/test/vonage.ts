import { CALLBACK, hmac, json, type ProviderTable, SECRET } from './table.ts';

export const vonage: ProviderTable = {
  sources: [
    'https://developer.vonage.com/en/api/sms',
    'https://developer.vonage.com/en/messaging/sms/guides/delivery-receipts',
    'https://developer.vonage.com/en/messaging/sms/guides/inbound-sms',
    'https://developer.vonage.com/en/getting-started/concepts/signing-messages',
  ],
  settings: { api_key: 'sandbox', api_secret: SECRET, signature_secret: SECRET },
  verified_by: 'signature_secret',
  request: {
    path: '/sms/json',
    fields: {
      ...{ api_key: 'sandbox', api_secret: SECRET, from: '447400999999', to: '447700900123' },
      ...{ text: 'Your table is ready', type: 'text', ttl: 3_600_000, 'client-ref': '4711', callback: CALLBACK },
    },
  },
  responses: [
    [
      200,
      {
        'message-count': '1',
        messages: [
          {
            ...{ to: '447700900123', 'message-id': '0A0000000123ABCD1', status: '0', 'remaining-balance': '3.14' },
            ...{ 'message-price': '0.03330000', network: '12345', 'client-ref': '4711' },
          },
        ],
      },
      'accepted',
      '0A0000000123ABCD1',
    ],
    [200, { messages: [{ status: '1', 'error-text': 'Throughput Rate Exceeded' }] }, 'throttled', '1'],
    [200, { messages: [{ status: '2', 'error-text': 'Missing to param' }] }, 'invalid', '2'],
    [200, { messages: [{ status: '3', 'error-text': 'Invalid to address' }] }, 'rejected', '3'],
    [200, { messages: [{ status: '4', 'error-text': 'Bad Credentials' }] }, 'connection', '4'],
    [200, { messages: [{ status: '5', 'error-text': 'Internal Error' }] }, 'connection', '5'],
    [200, { messages: [{ status: '7', 'error-text': 'Number barred' }] }, 'rejected', '7'],
    [200, { messages: [{ status: '9', 'error-text': 'Partner quota exceeded' }] }, 'connection', '9'],
    [200, { messages: [{ status: '15', 'error-text': 'Illegal Sender Address' }] }, 'config', '15'],
    [200, {}, 'unknown', 'HTTP 200'],
    [500, '', 'unknown', 'HTTP 500'],
  ],
  receipts: [
    [
      {
        ...{ msisdn: '447700900123', to: 'Harbour', 'network-code': '12345', messageId: '0A0000001234567B' },
        ...{ price: '0.03330000', status: 'delivered', scts: '2001011400', 'err-code': '0', 'api-key': 'sandbox' },
        ...{ 'client-ref': '4711', 'message-timestamp': '2026-01-02 03:04:05' },
      },
      {
        ...{ external_id: '0A0000001234567B', status: 'delivered', code: null, reference: 4711 },
        ...{ number: '447700900123', sender: 'Harbour', at: Date.UTC(2026, 0, 2, 3, 4, 5) },
        detail: { id: '0A0000001234567B', state: 'delivered', price: '0.03330000 EUR' },
      },
    ],
    [
      { messageId: '0A2', status: 'buffered', 'err-code': '0' },
      { status: 'sent', code: null },
    ],
    [
      { messageId: '0A2', status: 'failed', 'err-code': '1' },
      { status: 'failed', code: '1' },
    ],
    [
      { messageId: '0A2', status: 'expired', 'err-code': '3' },
      { status: 'expired', code: '3' },
    ],
    [
      { messageId: '0A2', status: 'rejected', 'err-code': '7' },
      { status: 'rejected', code: '7' },
    ],
  ],
  inbound: [
    [
      {
        ...{ 'api-key': 'sandbox', msisdn: '447700900001', to: '447700900000', messageId: '0A0000000123ABCD1' },
        ...{ text: 'Hello world', type: 'text', keyword: 'HELLO', 'message-timestamp': '2020-01-01 12:00:00' },
      },
      {
        ...{ from: '447700900001', to: '447700900000', text: 'Hello world', external_id: '0A0000000123ABCD1' },
        at: Date.UTC(2020, 0, 1, 12),
      },
    ],
    [{ messageId: '0B', msisdn: '447700900123', to: '447400999999', text: 'a=1&b' }, { text: 'a=1&b' }],
  ],
  post(fields, { secret, time_s }) {
    const all: Record<string, unknown> = { ...fields, timestamp: String(time_s), nonce: 'ec11dd3e-1e7f-4db5-9467' };
    const text = Object.keys(all)
      .sort()
      .map((name) => `&${name}=${typeof all[name] === 'object' ? '' : String(all[name]).replace(/[&=]/g, '_')}`)
      .join('');
    return json({ ...all, sig: hmac('sha256', secret, text).digest('hex').toUpperCase() });
  },
  receipt: ({ id, from, to, state }) => ({
    ...{ messageId: id, msisdn: to, to: from, 'err-code': state === 'failed' ? '1' : '0' },
    status: state === 'sent' ? 'accepted' : state,
  }),
  text: ({ id, from, to, text }) => ({ messageId: id, msisdn: from, to, text, type: 'text' }),
  max_age_s: 48 * 3_600,
};

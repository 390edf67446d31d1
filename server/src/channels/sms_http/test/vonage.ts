import { CALLBACK, type Fields, hmac, json, type ProviderTable, SECRET } from './table.ts';

const refusal = (status: string, text: string) => ({
  'message-count': '1',
  messages: [{ status, 'error-text': text }],
});
/** A receipt. Its time has one of three formats. */
const receipt = (status: string, code: string, more: Fields = {}): Fields => ({
  ...{ msisdn: '447700900123', to: 'Harbour', 'network-code': '23415', messageId: '0A0000004711ABCD' },
  ...{ price: '0.03330000', status, scts: '2601020304', 'err-code': code, 'api-key': 'sandbox' },
  ...{ 'client-ref': '4711', 'message-timestamp': '2026-01-02 03:04:05', ...more },
});

export const vonage: ProviderTable = {
  sources: [
    'https://developer.vonage.com/en/api/sms',
    'https://developer.vonage.com/en/messaging/sms/guides/delivery-receipts',
    'https://developer.vonage.com/en/messaging/sms/guides/inbound-sms',
    'https://developer.vonage.com/en/messaging/sms/code-snippets/delivery-receipts',
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
            ...{ to: '447700900123', 'message-id': '0A0000004711ABCD', status: '0', 'remaining-balance': '12.50' },
            ...{ 'message-price': '0.03330000', network: '23415', 'client-ref': '4711' },
          },
        ],
      },
      'accepted',
      '0A0000004711ABCD',
    ],
    [200, refusal('1', 'Throughput Rate Exceeded'), 'throttled', '1'],
    [200, refusal('2', 'Missing to param'), 'invalid', '2'],
    [200, refusal('3', 'Invalid to address'), 'rejected', '3'],
    [200, refusal('4', 'Bad Credentials'), 'connection', '4'],
    [200, refusal('5', 'Internal Error'), 'connection', '5'],
    [200, refusal('7', 'Number barred'), 'rejected', '7'],
    [200, refusal('9', 'Partner quota exceeded'), 'connection', '9'],
    [200, refusal('15', 'Illegal Sender Address'), 'config', '15'],
    [200, {}, 'unknown', 'HTTP 200'],
    [500, '', 'unknown', 'HTTP 500'],
  ],
  receipts: [
    [
      receipt('delivered', '0'),
      {
        ...{ external_id: '0A0000004711ABCD', status: 'delivered', code: null, reference: 4711 },
        ...{ number: '447700900123', sender: 'Harbour', at: Date.UTC(2026, 0, 2, 3, 4, 5) },
        detail: { id: '0A0000004711ABCD', state: 'delivered', price: '0.03330000 EUR' },
      },
    ],
    [
      receipt('buffered', '0', { 'message-timestamp': '2026-01-02 03:04:05 +0000' }),
      { status: 'sent', code: null, at: Date.UTC(2026, 0, 2, 3, 4, 5) },
    ],
    [
      receipt('failed', '1', { 'message-timestamp': '2026-01-02T03:04:05.000+00:00' }),
      { status: 'failed', code: '1', at: Date.UTC(2026, 0, 2, 3, 4, 5) },
    ],
    [receipt('expired', '3'), { status: 'expired', code: '3' }],
    [receipt('rejected', '7'), { status: 'rejected', code: '7' }],
  ],
  inbound: [
    [
      {
        ...{ 'api-key': 'sandbox', msisdn: '447700900123', to: '447400999999', messageId: '0A0000004712ABCD' },
        ...{ text: 'Yes please', type: 'text', keyword: 'YES', 'message-timestamp': '2026-01-02 03:04:05' },
      },
      {
        ...{ from: '447700900123', to: '447400999999', text: 'Yes please', external_id: '0A0000004712ABCD' },
        at: Date.UTC(2026, 0, 2, 3, 4, 5),
      },
    ],
    [
      {
        ...{ 'api-key': 'sandbox', msisdn: '447700900123', to: '447400999999', messageId: '0A0000004713ABCD' },
        ...{ text: 'a=1&b', type: 'text', keyword: 'A=1&B', 'message-timestamp': '2026-01-02T03:04:05.000+00:00' },
      },
      { text: 'a=1&b', at: Date.UTC(2026, 0, 2, 3, 4, 5) },
    ],
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

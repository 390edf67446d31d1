import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { CALLBACK, type Fields, json, type ProviderTable, SECRET } from './table.ts';

/** The key of the sandbox: an Ed25519 key in PKCS 8 is this prefix and 32 octets. */
const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 'sandbox')]),
  format: 'der',
  type: 'pkcs8',
});
const public_key = Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x!, 'base64url').toString(
  'base64',
);
const { privateKey: otherKey } = generateKeyPairSync('ed25519');

const ID = '7b1d4e5a-6c20-4f83-9d11-2a4e8c0f4711';
const PROFILE = '3f0a1c52-8e47-4b6d-a1c9-5d2e7f904711';

const event = (event_type: string, payload: Fields): Fields => ({
  ...{ record_type: 'event', id: 'c4e3a9d2-0b57-46f1-8a3e-91d5f6b04711', event_type },
  ...{ occurred_at: '2026-01-02T03:04:05.148+00:00', payload },
});
const receipt = (status: string, more: Fields = {}): Fields =>
  event(status === 'sent' ? 'message.sent' : 'message.finalized', {
    ...{ id: ID, record_type: 'message', direction: 'outbound', type: 'SMS', messaging_profile_id: PROFILE },
    ...{ from: { phone_number: '+447400999999', carrier: 'TELNYX LLC', line_type: 'VoIP' } },
    ...{ to: [{ phone_number: '+447700900123', carrier: 'VODAFONE', line_type: 'Wireless', status }] },
    ...{ text: 'Your table is ready', media: [], encoding: 'GSM-7', parts: 1, tags: [], cost: null, errors: [] },
    ...{ received_at: '2026-01-02T03:04:04.000+00:00', sent_at: '2026-01-02T03:04:05.000+00:00' },
    ...{ completed_at: null, ...more },
  });
const inbound = (id: string, more: Fields): Fields =>
  event('message.received', {
    ...{ record_type: 'message', direction: 'inbound', id, type: 'SMS', messaging_profile_id: PROFILE },
    ...{ from: { phone_number: '+447700900123', carrier: 'VODAFONE', line_type: 'Wireless' } },
    ...{ to: [{ phone_number: '+447400999999', status: 'delivered', carrier: 'TELNYX LLC', line_type: 'VoIP' }] },
    ...{ cc: [], media: [], encoding: 'GSM-7', parts: 1, received_at: '2026-01-02T03:04:05.000+00:00', ...more },
  });
const refusal = (code: string, title: string) => ({
  errors: [{ code, title, detail: title, meta: { url: `https://developers.telnyx.com/docs/overview/errors/${code}` } }],
});

export const telnyx: ProviderTable = {
  sources: [
    'https://developers.telnyx.com/docs/messaging/messages/send-message',
    'https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks',
    'https://developers.telnyx.com/api-reference/callbacks/delivery-update',
    'https://developers.telnyx.com/api-reference/callbacks/inbound-message',
    'https://developers.telnyx.com/docs/messaging/messages/error-codes',
  ],
  settings: { api_key: SECRET, public_key },
  verified_by: 'public_key',
  request: {
    path: '/messages',
    headers: { authorization: `Bearer ${SECRET}` },
    fields: {
      ...{ from: '+447400999999', to: '+447700900123', text: 'Your table is ready', use_profile_webhooks: false },
      webhook_url: `${CALLBACK}?reference=4711`,
    },
  },
  responses: [
    [
      200,
      {
        data: {
          ...{ record_type: 'message', direction: 'outbound', id: ID, type: 'SMS', messaging_profile_id: PROFILE },
          ...{ from: { phone_number: '+447400999999', carrier: 'TELNYX LLC', line_type: 'VoIP' } },
          ...{ to: [{ phone_number: '+447700900123', status: 'queued', carrier: 'VODAFONE', line_type: 'Wireless' }] },
          ...{ text: 'Your table is ready', media: [], encoding: 'GSM-7', parts: 1, cost: null, errors: [] },
        },
      },
      'accepted',
      ID,
    ],
    [400, refusal('40310', "Invalid 'to' address"), 'rejected', '40310'],
    [400, refusal('40305', "Invalid 'from' address"), 'config', '40305'],
    [400, refusal('40300', 'Blocked due to STOP message'), 'opted_out', '40300'],
    [401, refusal('10009', 'Authentication failed'), 'connection', '10009'],
    [403, refusal('20100', 'Insufficient Funds'), 'connection', '20100'],
    [429, refusal('10011', 'Too many requests'), 'throttled', '10011'],
    [500, 'oops', 'unknown', 'HTTP 500'],
    [500, refusal('10007', 'Unexpected error'), 'unknown', 'HTTP 500'],
    [400, refusal('10016', 'Phone number must be in +E.164 format'), 'rejected', '10016'],
  ],
  receipts: [
    [
      receipt('delivered', {
        ...{ completed_at: '2026-01-02T03:04:06.148+00:00', cost: { amount: '0.0051', currency: 'USD' } },
        cost_breakdown: { carrier_fee: { amount: '0.00305', currency: 'USD' } },
      }),
      {
        ...{ external_id: ID, status: 'delivered', code: null, reference: 4711, number: '447700900123' },
        ...{ sender: '447400999999', at: Date.UTC(2026, 0, 2, 3, 4, 6, 148) },
        detail: { id: ID, state: 'delivered', price: '0.0051 USD' },
      },
    ],
    // https://developers.telnyx.com/development/migration/messaging-migration-guide: the sender is only a number.
    [receipt('sent', { from: '+447400999999' }), { status: 'sent', sender: '447400999999' }],
    [receipt('delivery_failed', { errors: [{ code: '40008', title: 'Undeliverable' }] }), { code: '40008' }],
    [
      receipt('sending_failed', { errors: [{ code: '40002', title: 'Blocked as spam - temporary' }] }),
      { status: 'failed', code: '40002' },
    ],
    [receipt('delivery_unconfirmed'), { status: 'sent' }],
  ],
  inbound: [
    [
      inbound('7ee4711a', { text: 'Yes please' }),
      {
        ...{ from: '447700900123', to: '447400999999', text: 'Yes please', external_id: '7ee4711a' },
        at: Date.UTC(2026, 0, 2, 3, 4, 5),
      },
    ],
    [
      inbound('7ee4711b', {
        ...{ type: 'MMS', text: 'See' },
        media: [{ url: 'https://media.telnyx.com/1.png', content_type: 'image/png', sha256: null, size: 1 }],
      }),
      { text: 'See\nhttps://media.telnyx.com/1.png' },
    ],
  ],
  post(data, { url, secret, time_s }) {
    const { headers, body } = json({ data, meta: { attempt: 1, delivered_to: url } });
    const key = secret === SECRET ? privateKey : otherKey;
    const signature = sign(null, Buffer.from(`${time_s}|${body}`), key).toString('base64');
    return {
      headers: { ...headers, 'telnyx-timestamp': String(time_s), 'telnyx-signature-ed25519': signature },
      body,
    };
  },
  receipt({ id, from, to, state }) {
    const status = state === 'failed' ? 'delivery_failed' : state;
    const payload = { id, from: { phone_number: `+${from}` }, to: [{ phone_number: `+${to}`, status }] };
    return { event_type: 'message.finalized', payload };
  },
  text({ id, from, to, text }) {
    const payload = { id, text, from: { phone_number: `+${from}` }, to: [{ phone_number: `+${to}` }] };
    return { event_type: 'message.received', payload };
  },
  max_age_s: 300,
};

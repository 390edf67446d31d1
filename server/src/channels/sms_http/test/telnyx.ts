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

const receipt = (status: string, payload: Fields = {}): Fields => ({
  event_type: 'message.finalized',
  payload: {
    ...{ id: '40385f64', record_type: 'message', direction: 'outbound', from: { phone_number: '+12025550100' } },
    ...{ to: [{ phone_number: '+447700900123', carrier: 'T-MOBILE USA, INC.', line_type: 'Wireless', status }] },
    ...payload,
  },
});
const refusal = (code: string, title: string) => ({ errors: [{ code, title }] });

export const telnyx: ProviderTable = {
  sources: [
    'https://developers.telnyx.com/docs/messaging/messages/send-message',
    'https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks',
    'https://developers.telnyx.com/api-reference/callbacks/delivery-update',
    'https://developers.telnyx.com/api-reference/callbacks/inbound-message',
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
      { data: { record_type: 'message', id: '40385f64', parts: 1, to: [{ status: 'queued' }], errors: [] } },
      'accepted',
      '40385f64',
    ],
    [400, refusal('40310', "Invalid 'to' address"), 'rejected', '40310'],
    [400, refusal('40305', "Invalid 'from' address"), 'config', '40305'],
    [400, refusal('40300', 'Blocked due to STOP message'), 'opted_out', '40300'],
    [401, refusal('10009', 'Authentication failed'), 'connection', '10009'],
    [403, refusal('20100', 'Insufficient Funds'), 'connection', '20100'],
    [429, refusal('10011', 'Too many requests'), 'throttled', '10011'],
    [500, 'oops', 'unknown', 'HTTP 500'],
    [500, { errors: [{ code: '10007', title: 'Unexpected error' }] }, 'unknown', 'HTTP 500'],
    [400, { errors: [{ code: '10016', title: 'Phone number must be in +E.164 format' }] }, 'rejected', '10016'],
  ],
  receipts: [
    [
      receipt('delivered', {
        ...{ completed_at: '2019-12-09T21:32:14.148+00:00', cost: { amount: '0.0051', currency: 'USD' }, errors: [] },
      }),
      {
        ...{ external_id: '40385f64', status: 'delivered', code: null, reference: 4711, number: '447700900123' },
        ...{ sender: '12025550100', at: Date.UTC(2019, 11, 9, 21, 32, 14, 148) },
        detail: { id: '40385f64', state: 'delivered', price: '0.0051 USD' },
      },
    ],
    [receipt('sent'), { status: 'sent' }],
    [receipt('delivery_failed', { errors: [{ code: '40008' }] }), { status: 'failed', code: '40008' }],
    [receipt('sending_failed', { errors: [{ code: '40002' }] }), { status: 'failed', code: '40002' }],
    [receipt('delivery_unconfirmed'), { status: 'sent' }],
  ],
  inbound: [
    [
      {
        event_type: 'message.received',
        payload: {
          ...{ record_type: 'message', direction: 'inbound', id: '7ee4241c', text: 'Hello, World!', media: [] },
          from: { phone_number: '+18665550001', carrier: 'T-MOBILE USA, INC.', line_type: 'Wireless' },
          to: [{ phone_number: '+18445550001', status: 'delivered', carrier: 'TELNYX LLC' }],
        },
      },
      { from: '18665550001', to: '18445550001', text: 'Hello, World!', external_id: '7ee4241c' },
    ],
    [
      {
        event_type: 'message.received',
        payload: {
          ...{ id: '7ee4241d', text: 'See', from: { phone_number: '+18665550001' } },
          ...{ to: [{ phone_number: '+18445550001' }], media: [{ url: 'https://media.telnyx.com/1.png' }] },
        },
      },
      { text: 'See\nhttps://media.telnyx.com/1.png' },
    ],
  ],
  post(data, { secret, time_s }) {
    const { headers, body } = json({ data });
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

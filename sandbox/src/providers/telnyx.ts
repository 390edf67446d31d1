/** Telnyx: JSON in both directions, and callbacks signed with Ed25519. */
import { createPrivateKey, createPublicKey, randomUUID, sign } from 'node:crypto';
import {
  bearer,
  type CallbackPost,
  json,
  noteUrl,
  plus,
  type Refusal,
  SANDBOX_SECRET,
  type SmsProvider,
  text,
} from './provider.ts';

const CODES: Readonly<Record<Refusal, [status: number, code: string]>> = {
  credentials: [401, '10009'],
  invalid: [400, '40328'],
  number: [400, '40310'],
  sender: [400, '40305'],
  throttled: [429, '10011'],
  busy: [503, '10007'],
  rejected: [400, '40319'],
};
const STATES = {
  delivered: 'delivered',
  sent: 'sent',
  expired: 'delivery_failed',
  undelivered: 'delivery_failed',
  rejected: 'sending_failed',
} as const;

const PROFILE = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

/** An Ed25519 key in PKCS 8 is this prefix and 32 octets. */
const PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const privateKey = createPrivateKey({
  key: Buffer.concat([PREFIX, Buffer.alloc(32, 'sandbox')]),
  format: 'der',
  type: 'pkcs8',
});
const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
const PUBLIC_KEY = Buffer.from(x!, 'base64url').toString('base64');

export const telnyx: SmsProvider = {
  name: 'telnyx',
  base: '/telnyx/v2',
  path: '/telnyx/v2/messages',
  settings: { api_key: SANDBOX_SECRET, public_key: PUBLIC_KEY },
  isAllowed: (headers) => bearer(headers) === SANDBOX_SECRET,
  read: (fields) => ({
    from: text(fields.from),
    to: text(fields.to),
    text: text(fields.text),
    callback_url: text(fields.webhook_url),
    reference: '',
  }),
  accept: (id, { from, to, text: body }, parts) => ({
    status: 200,
    body: {
      data: {
        ...{ id, record_type: 'message', direction: 'outbound', type: 'SMS', text: body, parts },
        from: { phone_number: from },
        to: [{ phone_number: to, status: 'queued' }],
      },
    },
  }),
  refuse(refusal) {
    const [status, code] = CODES[refusal];
    return { status, body: { errors: [{ code, title: 'The message was not accepted' }] } };
  },
  receipt: ({ id, to, from, state, time }) =>
    event(state === 'sent' ? 'message.sent' : 'message.finalized', {
      id,
      from: { phone_number: plus(from) },
      to: [{ phone_number: plus(to), status: STATES[state] }],
      errors: state === 'delivered' || state === 'sent' ? [] : [{ code: '40008', title: 'Undeliverable' }],
      completed_at: new Date(time).toISOString(),
    }),
  inbound: ({ id, from, to, text: body, time }) =>
    event('message.received', {
      id,
      from: { phone_number: plus(from) },
      to: [{ phone_number: plus(to), status: 'webhook_delivered' }],
      text: body,
      received_at: new Date(time).toISOString(),
    }),
  calls: [
    {
      method: 'GET',
      path: '/telnyx/v2/messaging_profiles',
      answer: ({ url }) => ({
        status: 200,
        body: { data: [{ record_type: 'messaging_profile', id: PROFILE, webhook_url: url, enabled: true }] },
      }),
    },
    {
      method: 'PATCH',
      path: '/telnyx/v2/messaging_profiles/:id',
      answer(request) {
        noteUrl(request, request.fields.webhook_url);
        return { status: 200, body: { data: { id: PROFILE, webhook_url: request.fields.webhook_url } } };
      },
    },
  ],
};

function event(event_type: string, payload: object): CallbackPost {
  const occurred_at = new Date().toISOString();
  const data = { record_type: 'event', id: randomUUID(), event_type, occurred_at, payload };
  const post = json({ data, meta: { attempt: 1 } });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = sign(null, Buffer.from(`${timestamp}|${post.body}`), privateKey).toString('base64');
  return {
    ...post,
    headers: { ...post.headers, 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature },
  };
}

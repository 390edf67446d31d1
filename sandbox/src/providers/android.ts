/**
 * A phone with SMS Gateway for Android: the client chooses the ID of a message, each event has its own webhook, and the
 * phone signs its callbacks.
 */
import { createHmac } from 'node:crypto';
import {
  bearer,
  type CallbackPost,
  first,
  json,
  noteUrl,
  object,
  plus,
  type Refusal,
  SANDBOX_SECRET,
  SANDBOX_SENDER,
  type SmsProvider,
  text,
} from './provider.ts';

const USERNAME = 'sandbox';
const HTTP: Readonly<Record<Refusal, [status: number, message: string]>> = {
  credentials: [401, 'Unauthorized'],
  invalid: [400, 'failed to validate: text message is empty'],
  number: [400, 'failed to validate: invalid phone number'],
  sender: [400, 'failed to validate: sim number is out of range'],
  throttled: [429, 'Too Many Requests'],
  busy: [503, 'Service Unavailable'],
  rejected: [400, 'failed to validate: the number is blocked'],
};
const EVENTS = {
  delivered: 'sms:delivered',
  sent: 'sms:sent',
  expired: 'sms:failed',
  undelivered: 'sms:failed',
  rejected: 'sms:failed',
} as const;

export const android: SmsProvider = {
  name: 'android',
  base: '/android/3rdparty/v1',
  path: '/android/3rdparty/v1/messages',
  settings: { username: USERNAME, password: SANDBOX_SECRET, signing_key: SANDBOX_SECRET, sim_number: SANDBOX_SENDER },
  isAllowed: (headers) => Buffer.from(bearer(headers), 'base64').toString('utf8') === `${USERNAME}:${SANDBOX_SECRET}`,
  read: (fields) => ({
    from: SANDBOX_SENDER,
    to: text(first(fields.phoneNumbers)),
    text: text(object(fields.textMessage).text),
    callback_url: '',
    reference: '',
    key: text(fields.id),
  }),
  accept: (id, { to }) => ({
    status: 202,
    body: { id, deviceId: 'sandbox-device', state: 'Pending', recipients: [{ phoneNumber: to, state: 'Pending' }] },
  }),
  refuse(refusal) {
    const [status, message] = HTTP[refusal];
    return { status, body: { message } };
  },
  repeat: () => ({ status: 409, body: { message: 'duplicate id' } }),
  receipt({ id, to, from, state, time }) {
    const event = EVENTS[state];
    const at = new Date(time).toISOString();
    return signed(event, {
      ...{ messageId: id, phoneNumber: plus(to), sender: plus(from), recipient: plus(to), simNumber: 1 },
      ...(event === 'sms:delivered' ? { deliveredAt: at } : event === 'sms:sent' ? { sentAt: at } : {}),
      ...(event === 'sms:failed' ? { failedAt: at, reason: 'RESULT_ERROR_GENERIC_FAILURE' } : {}),
    });
  },
  inbound: ({ id, from, to, text: message, time }) =>
    signed('sms:received', {
      ...{ messageId: id, message, phoneNumber: plus(from), sender: plus(from), recipient: plus(to), simNumber: 1 },
      receivedAt: new Date(time).toISOString(),
    }),
  calls: [
    {
      method: 'POST',
      path: '/android/3rdparty/v1/webhooks',
      answer(request) {
        const { id, url, event } = request.fields;
        noteUrl(request, url);
        return { status: 201, body: { id, url, event } };
      },
    },
  ],
};

function signed(event: string, payload: object): CallbackPost {
  const post = json({ deviceId: 'sandbox-device', event, id: crypto.randomUUID(), payload, webhookId: event });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', SANDBOX_SECRET).update(`${post.body}${timestamp}`).digest('hex');
  return { ...post, headers: { ...post.headers, 'x-timestamp': timestamp, 'x-signature': signature } };
}

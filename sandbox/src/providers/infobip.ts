/** Infobip: a list of messages in one request, receipts in lists, and no signatures. */
import { bearer, first, json, object, type Refusal, SANDBOX_SECRET, type SmsProvider, text } from './provider.ts';

const NAMES: Readonly<Record<Refusal, string>> = {
  credentials: 'UNAUTHORIZED',
  invalid: 'BAD_REQUEST',
  number: 'REJECTED_DESTINATION',
  sender: 'REJECTED_SOURCE',
  throttled: 'TOO_MANY_REQUESTS',
  busy: 'REJECTED_SYSTEM_ERROR',
  rejected: 'REJECTED_NETWORK',
};
const HTTP: Partial<Record<Refusal, number>> = { credentials: 401, invalid: 400, throttled: 429 };
const GROUPS = {
  delivered: ['DELIVERED', 'DELIVERED_TO_HANDSET'],
  sent: ['PENDING', 'PENDING_ENROUTE'],
  expired: ['EXPIRED', 'EXPIRED_EXPIRED'],
  undelivered: ['UNDELIVERABLE', 'UNDELIVERABLE_NOT_DELIVERED'],
  rejected: ['REJECTED', 'REJECTED_OPERATOR'],
} as const;

export const infobip: SmsProvider = {
  name: 'infobip',
  base: '/infobip',
  path: '/infobip/sms/3/messages',
  settings: { api_key: SANDBOX_SECRET, callback_secret: SANDBOX_SECRET },
  isAllowed: (headers) => bearer(headers) === SANDBOX_SECRET,
  read(fields) {
    const message = object(first(fields.messages));
    return {
      from: text(message.sender),
      to: text(object(first(message.destinations)).to),
      text: text(object(message.content).text),
      callback_url: text(object(object(message.webhooks).delivery).url),
      reference: '',
    };
  },
  accept: (id, { to }) => ({
    status: 200,
    body: {
      messages: [
        { messageId: id, destination: to, status: { groupId: 1, groupName: 'PENDING', name: 'PENDING_ACCEPTED' } },
      ],
    },
  }),
  refuse(refusal) {
    const status = HTTP[refusal];
    if (status) return { status, body: { requestError: { serviceException: { messageId: NAMES[refusal] } } } };
    return { status: 200, body: { messages: [{ status: { groupName: 'REJECTED', name: NAMES[refusal] } }] } };
  },
  receipt({ id, to, from, state, time }) {
    const [groupName, name] = GROUPS[state];
    const failed = state !== 'delivered' && state !== 'sent';
    const error = { id: failed ? 27 : 0, name: failed ? 'EC_ABSENT_SUBSCRIBER' : 'NO_ERROR', permanent: false };
    const doneAt = new Date(time).toISOString();
    return json({ results: [{ messageId: id, to, from, doneAt, smsCount: 1, status: { groupName, name }, error }] });
  },
  inbound: ({ id, from, to, text: body, time }) =>
    json({
      results: [
        { messageId: id, from, to, text: body, cleanText: body, receivedAt: new Date(time).toISOString(), smsCount: 1 },
      ],
      messageCount: 1,
    }),
};

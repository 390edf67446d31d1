/** Vonage: always HTTP 200 with a status per part, and callbacks signed with HMAC-SHA256. */
import { createHmac, randomUUID } from 'node:crypto';
import { type CallbackPost, json, noteUrl, type Refusal, SANDBOX_SECRET, type SmsProvider, text } from './provider.ts';

const CODES: Readonly<Record<Refusal, [status: string, message: string]>> = {
  credentials: ['4', 'Bad Credentials'],
  invalid: ['2', 'Missing to param'],
  number: ['3', 'Invalid to address'],
  sender: ['15', 'Illegal Sender Address'],
  throttled: ['1', 'Throughput Rate Exceeded'],
  busy: ['5', 'Internal Error'],
  rejected: ['7', 'Number barred'],
};
const STATES = {
  delivered: 'delivered',
  sent: 'accepted',
  expired: 'expired',
  undelivered: 'failed',
  rejected: 'rejected',
} as const;
const API_KEY = 'sandbox';

export const vonage: SmsProvider = {
  name: 'vonage',
  base: '/vonage',
  path: '/vonage/sms/json',
  settings: { api_key: API_KEY, api_secret: SANDBOX_SECRET, signature_secret: SANDBOX_SECRET },
  isAllowed: (_headers, fields) => fields.api_key === API_KEY && fields.api_secret === SANDBOX_SECRET,
  read: (fields) => ({
    from: text(fields.from),
    to: text(fields.to),
    text: text(fields.text),
    callback_url: text(fields.callback),
    reference: text(fields['client-ref']),
  }),
  // The parts have one ID here, because the sandbox sends one receipt for each message.
  accept: (id, { to, reference }) => ({
    status: 200,
    body: {
      'message-count': '1',
      messages: [{ to, 'message-id': id, status: '0', 'message-price': '0.0333', 'client-ref': reference }],
    },
  }),
  refuse(refusal) {
    const [status, message] = CODES[refusal];
    return { status: 200, body: { 'message-count': '1', messages: [{ status, 'error-text': message }] } };
  },
  receipt: ({ id, to, from, state, time, reference }) =>
    signed({
      ...{ msisdn: to, to: from, messageId: id, status: STATES[state], 'err-code': state === 'delivered' ? '0' : '6' },
      ...{ 'message-timestamp': utc(time), 'client-ref': reference, price: '0.0333', scts: '' },
    }),
  inbound: ({ id, from, to, text: body, time }) =>
    signed({ msisdn: from, to, messageId: id, text: body, type: 'text', 'message-timestamp': utc(time) }),
  calls: [
    {
      method: 'POST',
      path: '/vonage/account/settings',
      answer(request) {
        noteUrl(request, request.fields.moCallBackUrl);
        return {
          status: 200,
          body: { 'mo-callback-url': text(request.fields.moCallBackUrl) || request.url, 'dr-callback-url': '' },
        };
      },
    },
  ],
};

const utc = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

function signed(fields: Record<string, string>): CallbackPost {
  const all: Record<string, string> = {
    ...fields,
    nonce: randomUUID(),
    timestamp: String(Math.floor(Date.now() / 1_000)),
  };
  const base = Object.keys(all)
    .sort()
    .map((name) => `&${name}=${all[name]!.replace(/[&=]/g, '_')}`)
    .join('');
  const sig = createHmac('sha256', SANDBOX_SECRET).update(base).digest('hex').toUpperCase();
  return json({ ...all, sig });
}

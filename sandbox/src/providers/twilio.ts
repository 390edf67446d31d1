/** Twilio: forms in both directions, and a signature over the URL and the sorted fields. */
import { createHmac } from 'node:crypto';
import {
  bearer,
  type CallbackPost,
  noteUrl,
  plus,
  type Refusal,
  SANDBOX_SECRET,
  SANDBOX_SENDER,
  type SmsProvider,
  text,
} from './provider.ts';

const CODES: Readonly<Record<Refusal, [status: number, code: number, message: string]>> = {
  credentials: [401, 20003, 'Authenticate'],
  invalid: [400, 21602, 'Message body is required'],
  number: [400, 21211, "Invalid 'To' phone number"],
  sender: [400, 21606, "The 'From' number is not a valid sender"],
  throttled: [429, 20429, 'Too many requests'],
  busy: [503, 20500, 'Service unavailable'],
  rejected: [400, 21612, 'The message cannot be sent to this number'],
};
const STATES = {
  delivered: 'delivered',
  sent: 'sent',
  expired: 'undelivered',
  undelivered: 'undelivered',
  rejected: 'failed',
} as const;
const ACCOUNT = 'ACsandbox';

export const twilio: SmsProvider = {
  name: 'twilio',
  base: '/twilio',
  path: '/twilio/2010-04-01/Accounts/:account/Messages.json',
  settings: { account_sid: ACCOUNT, auth_token: SANDBOX_SECRET },
  isAllowed: (headers) => Buffer.from(bearer(headers), 'base64').toString('utf8') === `${ACCOUNT}:${SANDBOX_SECRET}`,
  read: (fields) => ({
    from: text(fields.From) || text(fields.MessagingServiceSid),
    to: text(fields.To),
    text: text(fields.Body),
    callback_url: text(fields.StatusCallback),
    reference: '',
  }),
  accept: (sid, { from, to, text: body }, segments) => ({
    status: 201,
    body: { sid, status: 'queued', to, from, body, num_segments: String(segments), error_code: null, price: null },
  }),
  refuse(refusal) {
    const [status, code, message] = CODES[refusal];
    return { status, body: { code, message, status } };
  },
  receipt({ id, to, from, state }, url) {
    const failed = STATES[state] === 'undelivered' || STATES[state] === 'failed';
    const outcome = { MessageSid: id, SmsSid: id, MessageStatus: STATES[state], SmsStatus: STATES[state] };
    return form(url, {
      ...{ ...outcome, To: plus(to), From: plus(from), AccountSid: ACCOUNT, ApiVersion: '2010-04-01' },
      ...(failed ? { ErrorCode: state === 'rejected' ? '30007' : '30003' } : {}),
    });
  },
  inbound: ({ id, from, to, text: Body }, url) =>
    form(url, {
      ...{ MessageSid: id, SmsSid: id, SmsStatus: 'received', From: plus(from), To: plus(to), Body },
      ...{ AccountSid: ACCOUNT, NumMedia: '0', NumSegments: '1', ApiVersion: '2010-04-01' },
    }),
  calls: [
    {
      method: 'GET',
      path: '/twilio/2010-04-01/Accounts/:account/IncomingPhoneNumbers.json',
      answer: ({ url }) => ({
        status: 200,
        body: { incoming_phone_numbers: [{ sid: 'PNsandbox', phone_number: plus(SANDBOX_SENDER), sms_url: url }] },
      }),
    },
    {
      method: 'POST',
      path: '/twilio/2010-04-01/Accounts/:account/IncomingPhoneNumbers/:number(^[^.]+).json',
      answer(request) {
        noteUrl(request, request.fields.SmsUrl);
        return { status: 200, body: { sid: 'PNsandbox', sms_url: request.fields.SmsUrl } };
      },
    },
    {
      method: 'POST',
      path: '/twilio/v1/Services/:service',
      answer(request) {
        noteUrl(request, request.fields.InboundRequestUrl);
        return { status: 200, body: { sid: 'MGsandbox' } };
      },
    },
    {
      method: 'GET',
      path: '/twilio/2010-04-01/Accounts/:account/Messages.json',
      answer: ({ query, sent }) => ({
        status: 200,
        body: {
          messages: sent(text(query.To)).map(({ id, from, to, text: body, time }) => ({
            ...{ sid: id, from: plus(from), to: plus(to), body, direction: 'outbound-api' },
            date_created: new Date(time).toUTCString(),
          })),
        },
      }),
    },
  ],
};

function form(url: string, fields: Record<string, string>): CallbackPost {
  const sorted = Object.keys(fields).sort();
  const signed = url + sorted.map((name) => `${name}${fields[name]}`).join('');
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': createHmac('sha1', SANDBOX_SECRET).update(signed).digest('base64'),
    },
    body: new URLSearchParams(fields).toString(),
  };
}

import { CALLBACK, type Fields, form, hmac, joined, type ProviderTable, SECRET } from './table.ts';

const ACCOUNT = 'ACsandbox';
const SID = 'SM4e7c0a1b2d3f45968a7b6c5d4e3f2a10';

const refusal = (status: number, code: number, message: string) => ({
  ...{ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});
/** A status callback. */
const receipt = (state: string, more: Fields = {}): Fields => ({
  ...{ AccountSid: ACCOUNT, ApiVersion: '2010-04-01', SmsSid: SID, MessageSid: SID, SmsStatus: state },
  ...{ MessageStatus: state, To: '+447700900123', From: '+447400999999', ...more },
});
/** A request to the URL for inbound messages. */
const inbound = (sid: string, more: Fields): Fields => ({
  ...{ AccountSid: ACCOUNT, ApiVersion: '2010-04-01', SmsSid: sid, SmsMessageSid: sid, MessageSid: sid },
  ...{ SmsStatus: 'received', From: '+447700900123', FromCountry: 'GB', ToCountry: 'GB', NumSegments: '1' },
  ...{ NumMedia: '0', ...more },
});

export const twilio: ProviderTable = {
  sources: [
    'https://www.twilio.com/docs/messaging/api/message-resource',
    'https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks',
    'https://www.twilio.com/docs/messaging/guides/webhook-request',
    'https://www.twilio.com/docs/usage/security',
    'https://www.twilio.com/docs/api/errors',
  ],
  settings: { account_sid: ACCOUNT, auth_token: SECRET },
  verified_by: 'auth_token',
  request: {
    path: `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`,
    headers: { authorization: `Basic ${Buffer.from(`${ACCOUNT}:${SECRET}`).toString('base64')}` },
    fields: {
      To: '+447700900123',
      From: '+447400999999',
      Body: 'Your table is ready',
      StatusCallback: `${CALLBACK}?reference=4711`,
      ValidityPeriod: '3600',
    },
  },
  responses: [
    [
      201,
      {
        ...{ account_sid: ACCOUNT, api_version: '2010-04-01', body: 'Your table is ready', sid: SID },
        ...{ date_created: 'Fri, 02 Jan 2026 03:04:05 +0000', date_sent: null, direction: 'outbound-api' },
        ...{ error_code: null, error_message: null, from: '+447400999999', to: '+447700900123' },
        ...{ messaging_service_sid: null, num_media: '0', num_segments: '2', price: null, price_unit: null },
        ...{ status: 'queued', uri: `/2010-04-01/Accounts/${ACCOUNT}/Messages/${SID}.json` },
      },
      'accepted',
      SID,
    ],
    [400, refusal(400, 21211, "Invalid 'To' Phone Number"), 'rejected', '21211'],
    [400, refusal(400, 21610, 'Attempt to send to unsubscribed recipient'), 'opted_out', '21610'],
    [400, refusal(400, 21606, "The 'From' phone number is not valid"), 'config', '21606'],
    [400, refusal(400, 21408, 'Permission to send an SMS is not enabled'), 'rejected', '21408'],
    [400, refusal(400, 21602, 'Message body is required'), 'invalid', '21602'],
    [400, refusal(400, 29999, 'A code of the future'), 'rejected', '29999'],
    [401, refusal(401, 20003, 'Authenticate'), 'connection', '20003'],
    [429, refusal(429, 20429, 'Too Many Requests'), 'throttled', '20429'],
    [500, 'oops', 'unknown', 'HTTP 500'],
    [500, refusal(500, 20500, 'Internal Server Error'), 'unknown', 'HTTP 500'],
    [503, '', 'connection', 'HTTP 503'],
    [201, { status: 'queued' }, 'unknown', 'HTTP 201'],
  ],
  receipts: [
    [
      receipt('delivered'),
      {
        ...{ external_id: SID, status: 'delivered', state: 'delivered', code: null, reference: 4711 },
        ...{ number: '447700900123', sender: '447400999999', detail: { id: SID, state: 'delivered' } },
      },
    ],
    [receipt('sent'), { external_id: SID, status: 'sent' }],
    [receipt('undelivered', { ErrorCode: '30003' }), { status: 'failed', code: '30003' }],
    [receipt('failed', { ErrorCode: '30007' }), { status: 'failed', code: '30007' }],
  ],
  inbound: [
    [
      inbound('SM2', { To: '12345', Body: 'Yes 👍' }),
      { from: '447700900123', to: '12345', text: 'Yes 👍', external_id: 'SM2' },
    ],
    [
      inbound('MM3', {
        ...{ To: '+447400999999', Body: 'See', NumMedia: '1' },
        ...{ MediaUrl0: 'https://api.twilio.com/media/ME1', MediaContentType0: 'image/jpeg' },
      }),
      { text: 'See\nhttps://api.twilio.com/media/ME1', external_id: 'MM3' },
    ],
  ],
  post: (fields, { url, secret }) =>
    form(fields, { 'x-twilio-signature': hmac('sha1', secret, url + joined(fields)).digest('base64') }),
  receipt: ({ id, from, to, state }) => ({
    ...{ MessageSid: id, To: `+${to}`, From: `+${from}`, AccountSid: ACCOUNT },
    MessageStatus: state === 'failed' ? 'undelivered' : state,
  }),
  text: ({ id, from, to, text }) => ({
    ...{ MessageSid: id, SmsStatus: 'received', From: `+${from}`, To: `+${to}`, Body: text, AccountSid: ACCOUNT },
  }),
  foreign: { AccountSid: 'ACother' },
};

import { CALLBACK, form, hmac, joined, type ProviderTable, SECRET } from './table.ts';

const ACCOUNT = 'ACsandbox';

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
        ...{ sid: 'SMaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', status: 'queued', direction: 'outbound-api', num_media: '0' },
        ...{ num_segments: '2', price: null, price_unit: null, error_code: null, error_message: null },
      },
      'accepted',
      'SMaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ],
    [400, { code: 21211, message: "Invalid 'To' Phone Number", status: 400 }, 'rejected', '21211'],
    [400, { code: 21610, message: 'Attempt to send to unsubscribed recipient', status: 400 }, 'opted_out', '21610'],
    [400, { code: 21606, message: "The 'From' phone number is not valid", status: 400 }, 'config', '21606'],
    [400, { code: 21408, message: 'Permission to send an SMS is not enabled', status: 400 }, 'rejected', '21408'],
    [400, { code: 21602, message: 'Message body is required', status: 400 }, 'invalid', '21602'],
    [400, { code: 29999, message: 'A code of the future', status: 400 }, 'rejected', '29999'],
    [401, { code: 20003, message: 'Authenticate', status: 401 }, 'connection', '20003'],
    [429, { code: 20429, message: 'Too Many Requests', status: 429 }, 'throttled', '20429'],
    [500, 'oops', 'unknown', 'HTTP 500'],
    [500, { code: 20500, message: 'Internal Server Error', status: 500 }, 'unknown', 'HTTP 500'],
    [503, '', 'connection', 'HTTP 503'],
    [201, { status: 'queued' }, 'unknown', 'HTTP 201'],
  ],
  receipts: [
    [
      {
        ...{ AccountSid: ACCOUNT, ApiVersion: '2010-04-01', SmsSid: 'SM1', MessageSid: 'SM1' },
        ...{ SmsStatus: 'delivered', MessageStatus: 'delivered', To: '+447700900123', From: '+447400999999' },
      },
      {
        ...{ external_id: 'SM1', status: 'delivered', state: 'delivered', code: null, reference: 4711 },
        ...{ number: '447700900123', sender: '447400999999', detail: { id: 'SM1', state: 'delivered' } },
      },
    ],
    [
      { MessageSid: 'SM1', MessageStatus: 'sent', To: '+447700900123' },
      { external_id: 'SM1', status: 'sent' },
    ],
    [
      { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30003' },
      { status: 'failed', code: '30003' },
    ],
    [
      { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: '30007' },
      { status: 'failed', code: '30007' },
    ],
  ],
  inbound: [
    [
      { MessageSid: 'SM2', SmsStatus: 'received', From: '+447700900123', To: '12345', Body: 'Yes 👍', NumMedia: '0' },
      { from: '447700900123', to: '12345', text: 'Yes 👍', external_id: 'SM2' },
    ],
    [
      {
        ...{ MessageSid: 'MM3', SmsStatus: 'received', From: '+447700900123', To: '+447400999999', Body: 'See' },
        ...{ NumMedia: '1', MediaUrl0: 'https://api.twilio.com/media/ME1', MediaContentType0: 'image/jpeg' },
      },
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

/** Plivo: JSON requests, form callbacks with signatures of version 3, and numbers that belong to applications. */
import { createHmac, randomUUID } from 'node:crypto';
import {
  bearer,
  type CallbackPost,
  noteUrl,
  type Refusal,
  SANDBOX_SECRET,
  SANDBOX_SENDER,
  type SmsProvider,
  text,
} from './provider.ts';

const AUTH_ID = 'MAsandbox';
const APP_ID = '15784735442685051';
const HTTP: Readonly<Record<Refusal, [status: number, error: string]>> = {
  credentials: [401, 'Could not verify your access level for that URL.'],
  invalid: [400, 'text parameter not present'],
  number: [400, 'destination number is invalid'],
  sender: [400, 'src parameter is invalid'],
  throttled: [429, 'Too many requests'],
  busy: [503, 'Service unavailable'],
  rejected: [400, 'destination country is not enabled'],
};
const STATES = {
  delivered: ['delivered', '000'],
  sent: ['sent', '000'],
  expired: ['undelivered', '420'],
  undelivered: ['undelivered', '80'],
  rejected: ['rejected', '110'],
} as const;

export const plivo: SmsProvider = {
  name: 'plivo',
  base: '/plivo',
  path: '/plivo/v1/Account/:account/Message/',
  settings: { auth_id: AUTH_ID, auth_token: SANDBOX_SECRET },
  isAllowed: (headers) => Buffer.from(bearer(headers), 'base64').toString('utf8') === `${AUTH_ID}:${SANDBOX_SECRET}`,
  read: (fields) => ({
    from: text(fields.src) || text(fields.powerpack_uuid),
    to: text(fields.dst),
    text: text(fields.text),
    callback_url: text(fields.url),
    reference: '',
  }),
  accept: (id) => ({
    status: 202,
    body: { message: 'message(s) queued', message_uuid: [id], api_id: randomUUID() },
  }),
  refuse(refusal) {
    const [status, error] = HTTP[refusal];
    return { status, body: { api_id: randomUUID(), error } };
  },
  receipt({ id, to, from, state }, url) {
    const [Status, ErrorCode] = STATES[state];
    return form(url, {
      ...{ MessageUUID: id, ParentMessageUUID: id, To: to, From: from, Type: 'sms', Status, ErrorCode },
      ...{ Units: '1', TotalRate: '0.00500', TotalAmount: '0.00500', PartInfo: '1 of 1' },
    });
  },
  inbound: ({ id, from, to, text: Text }, url) =>
    form(url, { MessageUUID: id, From: from, To: to, Text, Type: 'sms', Units: '1', TotalAmount: '0' }),
  calls: [
    {
      method: 'GET',
      path: '/plivo/v1/Account/:account/Application/',
      answer: ({ url }) => ({
        status: 200,
        body: { objects: url === '' ? [] : [{ app_id: APP_ID, app_name: 'Parley', message_url: url }] },
      }),
    },
    {
      method: 'POST',
      path: '/plivo/v1/Account/:account/Application/',
      answer(request) {
        noteUrl(request, request.fields.message_url);
        return { status: 201, body: { message: 'created', app_id: APP_ID } };
      },
    },
    {
      method: 'POST',
      path: '/plivo/v1/Account/:account/Application/:app/',
      answer(request) {
        noteUrl(request, request.fields.message_url);
        return { status: 202, body: { message: 'changed' } };
      },
    },
    {
      method: 'GET',
      path: '/plivo/v1/Account/:account/Number/',
      answer: () => ({ status: 200, body: { objects: [{ number: SANDBOX_SENDER, application: null }] } }),
    },
    {
      method: 'POST',
      path: '/plivo/v1/Account/:account/Number/:number/',
      answer: () => ({ status: 202, body: { message: 'changed' } }),
    },
    {
      method: 'GET',
      path: '/plivo/v1/Account/:account/Message/',
      answer: ({ query, sent }) => ({
        status: 200,
        body: {
          objects: sent(text(query.to_number)).map(({ id, from, to }) => ({
            ...{ message_uuid: id, from_number: from, to_number: to, message_direction: 'outbound' },
          })),
        },
      }),
    },
  ],
};

function form(url: string, fields: Record<string, string>): CallbackPost {
  const { origin, pathname, searchParams } = new URL(url);
  const query = [...searchParams]
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&');
  const sorted = Object.keys(fields)
    .sort()
    .map((name) => `${name}${fields[name]}`)
    .join('');
  const nonce = randomUUID().replaceAll('-', '');
  const signed = `${origin}${pathname}?${query}${query ? '.' : ''}${sorted}.${nonce}`;
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-plivo-signature-v3': createHmac('sha256', SANDBOX_SECRET).update(signed).digest('base64'),
      'x-plivo-signature-v3-nonce': nonce,
    },
    body: new URLSearchParams(fields).toString(),
  };
}

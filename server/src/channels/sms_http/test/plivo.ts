import { CALLBACK, form, hmac, joined, type ProviderTable, SECRET } from './table.ts';

export const plivo: ProviderTable = {
  sources: [
    'https://www.plivo.com/docs/messaging/api/messages/',
    'https://www.plivo.com/docs/messaging/api/message/send-a-message',
    'https://www.plivo.com/docs/messaging/api/message/message-status-callbacks',
    'https://www.plivo.com/docs/messaging/concepts/signature-validation',
    'https://github.com/plivo/plivo-node/blob/master/lib/utils/v3Security.js',
    'https://github.com/nyaruka/courier/blob/main/handlers/plivo/handler.go',
  ],
  settings: { auth_id: 'MAsandbox', auth_token: SECRET },
  verified_by: 'auth_token',
  request: {
    path: '/v1/Account/MAsandbox/Message/',
    headers: { authorization: `Basic ${Buffer.from(`MAsandbox:${SECRET}`).toString('base64')}` },
    fields: {
      ...{ src: '447400999999', dst: '447700900123', text: 'Your table is ready', type: 'sms', method: 'POST' },
      ...{ url: `${CALLBACK}?reference=4711`, message_expiry: 3_600 },
    },
  },
  responses: [
    [
      202,
      {
        message: 'message(s) queued',
        message_uuid: ['db3ce55a-7f1d-11e1-8ea7-1231380bc196'],
        api_id: 'db342550-7f1d-11e1-8ea7-1231380bc196',
      },
      'accepted',
      'db3ce55a-7f1d-11e1-8ea7-1231380bc196',
    ],
    [400, { api_id: 'db342550', error: 'dst parameter is invalid' }, 'rejected', '400'],
    [401, 'Could not verify your access level for that URL.', 'connection', '401'],
    [402, '', 'connection', '402'],
    [202, { message_uuid: [], invalid_number: ['447700900123'] }, 'rejected', 'INVALID_NUMBER'],
    [429, '', 'throttled', '429'],
    [500, '', 'unknown', 'HTTP 500'],
  ],
  receipts: [
    [
      {
        ...{ MessageUUID: 'db3ce55a', Status: 'delivered', To: '447700900123', From: '447400999999' },
        ...{ ErrorCode: '000', Units: '1', TotalRate: '0.00350', TotalAmount: '0.00350', MCC: '234', MNC: '15' },
      },
      {
        ...{ external_id: 'db3ce55a', status: 'delivered', code: null, reference: 4711, number: '447700900123' },
        detail: { id: 'db3ce55a', state: 'delivered', price: '0.00350 USD' },
      },
    ],
    [{ MessageUUID: 'db3ce55a', Status: 'sent' }, { status: 'sent' }],
    [
      { MessageUUID: '5b40a428', ParentMessageUUID: 'db3ce55a', PartInfo: '2 of 2', Status: 'delivered' },
      { external_id: 'db3ce55a', status: 'delivered' },
    ],
    [
      { MessageUUID: 'db3ce55a', Status: 'undelivered', ErrorCode: '30' },
      { status: 'failed', code: '30' },
    ],
    [
      { MessageUUID: 'db3ce55a', Status: 'rejected', ErrorCode: '50' },
      { status: 'rejected', code: '50' },
    ],
    [
      { MessageUUID: 'db3ce55a', Status: 'undelivered', ErrorCode: '200' },
      { status: 'unsubscribed', code: '200' },
    ],
  ],
  inbound: [
    [
      { MessageUUID: 'i1', From: '447700900123', To: '447400999999', Text: 'Hello', Type: 'sms', Units: '1' },
      { from: '447700900123', to: '447400999999', text: 'Hello', external_id: 'i1' },
    ],
    [
      {
        ...{ MessageUUID: 'i2', From: '447700900123', To: '447400999999', Text: 'See', Type: 'mms' },
        ...{ MediaCount: '1', Media0: 'https://media.plivo.com/1' },
      },
      { text: 'See\nhttps://media.plivo.com/1' },
    ],
  ],
  post(fields, { url, secret }) {
    const nonce = '12345';
    const text = joined(fields);
    const base = text === '' ? url : `${url}${url.includes('?') ? '.' : '?'}${text}`;
    const signature = hmac('sha256', secret, `${base}.${nonce}`).digest('base64');
    return form(fields, { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': nonce });
  },
  receipt: ({ id, from, to, state }) => ({
    ...{ MessageUUID: id, To: to, From: from, ErrorCode: state === 'failed' ? '30' : '000' },
    Status: state === 'failed' ? 'undelivered' : state,
  }),
  text: ({ id, from, to, text }) => ({ MessageUUID: id, From: from, To: to, Text: text, Type: 'sms' }),
};

import { CALLBACK, type Fields, keyed, type ProviderTable, SECRET } from './table.ts';

const receipt = (status: string, code: number): Fields => ({
  ...{ type: 'recipient_delivery_report_sms', batch_id: '01J06CY78GZ2F74YZNNH2VBWR6', recipient: '447700900123' },
  ...{ status, code, at: '2024-06-07T14:03:26.536Z', operator_status_at: '2024-06-07T14:03:00.000Z' },
});

export const sinch: ProviderTable = {
  sources: [
    'https://developers.sinch.com/docs/sms/api-reference/sms/tag/Batches/',
    'https://developers.sinch.com/docs/sms/api-reference/sms/tag/Delivery-reports/',
    'https://developers.sinch.com/docs/sms/api-reference/sms/tag/Webhooks/',
    'https://developers.sinch.com/docs/sms/tutorials/node-sdk/delivery-reports/get-for-number',
  ],
  settings: { service_plan_id: 'sandbox', api_token: SECRET, callback_secret: SECRET },
  verified_by: 'callback_secret',
  request: {
    path: '/xms/v1/sandbox/batches',
    headers: { authorization: `Bearer ${SECRET}` },
    fields: {
      ...{ from: '447400999999', to: ['447700900123'], body: 'Your table is ready', delivery_report: 'per_recipient' },
      ...{ callback_url: `${CALLBACK}?reference=4711&key=${SECRET}`, client_reference: '4711' },
    },
  },
  responses: [
    [
      201,
      {
        id: '01FC66621XXXXX119Z8PMV1QPQ',
        to: ['447700900123'],
        from: '447400999999',
        type: 'mt_text',
        canceled: false,
      },
      'accepted',
      '01FC66621XXXXX119Z8PMV1QPQ',
    ],
    [400, { code: 'syntax_invalid_parameter_format', text: '' }, 'rejected', 'syntax_invalid_parameter_format'],
    [400, { code: 'syntax_constraint_violation', text: '' }, 'invalid', 'syntax_constraint_violation'],
    [401, '', 'connection', 'unauthorized'],
    [403, { code: 'forbidden', text: '' }, 'connection', 'forbidden'],
    [429, '', 'throttled', 'too_many_requests'],
    [500, '', 'unknown', 'HTTP 500'],
  ],
  receipts: [
    [
      receipt('Delivered', 0),
      {
        ...{ external_id: '01J06CY78GZ2F74YZNNH2VBWR6', status: 'delivered', code: null, reference: 4711 },
        ...{ number: '447700900123', at: Date.UTC(2024, 5, 7, 14, 3, 26, 536) },
      },
    ],
    [receipt('Dispatched', 401), { status: 'sent' }],
    [receipt('Failed', 403), { status: 'failed', code: '403' }],
    [receipt('Expired', 406), { status: 'expired', code: '406' }],
    [receipt('Rejected', 402), { status: 'rejected', code: '402' }],
    [receipt('Rejected', 412), { status: 'unsubscribed', code: '412' }],
  ],
  inbound: [
    [
      {
        ...{ type: 'mo_text', id: '01FC66621XXXXX119Z8PMV1QPA', from: '447700900123', to: '12345' },
        ...{ body: 'Hi', operator_id: '35000', received_at: '2022-08-24T14:15:22Z' },
      },
      {
        ...{ from: '447700900123', to: '12345', text: 'Hi', external_id: '01FC66621XXXXX119Z8PMV1QPA' },
        at: Date.UTC(2022, 7, 24, 14, 15, 22),
      },
    ],
  ],
  post: keyed,
  receipt: ({ id, from, to, state }) => ({
    ...{ type: 'recipient_delivery_report_sms', batch_id: id, recipient: to, originator: from },
    ...{ code: state === 'failed' ? 403 : 0 },
    status: { sent: 'Dispatched', delivered: 'Delivered', failed: 'Failed' }[state],
  }),
  text: ({ id, from, to, text }) => ({ type: 'mo_text', id, from, to, body: text }),
};

import { CALLBACK, type Fields, keyed, type ProviderTable, SECRET } from './table.ts';

const BATCH = '01KE00PARLEY4711AAAAAAAAAA';

const receipt = (status: string, code: number, more: Fields = {}): Fields => ({
  ...{ type: 'recipient_delivery_report_sms', batch_id: BATCH, recipient: '447700900123', status, code },
  ...{ at: '2026-01-02T03:04:05.536Z', operator_status_at: '2026-01-02T03:04:00.000Z', client_reference: '4711' },
  ...more,
});

export const sinch: ProviderTable = {
  sources: [
    'https://developers.sinch.com/docs/sms/api-reference/sms/tag/Batches/',
    'https://developers.sinch.com/docs/sms/api-reference/sms/tag/Delivery-reports/',
    'https://developers.sinch.com/docs/sms/api-reference/sms/tag/Webhooks/',
    'https://developers.sinch.com/docs/sms/api-reference/sms/delivery-reports/delivery-report-error-codes',
    'https://github.com/sinch/sinch-sdk-node/blob/main/packages/sms/src/models/v1/recipient-delivery-report/' +
      'recipient-delivery-report.ts',
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
        ...{ id: BATCH, to: ['447700900123'], from: '447400999999', body: 'Your table is ready', type: 'mt_text' },
        ...{ canceled: false, created_at: '2026-01-02T03:04:04.000Z', modified_at: '2026-01-02T03:04:04.000Z' },
        ...{ delivery_report: 'per_recipient', client_reference: '4711', expire_at: '2026-01-02T04:04:04.000Z' },
      },
      'accepted',
      BATCH,
    ],
    [
      400,
      { code: 'syntax_invalid_parameter_format', text: 'The request is not valid' },
      'rejected',
      'syntax_invalid_parameter_format',
    ],
    [
      400,
      { code: 'syntax_constraint_violation', text: 'The request is not valid' },
      'invalid',
      'syntax_constraint_violation',
    ],
    [401, '', 'connection', 'unauthorized'],
    [403, { code: 'forbidden', text: 'The request is not valid' }, 'connection', 'forbidden'],
    [429, '', 'throttled', 'too_many_requests'],
    [500, '', 'unknown', 'HTTP 500'],
  ],
  receipts: [
    [
      receipt('Delivered', 0, { applied_originator: '447400999999', operator: '23415' }),
      {
        ...{ external_id: BATCH, status: 'delivered', code: null, reference: 4711, sender: '447400999999' },
        ...{ number: '447700900123', at: Date.UTC(2026, 0, 2, 3, 4, 5, 536) },
      },
    ],
    [receipt('Dispatched', 401), { status: 'sent' }],
    [receipt('Failed', 11), { status: 'failed', code: '11' }],
    [receipt('Aborted', 406), { status: 'failed', code: '406' }],
    // The account may not send to this region, which does not concern the recipient.
    [receipt('Aborted', 412), { status: 'failed', code: '412' }],
    [receipt('Expired', 0), { status: 'expired', code: null }],
    [receipt('Rejected', 6), { status: 'rejected', code: '6' }],
  ],
  inbound: [
    [
      {
        ...{ type: 'mo_text', id: '01KE00PARLEY4712AAAAAAAAAA', from: '447700900123', to: '12345', body: 'Yes' },
        ...{ operator_id: '23415', sent_at: '2026-01-02T03:04:04Z', received_at: '2026-01-02T03:04:05.304Z' },
      },
      {
        ...{ from: '447700900123', to: '12345', text: 'Yes', external_id: '01KE00PARLEY4712AAAAAAAAAA' },
        at: Date.UTC(2026, 0, 2, 3, 4, 5, 304),
      },
    ],
  ],
  post: keyed,
  receipt: ({ id, to, state }) => ({
    ...{ type: 'recipient_delivery_report_sms', batch_id: id, recipient: to },
    ...{ code: { sent: 401, delivered: 0, failed: 11 }[state], at: '2026-01-02T03:04:05.536Z' },
    status: { sent: 'Dispatched', delivered: 'Delivered', failed: 'Failed' }[state],
  }),
  text: ({ id, from, to, text }) => ({ type: 'mo_text', id, from, to, body: text }),
};

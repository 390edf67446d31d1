/** Sinch's SMS REST API: batches with one recipient, and receipts per recipient. */
import { bearer, first, json, type Refusal, SANDBOX_SECRET, type SmsProvider, text } from './provider.ts';

const CODES: Readonly<Record<Refusal, [status: number, code: string]>> = {
  credentials: [401, 'unauthorized'],
  invalid: [400, 'syntax_constraint_violation'],
  number: [400, 'syntax_invalid_parameter_format'],
  sender: [400, 'syntax_constraint_violation'],
  throttled: [429, 'too_many_requests'],
  busy: [503, ''],
  rejected: [400, 'syntax_constraint_violation'],
};
const STATES = {
  delivered: ['Delivered', 0],
  sent: ['Dispatched', 401],
  expired: ['Expired', 0],
  undelivered: ['Failed', 11],
  rejected: ['Rejected', 6],
} as const;

export const sinch: SmsProvider = {
  name: 'sinch',
  base: '/sinch',
  path: '/sinch/xms/v1/:plan/batches',
  settings: { service_plan_id: 'sandbox', api_token: SANDBOX_SECRET, callback_secret: SANDBOX_SECRET },
  isAllowed: (headers) => bearer(headers) === SANDBOX_SECRET,
  read: (fields) => ({
    from: text(fields.from),
    to: text(first(fields.to)),
    text: text(fields.body),
    callback_url: text(fields.callback_url),
    reference: text(fields.client_reference),
  }),
  accept: (id, { from, to, text: body }) => ({
    status: 201,
    body: { id, to: [to], from, body, type: 'mt_text', canceled: false, delivery_report: 'per_recipient' },
  }),
  refuse(refusal) {
    const [status, code] = CODES[refusal];
    return { status, body: code === '' ? '' : { code, text: 'The batch was not accepted' } };
  },
  receipt({ id, to, state, time, reference }) {
    const [status, code] = STATES[state];
    return json({
      ...{ type: 'recipient_delivery_report_sms', batch_id: id, recipient: to, status, code },
      ...{ at: new Date(time).toISOString(), client_reference: reference },
    });
  },
  inbound: ({ id, from, to, text: body, time }) =>
    json({ type: 'mo_text', id, from, to, body, received_at: new Date(time).toISOString() }),
  calls: [
    {
      method: 'GET',
      path: '/sinch/xms/v1/:plan/batches',
      answer: ({ query, sent }) => ({
        status: 200,
        body: {
          batches: sent('')
            .filter(({ reference }) => reference === query.client_reference)
            .map(({ id, from, to, text: body, reference }) => ({
              id,
              from,
              to: [to],
              body,
              client_reference: reference,
            })),
        },
      }),
    },
  ],
};

import { CALLBACK, type Fields, keyed, type ProviderTable, SECRET } from './table.ts';

const response = (groupName: string, name: string) => ({
  bulkId: '2034072219640523072',
  messages: [{ messageId: '2250be2d4219', status: { groupId: 1, groupName, id: 26, name }, destination: '4179' }],
});
const result = (groupName: string, name: string, more: Fields = {}): Fields => ({
  results: [
    {
      ...{ bulkId: '2034072219640523072', messageId: '2250be2d4219', to: '447700900123', sender: 'InfoSMS' },
      ...{ messageCount: 1, status: { groupName, name }, error: { id: 0, name: 'NO_ERROR', permanent: false } },
      ...more,
    },
  ],
});
const unknown = { groupName: 'HANDSET_ERRORS', id: 1, name: 'EC_UNKNOWN_SUBSCRIBER', permanent: true };

export const infobip: ProviderTable = {
  sources: [
    'https://www.infobip.com/docs/api/channels/sms/outbound-sms/send-sms-messages',
    'https://www.infobip.com/docs/api/channels/sms/outbound-sms/receive-outbound-sms-message-report-v3',
    'https://www.infobip.com/docs/api/channels/sms/inbound-sms/receive-inbound-sms-messages',
    'https://www.infobip.com/docs/essentials/response-status-and-error-codes',
    'https://www.infobip.com/docs/developer-resources/api-fundamentals/message-status-codes',
  ],
  settings: { api_key: SECRET, callback_secret: SECRET },
  verified_by: 'callback_secret',
  request: {
    path: '/sms/3/messages',
    headers: { authorization: `App ${SECRET}` },
    fields: {
      messages: [
        {
          ...{ sender: '447400999999', destinations: [{ to: '447700900123' }] },
          content: { text: 'Your table is ready' },
          options: { validityPeriod: { amount: 60, timeUnit: 'MINUTES' } },
          webhooks: {
            delivery: { url: `${CALLBACK}?reference=4711&key=${SECRET}` },
            contentType: 'application/json',
          },
        },
      ],
    },
  },
  responses: [
    [200, response('PENDING', 'PENDING_ACCEPTED'), 'accepted', '2250be2d4219'],
    [200, response('REJECTED', 'REJECTED_NETWORK'), 'rejected', 'REJECTED_NETWORK'],
    [200, response('REJECTED', 'REJECTED_DND'), 'opted_out', 'REJECTED_DND'],
    [200, response('REJECTED', 'REJECTED_SENDER'), 'config', 'REJECTED_SENDER'],
    [200, response('REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS'), 'connection', 'REJECTED_NOT_ENOUGH_CREDITS'],
    [400, { requestError: { serviceException: { messageId: 'BAD_REQUEST' } } }, 'invalid', 'BAD_REQUEST'],
    [401, { requestError: { serviceException: { messageId: 'UNAUTHORIZED' } } }, 'connection', 'UNAUTHORIZED'],
    [429, { requestError: {} }, 'throttled', 'TOO_MANY_REQUESTS'],
    [500, '', 'unknown', 'HTTP 500'],
  ],
  receipts: [
    [
      result('DELIVERED', 'DELIVERED_TO_HANDSET', {
        ...{ price: { pricePerMessage: 0.01, currency: 'EUR' }, sentAt: '2019-11-09T16:00:00.000+0000' },
        doneAt: '2026-01-02T03:04:05.000+0000',
      }),
      {
        ...{ external_id: '2250be2d4219', status: 'delivered', code: null, reference: 4711, sender: 'InfoSMS' },
        ...{ number: '447700900123', at: Date.UTC(2026, 0, 2, 3, 4, 5) },
        detail: { id: '2250be2d4219', state: 'DELIVERED_TO_HANDSET', price: '0.01 EUR' },
      },
    ],
    [result('PENDING', 'PENDING_ENROUTE'), { status: 'sent' }],
    [result('DELIVERED', 'DELIVERED_TO_OPERATOR'), { status: 'sent', state: 'DELIVERED_TO_OPERATOR' }],
    [result('UNDELIVERABLE', 'UNDELIVERABLE_NOT_DELIVERED', { error: unknown }), { status: 'failed', code: '1' }],
    [result('EXPIRED', 'EXPIRED_EXPIRED', { error: { id: 27 } }), { status: 'expired', code: '27' }],
    [result('REJECTED', 'REJECTED_DESTINATION', { error: { id: 6 } }), { status: 'rejected', code: '6' }],
  ],
  inbound: [
    [
      {
        results: [
          {
            ...{ messageId: '817790313235066447', from: '385916242493', to: '385921004026', keyword: 'QUIZ' },
            ...{ text: 'QUIZ Correct answer is Paris', cleanText: 'Correct answer is Paris', smsCount: 1 },
            receivedAt: '2019-11-09T16:00:00.000+0000',
          },
        ],
        ...{ messageCount: 1, pendingMessageCount: 0 },
      },
      {
        ...{ from: '385916242493', to: '385921004026', text: 'QUIZ Correct answer is Paris' },
        ...{ external_id: '817790313235066447', at: Date.UTC(2019, 10, 9, 16) },
      },
    ],
  ],
  post: keyed,
  receipt: ({ id, from, to, state }) => ({
    results: [
      {
        ...{ messageId: id, to, sender: from },
        status: { groupName: { sent: 'PENDING', delivered: 'DELIVERED', failed: 'UNDELIVERABLE' }[state], name: 'X' },
      },
    ],
  }),
  text: ({ id, from, to, text }) => ({ results: [{ messageId: id, from, to, text }] }),
};

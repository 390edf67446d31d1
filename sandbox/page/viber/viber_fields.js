/** The settings of Viber as the page shows them. */
const hours = 3_600_000;
const percent = { unit: '%' };

export const groups = [
  {
    title: 'Callbacks',
    description: 'Callbacks report the delivery of messages to a service.',
    fields: [
      {
        field: 'delivered_delay_ms',
        title: 'Delivery delay',
        summary: 'delivery delay',
        unit: 'ms',
        help: 'Time from the request to the phone.',
      },
      {
        field: 'delivered_jitter_ms',
        title: 'Delivery jitter',
        summary: 'delivery jitter',
        unit: 'ms',
        help: 'Random extra delay up to this value.',
      },
      {
        field: 'seen_delay_ms',
        title: 'Seen delay',
        summary: 'seen delay',
        unit: 'ms',
        help: 'Time from delivery, on phones that read immediately.',
      },
      { field: 'callbacks_lost_percent', title: 'Lost', summary: 'callbacks lost', ...percent, help: 'Never sent.' },
      {
        field: 'callbacks_twice_percent',
        title: 'Duplicated',
        summary: 'callbacks duplicated',
        ...percent,
        help: 'Sent twice.',
      },
      {
        field: 'bad_signature_percent',
        title: 'Wrong signature first',
        summary: 'callbacks with a wrong signature first',
        ...percent,
        help: 'Then sent again with the right signature.',
      },
      {
        field: 'out_of_order',
        title: 'Out of order',
        summary: 'callbacks out of order',
        help: 'Callbacks are held for a moment, then sent newest first.',
      },
      {
        field: 'seen_without_delivered',
        title: 'Seen without delivered',
        summary: 'seen without delivered',
        help: 'A seen message gets no "delivered" callback.',
      },
    ],
  },
  {
    title: 'Responses to send_message',
    description: 'How Viber responds to a request.',
    fields: [
      {
        field: 'answer_delay_ms',
        title: 'Delay',
        summary: 'response delay',
        unit: 'ms',
        help: 'Time before the response.',
      },
      {
        field: 'answers_lost_percent',
        title: 'Lost responses',
        summary: 'responses lost',
        ...percent,
        help: 'The message is accepted, then the connection is cut.',
      },
      {
        field: 'refused_percent',
        title: 'Refused',
        summary: 'messages refused',
        ...percent,
        help: 'With the status below.',
      },
      {
        field: 'refused_status',
        title: 'Refusal status',
        summary: 'refusal status',
        unit: {
          1: '1 Internal error',
          7: '7 Timeout',
          8: '8 Blocked by the user',
          9: '9 Not a Viber user',
          10: '10 No suitable device',
          13: '13 Not permitted',
          21: '21 Wait for the user',
          43: '43 Service blocked',
          401: '401 Address not allowed',
        },
        help: 'The HTTP status is always 200.',
      },
    ],
  },
  {
    title: 'Sessions',
    description: 'A message from the phone opens a session, in which a service can send session messages.',
    fields: [
      {
        field: 'session_length_ms',
        title: 'Duration',
        summary: 'session duration',
        unit: 'hours',
        factor: hours,
        help: 'Counted from the message that opens the session.',
      },
      {
        field: 'messages_unanswered',
        title: 'Messages without a reply',
        summary: 'session messages without a reply',
        unit: 'at most',
        help: 'In a row. The next message gets status 21.',
      },
      {
        field: 'messages_per_session',
        title: 'Messages per session',
        summary: 'messages per session',
        unit: 'at most',
        help: 'In total, with and without replies.',
      },
    ],
  },
];

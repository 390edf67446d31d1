// Viber's settings as the panel shows them: names, units and how each reads in a sentence.

const hours = 3_600_000;

export const groups = [
  {
    title: 'Callbacks',
    about: 'What a service is told about its messages.',
    fields: [
      {
        field: 'delivered_delay_ms',
        title: 'Delivered after',
        says: 'messages are delivered after',
        unit: 'ms',
        help: 'From the request to the phone.',
      },
      {
        field: 'delivered_jitter_ms',
        title: 'Vary by up to',
        says: 'deliveries vary by up to',
        unit: 'ms',
        help: 'Added at random.',
      },
      {
        field: 'seen_delay_ms',
        title: 'Seen after',
        says: 'messages are seen after',
        unit: 'ms',
        help: 'From the delivery, on phones that read at once.',
      },
      {
        field: 'callbacks_lost_percent',
        title: 'Get lost',
        says: 'callbacks get lost',
        unit: '%',
        help: 'Never sent at all.',
      },
      {
        field: 'callbacks_twice_percent',
        title: 'Come twice',
        says: 'callbacks come twice',
        unit: '%',
        help: 'The same callback again.',
      },
      {
        field: 'bad_signature_percent',
        title: 'Signed wrongly first',
        says: 'callbacks are signed wrongly first',
        unit: '%',
        help: 'Then once more, with the right signature.',
      },
      {
        field: 'out_of_order',
        title: 'Overtake each other',
        says: 'callbacks overtake each other',
        help: 'Held a moment, then last come, first served.',
      },
      {
        field: 'seen_without_delivered',
        title: 'Seen without delivered',
        says: 'seen comes without delivered',
        help: 'Of a message that is seen, only that is told.',
      },
    ],
  },
  {
    title: 'Answers to send_message',
    about: 'What a service hears when it hands in a message.',
    fields: [
      {
        field: 'answer_delay_ms',
        title: 'Come after',
        says: 'answers come after',
        unit: 'ms',
        help: 'The connection stays open so long.',
      },
      {
        field: 'answers_lost_percent',
        title: 'Get lost',
        says: 'answers get lost',
        unit: '%',
        help: 'The message is taken, then the connection is cut.',
      },
      {
        field: 'refused_percent',
        title: 'Are refusals',
        says: 'messages are refused',
        unit: '%',
        help: 'With the status below.',
      },
      {
        field: 'refused_status',
        title: 'Status of a refusal',
        says: 'with status',
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
        help: 'HTTP is 200 all the same.',
      },
    ],
  },
  {
    title: 'Sessions',
    about: 'Opened by a message of the phone; only then may a service write freely.',
    fields: [
      {
        field: 'session_length_ms',
        title: 'Last',
        says: 'sessions last',
        unit: 'hours',
        factor: hours,
        help: 'From the message that opens one.',
      },
      {
        field: 'messages_unanswered',
        title: 'Unanswered messages',
        says: 'unanswered messages',
        unit: 'at most',
        help: 'In a row; the next is status 21.',
      },
      {
        field: 'messages_per_session',
        title: 'Messages in all',
        says: 'messages in a session',
        unit: 'at most',
        help: 'Whatever is answered.',
      },
    ],
  },
];

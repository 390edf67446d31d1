// WhatsApp's settings as the panel shows them: names, units and how each reads in a sentence.
const seconds = 1000;
const percent = { unit: '%' };

export const groups = [
  {
    title: 'Messages',
    about: 'When what becomes of a message happens.',
    fields: [
      { field: 'sent_delay_ms', title: 'Sent after', says: 'sent after', unit: 'ms', help: 'From the call.' },
      {
        field: 'delivered_delay_ms',
        title: 'Delivered after',
        says: 'delivered after',
        unit: 'ms',
        help: 'From being sent, on phones that are on.',
      },
      {
        field: 'read_delay_ms',
        title: 'Read after',
        says: 'read after',
        unit: 'ms',
        help: 'From the delivery, on phones that read at once.',
      },
      {
        field: 'window_refusal',
        title: 'Outside the window',
        says: 'free text outside the window is',
        unit: { answer: 'Refused', webhook: 'Failed later' },
        help: '131047, at the call or by webhook, when the person has not written for 24 hours.',
      },
      {
        field: 'review_delay_ms',
        title: 'Reviews take',
        says: 'reviews take',
        unit: 's',
        factor: seconds,
        help: 'Templates and display names.',
      },
      {
        field: 'verification_required',
        title: 'Numbers need a code',
        says: 'numbers need a code',
        help: 'Before they are registered: 133006.',
      },
    ],
  },
  {
    title: 'Limits',
    about: 'What is too much; 0 is no limit.',
    fields: [
      {
        field: 'throughput_per_second',
        title: 'Throughput',
        says: 'throughput',
        unit: 'a second',
        help: 'Per number: 130429. From 1,000 on the level is HIGH.',
      },
      {
        field: 'pair_seconds',
        title: 'Between two to one person',
        says: 'between two to one person',
        unit: 's',
        help: '131056.',
      },
      {
        field: 'messaging_limit',
        title: 'People in 24 hours',
        says: 'people in 24 hours',
        unit: 'people',
        help: 'Written to outside the window: 131064.',
      },
    ],
  },
  {
    title: 'Answers to calls',
    about: 'What a business hears when it hands in a message.',
    fields: [
      {
        field: 'answer_delay_ms',
        title: 'Come after',
        says: 'answers come after',
        unit: 'ms',
        help: 'The message is taken before.',
      },
      {
        field: 'answers_cut_percent',
        title: 'Never come',
        says: 'answers never come',
        ...percent,
        help: 'The message is taken, the connection cut.',
      },
      {
        field: 'server_errors_percent',
        title: 'Are HTTP 503',
        says: 'answers are HTTP 503',
        ...percent,
        help: 'Code 2; the message is not taken.',
      },
      {
        field: 'fail_code',
        title: 'Refused with code',
        says: 'refused with code',
        unit: 'code',
        help: 'For example 131031; 0 is none.',
      },
      {
        field: 'fail_percent',
        title: 'Refused so often',
        says: 'refused so often',
        ...percent,
        help: 'Of the messages, with the code above.',
      },
      {
        field: 'fail_webhook_code',
        title: 'Fail later with code',
        says: 'fail later with code',
        unit: 'code',
        help: 'Accepted, then failed by webhook; 0 is none.',
      },
    ],
  },
  {
    title: 'Webhooks',
    about: 'How the business is told.',
    fields: [
      { field: 'webhooks_late_ms', title: 'Late by', says: 'webhooks are late by', unit: 'ms', help: 'All of them.' },
      { field: 'webhooks_lost_percent', title: 'Get lost', says: 'webhooks get lost', ...percent, help: 'Never sent.' },
      {
        field: 'webhooks_twice_percent',
        title: 'Come twice',
        says: 'webhooks come twice',
        ...percent,
        help: 'Again after they were answered.',
      },
      {
        field: 'webhooks_bad_signature_percent',
        title: 'Wrongly signed',
        says: 'webhooks are wrongly signed',
        ...percent,
        help: 'Repeated until they are answered 200.',
      },
      {
        field: 'webhooks_out_of_order',
        title: 'Overtake each other',
        says: 'webhooks overtake each other',
        help: 'Held a moment, then last come, first served.',
      },
      {
        field: 'webhook_batch',
        title: 'Most in one',
        says: 'most in one webhook',
        unit: 'items',
        help: 'Messages and statuses, when many wait.',
      },
      {
        field: 'webhook_gather_ms',
        title: 'Wait for company',
        says: 'webhooks wait for company',
        unit: 'ms',
        help: 'Makes few and big ones.',
      },
      {
        field: 'webhook_retry_ms',
        title: 'Repeated after',
        says: 'webhooks are repeated after',
        unit: 'ms',
        help: 'Doubles each time, at most a minute.',
      },
    ],
  },
];

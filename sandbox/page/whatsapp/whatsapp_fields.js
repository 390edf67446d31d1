/** The settings of WhatsApp as the page shows them. */
const seconds = 1000;
const percent = { unit: '%' };

export const groups = [
  {
    title: 'Messages',
    description: 'How long each step takes.',
    fields: [
      { field: 'sent_delay_ms', title: 'Sent delay', summary: 'sent delay', unit: 'ms', help: 'Time from the call.' },
      {
        field: 'delivered_delay_ms',
        title: 'Delivery delay',
        summary: 'delivery delay',
        unit: 'ms',
        help: 'Time from sent, on phones that are on.',
      },
      {
        field: 'read_delay_ms',
        title: 'Read delay',
        summary: 'read delay',
        unit: 'ms',
        help: 'Time from delivery, on phones that read immediately.',
      },
      {
        field: 'window_refusal',
        title: 'Outside the 24-hour window',
        summary: 'free-form messages outside the window',
        unit: { answer: 'Refused', webhook: 'Failed later' },
        help: 'Fails with 131047, in the response or by webhook.',
      },
      {
        field: 'review_delay_ms',
        title: 'Review delay',
        summary: 'review delay',
        unit: 's',
        factor: seconds,
        help: 'For templates and display names.',
      },
      {
        field: 'verification_required',
        title: 'Verify numbers',
        summary: 'number verification',
        help: 'A number must be verified with a code before registration: 133006.',
      },
    ],
  },
  {
    title: 'Limits',
    description: '0 means no limit.',
    fields: [
      {
        field: 'throughput_per_second',
        title: 'Throughput',
        summary: 'throughput',
        unit: 'per second',
        help: 'Per number (130429 above it). The throughput level is HIGH at 1,000 or more.',
      },
      {
        field: 'pair_seconds',
        title: 'Pause per recipient',
        summary: 'pause per recipient',
        unit: 's',
        help: 'Minimum time between two messages to one person (131056 otherwise).',
      },
      {
        field: 'messaging_limit',
        title: 'Recipients in 24 hours',
        summary: 'recipients in 24 hours',
        unit: 'people',
        help: 'Maximum outside the 24-hour window (131064 above it).',
      },
    ],
  },
  {
    title: 'Responses to calls',
    description: 'How WhatsApp responds to a message from a business.',
    fields: [
      {
        field: 'answer_delay_ms',
        title: 'Delay',
        summary: 'response delay',
        unit: 'ms',
        help: 'The message is accepted before the delay.',
      },
      {
        field: 'answers_cut_percent',
        title: 'Lost responses',
        summary: 'responses lost',
        ...percent,
        help: 'The message is accepted, then the connection is cut.',
      },
      {
        field: 'server_errors_percent',
        title: 'HTTP 503',
        summary: 'HTTP 503 responses',
        ...percent,
        help: 'Code 2. The message is not accepted.',
      },
      {
        field: 'fail_code',
        title: 'Refusal code',
        summary: 'refusal code',
        unit: 'code',
        help: 'For example 131031. 0 means none.',
      },
      {
        field: 'fail_percent',
        title: 'Refused',
        summary: 'messages refused',
        ...percent,
        help: 'With the code above.',
      },
      {
        field: 'fail_webhook_code',
        title: 'Failure code',
        summary: 'failure code',
        unit: 'code',
        help: 'Accepted, then failed by webhook. 0 means none.',
      },
    ],
  },
  {
    title: 'Webhooks',
    description: 'How webhooks reach the business.',
    fields: [
      { field: 'webhooks_late_ms', title: 'Delay', summary: 'webhook delay', unit: 'ms', help: 'For all webhooks.' },
      { field: 'webhooks_lost_percent', title: 'Lost', summary: 'webhooks lost', ...percent, help: 'Never sent.' },
      {
        field: 'webhooks_twice_percent',
        title: 'Duplicated',
        summary: 'webhooks duplicated',
        ...percent,
        help: 'Sent again after HTTP 200.',
      },
      {
        field: 'webhooks_bad_signature_percent',
        title: 'Wrong signature',
        summary: 'webhooks with a wrong signature',
        ...percent,
        help: 'Repeated until the response is HTTP 200.',
      },
      {
        field: 'webhooks_out_of_order',
        title: 'Out of order',
        summary: 'webhooks out of order',
        help: 'Webhooks are held for a moment, then sent newest first.',
      },
      {
        field: 'webhook_batch',
        title: 'Batch size',
        summary: 'webhook batch size',
        unit: 'items',
        help: 'Maximum messages and statuses in one webhook.',
      },
      {
        field: 'webhook_gather_ms',
        title: 'Batch delay',
        summary: 'webhook batch delay',
        unit: 'ms',
        help: 'How long a webhook waits for more items.',
      },
      {
        field: 'webhook_retry_ms',
        title: 'Retry delay',
        summary: 'webhook retry delay',
        unit: 'ms',
        help: 'Doubles with each retry, up to one minute.',
      },
    ],
  },
];

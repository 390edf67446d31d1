/** The settings of the carrier as the page shows them. */
const seconds = 1000;
const percent = { unit: '%' };

export const groups = [
  {
    title: 'Delivery receipts',
    description: 'Receipts report the final state of a message.',
    fields: [
      {
        field: 'receipt_delay_ms',
        title: 'Delay',
        summary: 'receipt delay',
        unit: 'ms',
        help: 'Time from delivery to the receipt.',
      },
      {
        field: 'receipt_jitter_ms',
        title: 'Jitter',
        summary: 'receipt jitter',
        unit: 'ms',
        help: 'Random extra delay up to this value.',
      },
      { field: 'receipts_lost_percent', title: 'Lost', summary: 'receipts lost', ...percent, help: 'Never sent.' },
      {
        field: 'receipts_twice_percent',
        title: 'Duplicated',
        summary: 'receipts duplicated',
        ...percent,
        help: 'Sent twice.',
      },
      {
        field: 'out_of_order',
        title: 'Out of order',
        summary: 'receipts out of order',
        help: 'Receipts are held for a moment, then sent newest first.',
      },
      {
        field: 'echo_reference',
        title: 'Echo the reference',
        summary: 'reference in receipts',
        help: 'Receipts repeat user_message_reference.',
      },
      {
        field: 'clock_offset_minutes',
        title: 'Clock',
        summary: 'clock offset',
        unit: 'min',
        help: 'UTC offset of the dates in receipts, in minutes.',
      },
    ],
  },
  {
    title: 'Submit responses',
    description: 'How the carrier responds to submit_sm.',
    fields: [
      {
        field: 'response_delay_ms',
        title: 'Delay',
        summary: 'response delay',
        unit: 'ms',
        help: 'Time before submit_sm_resp.',
      },
      {
        field: 'responses_lost_percent',
        title: 'Lost',
        summary: 'responses lost',
        ...percent,
        help: 'The message is accepted without a response.',
      },
      {
        field: 'throttle_per_second',
        title: 'Rate limit',
        summary: 'rate limit',
        unit: 'per second',
        help: 'ESME_RTHROTTLED above this rate per system_id. 0 means no limit.',
      },
      {
        field: 'id_format',
        title: 'Message IDs',
        summary: 'message IDs',
        unit: {
          decimal: 'Decimal',
          hex: 'Hexadecimal',
          mixed: 'Mixed',
          reversed: 'Mixed, reversed',
          padded: 'Hexadecimal, padded',
        },
        help: 'Mixed: hexadecimal in responses, decimal in receipts. Padded: zeros before the IDs in receipts.',
      },
    ],
  },
  {
    title: 'Formats',
    description: 'How the carrier writes and reads messages.',
    fields: [
      {
        field: 'default_alphabet',
        title: 'Alphabet',
        summary: 'alphabet',
        unit: { gsm7: 'GSM-7', latin1: 'Latin-1', ascii: 'ASCII' },
        help: 'The alphabet of data_coding 0.',
      },
      {
        field: 'validity',
        title: 'Validity periods',
        summary: 'validity periods',
        unit: { any: 'Any', relative: 'Relative', absolute: 'Absolute', none: 'None' },
        help: 'All others are rejected with ESME_RINVEXPIRY.',
      },
      {
        field: 'omitted_country_code',
        title: 'Omitted country code',
        summary: 'omitted country code',
        unit: '',
        help: 'Receipts and replies contain phone numbers without this code. 0 means none.',
      },
    ],
  },
  {
    title: 'Phones and binds',
    description: 'For all phones and all binds.',
    fields: [
      {
        field: 'full_phone',
        title: 'Full phone',
        summary: 'messages to a full phone',
        unit: { refuse: 'Refused', undelivered: 'Undelivered' },
        help: 'Refused at submit (0x14), or accepted and then UNDELIV.',
      },
      {
        field: 'expire_after_ms',
        title: 'Expiry',
        summary: 'expiry',
        unit: 's',
        factor: seconds,
        help: 'For phones that are off, unless the validity period is shorter.',
      },
      {
        field: 'window',
        title: 'Window',
        summary: 'window',
        unit: 'PDUs',
        help: 'Maximum unanswered deliver_sm per bind.',
      },
    ],
  },
];

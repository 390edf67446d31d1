// The carrier's settings as the panel shows them: names, units and how each reads in a sentence.

const seconds = 1000;

export const groups = [
  {
    title: 'Delivery receipts',
    about: 'When a message has reached its end, the carrier says so.',
    fields: [
      {
        field: 'receipt_delay_ms',
        title: 'Come after',
        says: 'receipts come after',
        unit: 'ms',
        help: 'From the delivery to the receipt.',
      },
      {
        field: 'receipt_jitter_ms',
        title: 'Vary by up to',
        says: 'receipts vary by up to',
        unit: 'ms',
        help: 'Added at random.',
      },
      {
        field: 'receipts_lost_percent',
        title: 'Get lost',
        says: 'receipts get lost',
        unit: '%',
        help: 'Never sent at all.',
      },
      {
        field: 'receipts_twice_percent',
        title: 'Come twice',
        says: 'receipts come twice',
        unit: '%',
        help: 'The same receipt again.',
      },
      {
        field: 'out_of_order',
        title: 'Overtake each other',
        says: 'receipts overtake each other',
        help: 'Held a moment, then last come, first served.',
      },
      {
        field: 'echo_reference',
        title: 'Carry the reference',
        says: 'receipts carry the reference',
        help: 'user_message_reference comes back in the receipt.',
      },
    ],
  },
  {
    title: 'Answers to submits',
    about: 'What a business hears when it hands in a message.',
    fields: [
      {
        field: 'response_delay_ms',
        title: 'Come after',
        says: 'answers come after',
        unit: 'ms',
        help: 'submit_sm_resp waits so long.',
      },
      {
        field: 'responses_lost_percent',
        title: 'Get lost',
        says: 'answers get lost',
        unit: '%',
        help: 'The message is taken, nobody says so.',
      },
      {
        field: 'throttle_per_second',
        title: 'Refused above',
        says: 'refused above',
        unit: 'a second',
        help: 'ESME_RTHROTTLED, by system_id; 0 is no limit.',
      },
      {
        field: 'id_format',
        title: 'Message ids',
        says: 'message ids',
        unit: { decimal: 'Decimal', hex: 'Hexadecimal', mixed: 'Mixed' },
        help: 'Mixed: hexadecimal in answers, decimal in receipts.',
      },
    ],
  },
  {
    title: 'Phones and lines',
    about: 'For every phone and every connection.',
    fields: [
      {
        field: 'full_phone',
        title: 'A full phone',
        says: 'a full phone',
        unit: { refuse: 'Refused', undelivered: 'Undelivered' },
        help: 'Refused at submit (0x14), or accepted and then UNDELIV.',
      },
      {
        field: 'expire_after_ms',
        title: 'Waiting ends after',
        says: 'waiting ends after',
        unit: 's',
        factor: seconds,
        help: 'For phones that are off; sooner if the validity period says so.',
      },
      { field: 'window', title: 'Window', says: 'window', unit: 'PDUs', help: 'Unanswered deliver_sm per line.' },
    ],
  },
];

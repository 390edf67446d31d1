// Magic numbers: any phone number with one of these endings has the outcome told here, every time, whatever the carrier panel
// says. The table is the behaviour and, by GET /api/magic and the page, its documentation.
import { STATUS } from '@parley/smpp/status.ts';
import { state } from './message.ts';

/** What is out of the ordinary; what is left out goes the usual way. */
export interface Rule {
  refuse?: number;
  /** Refuse so many times, then accept; without it, always. */
  refuse_times?: number;
  /** No answer to submit_sm: `delivered` takes the message all the same, `lost` never saw it. */
  no_response?: 'delivered' | 'lost';
  receipts?: readonly number[];
  receipt_delay_ms?: number;
  receipt_before_response?: boolean;
  text_only?: boolean;
  auto_reply?: string;
}

export interface MagicNumber {
  ending: string;
  title: string;
  what: string;
  rule: Rule;
}

const longReply =
  'Thank you for writing. I was on the train when your message came, so this answer is a long one: could you move my ' +
  'appointment to Thursday, keep the seat by the window, and tell me whether the price is still 24 €? ' +
  'Спасибо, до встречи 🙂';

const rows: [ending: string, title: string, what: string, rule: Rule][] = [
  ['01', 'Undelivered', 'Accepted, then a receipt UNDELIV.', { receipts: [state.undeliverable] }],
  ['02', 'Refused', 'Refused at submit: ESME_RINVDSTADR (0x0B).', { refuse: STATUS.ESME_RINVDSTADR }],
  ['03', 'Rejected by receipt', 'Accepted, then a receipt REJECTD.', { receipts: [state.rejected] }],
  ['04', 'Expired', 'Accepted, then a receipt EXPIRED.', { receipts: [state.expired] }],
  ['05', 'Never a receipt', 'Accepted and delivered, but no receipt ever comes.', { receipts: [] }],
  ['06', 'Late receipt', 'Delivered; the receipt comes after 10 seconds.', { receipt_delay_ms: 10_000 }],
  [
    '07',
    'Receipt twice',
    'Delivered; the same receipt comes two times.',
    { receipts: [state.delivered, state.delivered] },
  ],
  [
    '08',
    'Receipt before response',
    'The receipt is sent, and answered, before submit_sm_resp leaves.',
    { receipt_before_response: true },
  ],
  [
    '09',
    'Throttled twice',
    'Two times ESME_RTHROTTLED (0x58), then accepted and delivered.',
    { refuse: STATUS.ESME_RTHROTTLED, refuse_times: 2 },
  ],
  [
    '10',
    'Response lost',
    'Accepted and delivered with a receipt, but submit_sm is never answered.',
    { no_response: 'delivered' },
  ],
  ['11', 'No response at all', 'Neither accepted nor answered.', { no_response: 'lost' }],
  ['12', 'System error', 'Refused at submit, every time: ESME_RSYSERR (0x08).', { refuse: STATUS.ESME_RSYSERR }],
  ['13', 'Queue full', 'Refused at submit, every time: ESME_RMSGQFUL (0x14).', { refuse: STATUS.ESME_RMSGQFUL }],
  ['14', 'Answers STOP', 'Delivered; the phone answers "STOP".', { auto_reply: 'STOP' }],
  ['15', 'Answers Thanks', 'Delivered; the phone answers "Thanks".', { auto_reply: 'Thanks' }],
  ['16', 'Long answer', 'Delivered; the phone answers with a text of several parts.', { auto_reply: longReply }],
  [
    '17',
    'Accepted first',
    'A receipt ACCEPTD, then a receipt DELIVRD.',
    { receipts: [state.accepted, state.delivered] },
  ],
  [
    '18',
    'Changes its mind',
    'A receipt UNDELIV, then a receipt DELIVRD.',
    { receipts: [state.undeliverable, state.delivered] },
  ],
  ['19', 'Text receipt', 'Delivered; the receipt is text only, without TLVs.', { text_only: true }],
  [
    '20',
    'Recovers',
    'One ESME_RSYSERR (0x08), then accepted and delivered.',
    { refuse: STATUS.ESME_RSYSERR, refuse_times: 1 },
  ],
];

export const magicNumbers: MagicNumber[] = rows.map(([ending, title, what, rule]) => ({
  ending: `9009${ending}`,
  title,
  what,
  rule,
}));

const byEnding = new Map(magicNumbers.map((magic) => [magic.ending, magic]));

/** Short codes and the like are never magic: at least 9 digits. */
export const magicOf = (digits: string): MagicNumber | undefined =>
  digits.length >= 9 ? byEnding.get(digits.slice(-6)) : undefined;

/** Mail for these local parts is refused, so that a sender's failure paths can be seen. */
export const magicMailboxes = [
  { local_part: 'bounce', title: 'No such mailbox', what: 'Refused for good: 550.', response: 550 },
  { local_part: 'busy', title: 'Busy', what: 'Refused for now, every time: 451.', response: 451 },
] as const;

export const mailRefusal = (address: string): (typeof magicMailboxes)[number] | undefined =>
  magicMailboxes.find(({ local_part }) => address.toLowerCase().startsWith(`${local_part}@`));

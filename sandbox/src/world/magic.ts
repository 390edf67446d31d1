/**
 * Magic numbers: any phone number with one of these endings always has the outcome listed here, regardless of the
 * carrier settings. The table both defines the behavior and documents it (on the page and in GET /api/magic).
 */
import { STATUS } from '@parley/smpp/status.ts';
import { state } from './message.ts';

/** How a magic number differs from an ordinary one. */
interface Rule {
  refuse?: number;
  /** How many times the submission is refused before it is accepted. If absent, it is always refused. */
  refuse_times?: number;
  /** The submit_sm gets no response: `delivered` accepts the message anyway, `lost` drops it. */
  no_response?: 'delivered' | 'lost';
  receipts?: readonly number[];
  receipt_delay_ms?: number;
  receipt_before_response?: boolean;
  text_only?: boolean;
  auto_reply?: string;
}

interface MagicNumber {
  ending: string;
  title: string;
  what: string;
  rule: Rule;
}

const longReply =
  'Thank you for writing. I was on the train when your message arrived, so this reply is a long one: could you move ' +
  'my appointment to Thursday, keep the seat by the window, and tell me whether the price is still 24 €? ' +
  'Спасибо, до встречи 🙂';

const rows: [ending: string, title: string, what: string, rule: Rule][] = [
  ['01', 'Undelivered', 'Accepted, then a receipt with UNDELIV.', { receipts: [state.undeliverable] }],
  ['02', 'Refused', 'Refused at submit: ESME_RINVDSTADR (0x0B).', { refuse: STATUS.ESME_RINVDSTADR }],
  ['03', 'Rejected by receipt', 'Accepted, then a receipt with REJECTD.', { receipts: [state.rejected] }],
  ['04', 'Expired', 'Accepted, then a receipt with EXPIRED.', { receipts: [state.expired] }],
  ['05', 'No receipt', 'Accepted and delivered, but no receipt is sent.', { receipts: [] }],
  ['06', 'Late receipt', 'Delivered; the receipt arrives after 10 seconds.', { receipt_delay_ms: 10_000 }],
  [
    '07',
    'Receipt twice',
    'Delivered; the same receipt is sent twice.',
    { receipts: [state.delivered, state.delivered] },
  ],
  [
    '08',
    'Receipt before response',
    'The receipt is sent and acknowledged before submit_sm_resp.',
    { receipt_before_response: true },
  ],
  [
    '09',
    'Throttled twice',
    'ESME_RTHROTTLED (0x58) twice, then accepted and delivered.',
    { refuse: STATUS.ESME_RTHROTTLED, refuse_times: 2 },
  ],
  [
    '10',
    'Response lost',
    'Accepted and delivered with a receipt, but submit_sm gets no response.',
    { no_response: 'delivered' },
  ],
  ['11', 'No response at all', 'Not accepted, and submit_sm gets no response.', { no_response: 'lost' }],
  ['12', 'System error', 'Refused at submit, every time: ESME_RSYSERR (0x08).', { refuse: STATUS.ESME_RSYSERR }],
  ['13', 'Queue full', 'Refused at submit, every time: ESME_RMSGQFUL (0x14).', { refuse: STATUS.ESME_RMSGQFUL }],
  ['14', 'Replies STOP', 'Delivered; the phone replies "STOP".', { auto_reply: 'STOP' }],
  ['15', 'Replies Thanks', 'Delivered; the phone replies "Thanks".', { auto_reply: 'Thanks' }],
  ['16', 'Long reply', 'Delivered; the phone replies with a text of several parts.', { auto_reply: longReply }],
  [
    '17',
    'Accepted first',
    'A receipt with ACCEPTD, then one with DELIVRD.',
    { receipts: [state.accepted, state.delivered] },
  ],
  [
    '18',
    'Changes its mind',
    'A receipt with UNDELIV, then one with DELIVRD.',
    { receipts: [state.undeliverable, state.delivered] },
  ],
  ['19', 'Text receipt', 'Delivered; the receipt is text only, without TLVs.', { text_only: true }],
  [
    '20',
    'Recovers',
    'ESME_RSYSERR (0x08) once, then accepted and delivered.',
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

/** Finds the magic number. Numbers with fewer than 9 digits, such as short codes, are never magic. */
export const findMagic = (digits: string): MagicNumber | undefined =>
  digits.length >= 9 ? byEnding.get(digits.slice(-6)) : undefined;

/** Emails to these local parts are refused, to test how senders handle errors. */
export const magicMailboxes = [
  { local_part: 'bounce', title: 'No such mailbox', what: 'Refused permanently: 550.', response: 550 },
  { local_part: 'busy', title: 'Busy', what: 'Refused temporarily, every time: 451.', response: 451 },
] as const;

export const findMailRefusal = (address: string): (typeof magicMailboxes)[number] | undefined =>
  magicMailboxes.find(({ local_part }) => address.toLowerCase().startsWith(`${local_part}@`));

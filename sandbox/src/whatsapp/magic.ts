/**
 * Magic numbers for WhatsApp: a phone number with one of these endings always has the outcome listed here. The table
 * both defines the behavior and documents it (on the page and in GET /api/magic).
 */

export interface WhatsappRule {
  /** The call is refused with this code, `refuse_times` times or always. */
  refuse?: number;
  refuse_times?: number;
  /** The connection is dropped, either after the message was accepted (`accepted`) or before (`lost`). */
  cut?: 'accepted' | 'lost';
  /** The message is accepted, and then a webhook reports that it failed; `only` limits this to some messages. */
  fail?: number;
  only?: 'marketing' | 'media';
  statuses?: 'none' | 'sent_only' | 'late' | 'twice' | 'reversed' | 'read_at_once' | 'before_response';
  reply?: 'STOP' | 'Thanks' | 'picture' | 'press';
}

interface WhatsappMagic {
  ending: string;
  title: string;
  what: string;
  rule: WhatsappRule;
}

const rows: [ending: string, title: string, what: string, rule: WhatsappRule][] = [
  ['01', 'Not on WhatsApp', 'Accepted, then failed by webhook: 131026.', { fail: 131026 }],
  ['02', 'Refused', 'Refused at the call, every time: 131026.', { refuse: 131026 }],
  ['03', 'Healthy ecosystem', 'Accepted, then failed by webhook: 131049.', { fail: 131049 }],
  [
    '04',
    'No marketing',
    'Marketing templates fail by webhook: 131050; anything else is delivered.',
    { fail: 131050, only: 'marketing' },
  ],
  ['05', 'No statuses', 'Accepted and delivered, but no status is sent.', { statuses: 'none' }],
  ['06', 'Late status', 'Delivered; the status arrives after 10 seconds.', { statuses: 'late' }],
  ['07', 'Statuses twice', 'Delivered and read; each status is sent twice.', { statuses: 'twice' }],
  ['08', 'Statuses reversed', 'Read, then delivered, then sent.', { statuses: 'reversed' }],
  ['09', 'Throttled twice', '130429 twice, then accepted and delivered.', { refuse: 130429, refuse_times: 2 }],
  [
    '10',
    'Response lost',
    'Accepted and delivered, but the connection is cut before the response.',
    { cut: 'accepted' },
  ],
  ['11', 'No response at all', 'The connection is cut and the message is not accepted.', { cut: 'lost' }],
  ['12', 'System error', 'Refused at the call, every time: 131000.', { refuse: 131000 }],
  ['13', 'Too many to one person', 'Refused at the call, every time: 131056.', { refuse: 131056 }],
  ['14', 'Replies STOP', 'Delivered; the phone replies "STOP".', { reply: 'STOP' }],
  ['15', 'Replies Thanks', 'Delivered; the phone replies "Thanks".', { reply: 'Thanks' }],
  ['16', 'Replies with a picture', 'Delivered; the phone sends a picture with a caption.', { reply: 'picture' }],
  ['17', 'Only sent', 'Sent, but never delivered.', { statuses: 'sent_only' }],
  ['18', 'Read immediately', 'Sent, delivered, and read at the same moment.', { statuses: 'read_at_once' }],
  ['19', 'Presses a button', 'Delivered; the first quick reply is pressed.', { reply: 'press' }],
  ['20', 'Recovers', '131016 once, then accepted and delivered.', { refuse: 131016, refuse_times: 1 }],
  ['21', 'In an experiment', 'Accepted, then failed by webhook: 130472.', { fail: 130472 }],
  [
    '22',
    'Media fails',
    'Messages with a file fail by webhook: 131053; anything else is delivered.',
    { fail: 131053, only: 'media' },
  ],
  ['23', 'Window closed', 'Accepted, then failed by webhook: 131047.', { fail: 131047 }],
  [
    '24',
    'Status before response',
    'The "sent" status is sent and acknowledged before the response to the call.',
    { statuses: 'before_response' },
  ],
];

export const whatsappMagicNumbers: WhatsappMagic[] = rows.map(([ending, title, what, rule]) => ({
  ending: `9008${ending}`,
  title,
  what,
  rule,
}));

const byEnding = new Map(whatsappMagicNumbers.map((magic) => [magic.ending, magic]));

export const findWhatsappMagic = (digits: string): WhatsappMagic | undefined =>
  digits.length >= 9 ? byEnding.get(digits.slice(-6)) : undefined;

interface TemplateWord {
  word: string;
  status: 'REJECTED' | 'PENDING' | 'APPROVED';
  reason: string;
  what: string;
}

const rejected = (word: string, reason: string): TemplateWord => ({
  word,
  status: 'REJECTED',
  reason,
  what: `Rejected: ${reason}.`,
});

/** Any of these words in a template's name or body determines the outcome of its review. Case is ignored. */
export const templateWords: TemplateWord[] = [
  rejected('reject_abusive', 'ABUSIVE_CONTENT'),
  rejected('reject_category', 'INCORRECT_CATEGORY'),
  rejected('reject_format', 'INVALID_FORMAT'),
  rejected('reject_promotional', 'PROMOTIONAL'),
  rejected('reject_mismatch', 'TAG_CONTENT_MISMATCH'),
  rejected('reject_scam', 'SCAM'),
  rejected('reject_none', 'NONE'),
  { word: 'stay_pending', status: 'PENDING', reason: 'NONE', what: 'Stays PENDING until you decide.' },
  { word: 'pause_later', status: 'APPROVED', reason: 'NONE', what: 'Approved; PAUSED once it is sent.' },
  { word: 'disable_later', status: 'APPROVED', reason: 'NONE', what: 'Approved; DISABLED once it is sent.' },
  { word: 'recategorize', status: 'APPROVED', reason: 'NONE', what: 'Approved, and moved to MARKETING.' },
];

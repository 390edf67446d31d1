// Magic numbers of WhatsApp: a phone with one of these endings has the outcome told here, every time. The table is the behaviour
// and, by GET /api/magic and the page, its documentation.

export interface WhatsappRule {
  /** Refused at the call with this code; so many times, or always. */
  refuse?: number;
  refuse_times?: number;
  /** The connection is cut: the message was taken, or was not. */
  cut?: 'taken' | 'lost';
  /** Accepted, then failed by webhook; `only` says for which messages. */
  fail?: number;
  only?: 'marketing' | 'media';
  statuses?: 'none' | 'sent_only' | 'late' | 'twice' | 'reversed' | 'read_at_once' | 'before_answer';
  answers?: 'STOP' | 'Thanks' | 'picture' | 'press';
}

export interface WhatsappMagic {
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
  ['05', 'Never a status', 'Accepted and delivered, but no status ever comes.', { statuses: 'none' }],
  ['06', 'Late status', 'Delivered; the status comes after 10 seconds.', { statuses: 'late' }],
  ['07', 'Statuses twice', 'Delivered and read; each status comes two times.', { statuses: 'twice' }],
  ['08', 'Statuses reversed', 'Read, then delivered, then sent.', { statuses: 'reversed' }],
  ['09', 'Throttled twice', 'Two times 130429, then accepted and delivered.', { refuse: 130429, refuse_times: 2 }],
  ['10', 'Answer lost', 'Taken and delivered, but the connection is cut before the answer.', { cut: 'taken' }],
  ['11', 'No answer at all', 'The connection is cut; the message was not taken.', { cut: 'lost' }],
  ['12', 'System error', 'Refused at the call, every time: 131000.', { refuse: 131000 }],
  ['13', 'Too many to one person', 'Refused at the call, every time: 131056.', { refuse: 131056 }],
  ['14', 'Answers STOP', 'Delivered; the phone answers "STOP".', { answers: 'STOP' }],
  ['15', 'Answers Thanks', 'Delivered; the phone answers "Thanks".', { answers: 'Thanks' }],
  ['16', 'Answers with a picture', 'Delivered; the phone sends a picture with a caption.', { answers: 'picture' }],
  ['17', 'Only sent', 'Sent, and never delivered: one tick for ever.', { statuses: 'sent_only' }],
  ['18', 'Read at once', 'Sent, delivered and read in the same moment.', { statuses: 'read_at_once' }],
  ['19', 'Presses a button', 'Delivered; the first quick reply is pressed.', { answers: 'press' }],
  ['20', 'Recovers', 'One 131016, then accepted and delivered.', { refuse: 131016, refuse_times: 1 }],
  ['21', 'In an experiment', 'Accepted, then failed by webhook: 130472.', { fail: 130472 }],
  [
    '22',
    'Media fails',
    'What has a file fails by webhook: 131053; anything else is delivered.',
    { fail: 131053, only: 'media' },
  ],
  ['23', 'Window closed', 'Accepted, then failed by webhook: 131047.', { fail: 131047 }],
  [
    '24',
    'Status before answer',
    'The status sent is told, and answered, before the answer to the call leaves.',
    { statuses: 'before_answer' },
  ],
];

export const whatsappMagic: WhatsappMagic[] = rows.map(([ending, title, what, rule]) => ({
  ending: `9008${ending}`,
  title,
  what,
  rule,
}));

const byEnding = new Map(whatsappMagic.map((magic) => [magic.ending, magic]));

export const whatsappMagicOf = (digits: string): WhatsappMagic | undefined =>
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

/** Anywhere in the name or the body of a template, whatever the case: what becomes of it. */
export const templateWords: TemplateWord[] = [
  rejected('reject_abusive', 'ABUSIVE_CONTENT'),
  rejected('reject_category', 'INCORRECT_CATEGORY'),
  rejected('reject_format', 'INVALID_FORMAT'),
  rejected('reject_promotional', 'PROMOTIONAL'),
  rejected('reject_mismatch', 'TAG_CONTENT_MISMATCH'),
  rejected('reject_scam', 'SCAM'),
  rejected('reject_none', 'NONE'),
  { word: 'stay_pending', status: 'PENDING', reason: 'NONE', what: 'Stays PENDING until somebody decides.' },
  { word: 'pause_later', status: 'APPROVED', reason: 'NONE', what: 'Approved; PAUSED once it was sent.' },
  { word: 'disable_later', status: 'APPROVED', reason: 'NONE', what: 'Approved; DISABLED once it was sent.' },
  { word: 'recategorize', status: 'APPROVED', reason: 'NONE', what: 'Approved, and moved to MARKETING.' },
];

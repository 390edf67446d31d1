// Magic numbers of Viber: a phone number with one of these endings does on Viber what is told here, every time, whatever the settings
// say. They are other endings than those of SMS, so that one number never means two things.
import { status } from './statuses.ts';

/** What is out of the ordinary; what is left out goes the usual way. */
export interface ViberRule {
  refuse?: number;
  /** Refuse so many times, then take it; without it, always. */
  refuse_times?: number;
  /** The connection is cut without an answer; the message is taken, or never was. */
  cut?: 'taken' | 'lost';
  answer_after_ms?: number;
  expires?: true;
  untold?: true;
  delivered_after_ms?: number;
  twice?: true;
  seen?: 'only' | 'first' | 'never';
  wrong_signature?: true;
  reply?: string;
  reply_picture?: true;
  blocks?: true;
  presses?: true;
}

export interface ViberMagic {
  ending: string;
  title: string;
  what: string;
  rule: ViberRule;
}

const rows: [ending: string, title: string, what: string, rule: ViberRule][] = [
  ['01', 'Not on Viber', 'Refused: status 9, not a Viber user.', { refuse: status.not_viber_user }],
  ['02', 'Blocked by the user', 'Refused: status 8.', { refuse: status.user_blocked }],
  ['03', 'No suitable device', 'Refused: status 10.', { refuse: status.no_suitable_device }],
  ['04', 'Internal error', 'Refused, every time: status 1.', { refuse: status.internal }],
  ['05', 'Timeout', 'Refused, every time: status 7.', { refuse: status.timeout }],
  ['06', 'Recovers', 'One status 1, then taken and delivered.', { refuse: status.internal, refuse_times: 1 }],
  ['07', 'Expired', 'Taken, then a callback that it expired.', { expires: true }],
  ['08', 'Never a callback', 'Delivered and seen, but no callback ever comes.', { untold: true }],
  ['09', 'Late callback', 'Delivered after 10 seconds.', { delivered_after_ms: 10_000 }],
  ['10', 'Callbacks twice', 'Every callback comes two times.', { twice: true }],
  ['11', 'Seen, not delivered', 'The callback "seen" comes, "delivered" never does.', { seen: 'only' }],
  ['12', 'Seen before delivered', 'The callback "seen" comes before "delivered".', { seen: 'first' }],
  ['13', 'Never seen', 'Delivered; nobody ever looks at it.', { seen: 'never' }],
  [
    '14',
    'Wrong signature first',
    'Every callback comes with a wrong signature first, then with the right one.',
    { wrong_signature: true },
  ],
  ['15', 'Answer lost', 'Taken and delivered, but the connection is cut before the answer.', { cut: 'taken' }],
  ['16', 'No answer at all', 'The connection is cut and nothing was taken.', { cut: 'lost' }],
  ['17', 'Answers STOP', 'Delivered; the phone answers "STOP".', { reply: 'STOP' }],
  ['18', 'Answers Thanks', 'Delivered; the phone answers "Thanks".', { reply: 'Thanks' }],
  ['19', 'Answers with a picture', 'Delivered; the phone answers with a picture.', { reply_picture: true }],
  ['20', 'Blocks the sender', 'Delivered; then the phone blocks the service, which is told so.', { blocks: true }],
  ['21', 'Presses the button', 'Delivered; then the address of the button is opened.', { presses: true }],
  ['22', 'Not permitted', 'Refused: status 13.', { refuse: status.not_permitted }],
  [
    '23',
    'Wait for the user',
    'Refused: status 21, as when a session has had its messages.',
    { refuse: status.wait_for_user },
  ],
  ['24', 'Invalid number', 'Refused: status 27.', { refuse: status.invalid_phone }],
  ['25', 'Slow answer', 'Taken; the answer comes after 5 seconds.', { answer_after_ms: 5_000 }],
];

export const viberMagicNumbers: ViberMagic[] = rows.map(([ending, title, what, rule]) => ({
  ending: `9007${ending}`,
  title,
  what,
  rule,
}));

const byEnding = new Map(viberMagicNumbers.map((magic) => [magic.ending, magic]));

export const viberMagicOf = (digits: string): ViberMagic | undefined =>
  digits.length >= 9 ? byEnding.get(digits.slice(-6)) : undefined;

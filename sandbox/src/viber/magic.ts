/**
 * Magic numbers for Viber: a phone number with one of these endings always has the outcome listed here, regardless of
 * the settings. The endings differ from those for SMS, so that each number has only one meaning.
 */
import { status } from './statuses.ts';

/** How a magic number differs from an ordinary one. */
export interface ViberRule {
  refuse?: number;
  /** How many times the request is refused before it is accepted. If absent, it is always refused. */
  refuse_times?: number;
  /**
   * The connection is dropped without a response, either after the message was accepted (`accepted`) or before
   * (`lost`).
   */
  cut?: 'accepted' | 'lost';
  respond_after_ms?: number;
  expires?: true;
  /** True if no callbacks are sent. */
  silent?: true;
  delivered_after_ms?: number;
  twice?: true;
  seen?: 'only' | 'first' | 'never';
  wrong_signature?: true;
  reply?: string;
  reply_picture?: true;
  blocks?: true;
  presses?: true;
}

interface ViberMagic {
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
  ['06', 'Recovers', 'Status 1 once, then accepted and delivered.', { refuse: status.internal, refuse_times: 1 }],
  ['07', 'Expired', 'Accepted, then an "expired" callback.', { expires: true }],
  ['08', 'No callbacks', 'Delivered and seen, but no callback is sent.', { silent: true }],
  ['09', 'Late callback', 'Delivered after 10 seconds.', { delivered_after_ms: 10_000 }],
  ['10', 'Callbacks twice', 'Every callback is sent twice.', { twice: true }],
  ['11', 'Seen, not delivered', 'Only the "seen" callback is sent, not "delivered".', { seen: 'only' }],
  ['12', 'Seen before delivered', 'The "seen" callback is sent before "delivered".', { seen: 'first' }],
  ['13', 'Never seen', 'Delivered, but never seen.', { seen: 'never' }],
  [
    '14',
    'Wrong signature first',
    'Every callback is sent with a wrong signature first, then with the right one.',
    { wrong_signature: true },
  ],
  [
    '15',
    'Response lost',
    'Accepted and delivered, but the connection is cut before the response.',
    { cut: 'accepted' },
  ],
  ['16', 'No response at all', 'The connection is cut and the message is not accepted.', { cut: 'lost' }],
  ['17', 'Replies STOP', 'Delivered; the phone replies "STOP".', { reply: 'STOP' }],
  ['18', 'Replies Thanks', 'Delivered; the phone replies "Thanks".', { reply: 'Thanks' }],
  ['19', 'Replies with a picture', 'Delivered; the phone replies with a picture.', { reply_picture: true }],
  ['20', 'Blocks the sender', 'Delivered; then the phone blocks the service, which gets a callback.', { blocks: true }],
  ['21', 'Presses the button', 'Delivered; then the phone opens the button’s URL.', { presses: true }],
  ['22', 'Not permitted', 'Refused: status 13. Three in a row pause the connection.', { refuse: status.not_permitted }],
  [
    '23',
    'Wait for the user',
    'Refused: status 21, as when a session has reached its limit.',
    { refuse: status.wait_for_user },
  ],
  ['24', 'Invalid number', 'Refused: status 27.', { refuse: status.invalid_phone }],
  ['25', 'Slow response', 'Accepted; the response arrives after 5 seconds.', { respond_after_ms: 5_000 }],
];

export const viberMagicNumbers: ViberMagic[] = rows.map(([ending, title, what, rule]) => ({
  ending: `9007${ending}`,
  title,
  what,
  rule,
}));

const byEnding = new Map(viberMagicNumbers.map((magic) => [magic.ending, magic]));

export const findViberMagic = (digits: string): ViberMagic | undefined =>
  digits.length >= 9 ? byEnding.get(digits.slice(-6)) : undefined;

/** Returns the rule for a magic number, or an empty rule for any other number. */
export const viberRule = (digits: string): ViberRule => findViberMagic(digits)?.rule ?? {};

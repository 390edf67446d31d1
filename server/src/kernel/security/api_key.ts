/**
 * The text of an API key: a prefix that scanners for leaked secrets recognize, 30 random characters, and a checksum of
 * 6, so that a mistyped or cut key is refused without a lookup. The format is `\bparley_(test_)?[0-9A-Za-z]{36}\b`.
 * Older keys are 32 hexadecimal digits and stay valid.
 */
import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'parley_';
const TEST_PREFIX = 'parley_test_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM = 30;
const CHECKSUM = 6;
/** The number of characters after the prefix that lists show. */
const SHOWN = 5;

export function newApiKey(test = false): string {
  const random = Array.from({ length: RANDOM }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${test ? TEST_PREFIX : PREFIX}${random}${checksum(random)}`;
}

const prefix = (key: string): string => (key.startsWith(TEST_PREFIX) ? TEST_PREFIX : PREFIX);

/** The characters that identify a key in lists: its start and its end. */
export const shownParts = (key: string): { start: string; hint: string } => ({
  start: key.startsWith(PREFIX) ? key.slice(0, prefix(key).length + SHOWN) : '',
  hint: key.slice(-4),
});

/** False if the key has the prefix but not the checksum. Keys without the prefix have no checksum. */
export function isIntact(key: string): boolean {
  if (!key.startsWith(PREFIX)) return true;
  const text = key.slice(prefix(key).length);
  return text.length === RANDOM + CHECKSUM && checksum(text.slice(0, RANDOM)) === text.slice(RANDOM);
}

function checksum(text: string): string {
  let left = crc32(text);
  let result = '';
  for (let digit = 0; digit < CHECKSUM; digit++) {
    result = ALPHABET[left % ALPHABET.length] + result;
    left = Math.floor(left / ALPHABET.length);
  }
  return result;
}

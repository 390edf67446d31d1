import { expect, test } from 'vitest';
import { plainName } from './common.ts';

const name = plainName({ max: 60 });

test.each([
  ['  Harbour \u00a0 Coffee\u3000', 'Harbour Coffee'],
  ['Zoe\u0308 O’Neill-Smith', 'Zoë O’Neill-Smith'],
  ['A/B Testing (North) № 7, Co. Ltd.', 'A/B Testing (North) № 7, Co. Ltd.'],
  ['Vance Tea 🫖', 'Vance Tea 🫖'],
  ['The 👩‍👩‍👧 & ❤️‍🔥 shop', 'The 👩‍👩‍👧 & ❤️‍🔥 shop'],
  ['علی\u200cرضا', 'علی\u200cرضا'],
  ['李小龍', '李小龍'],
  ['', ''],
  [' \t ', ''],
])('%j becomes %j', (text, expected) => {
  expect(name.parse(text)).toBe(expected);
});

test.each([
  ['only invisible characters', '\u200b\u200b'],
  ['a letter that looks blank', 'Ann \u3164'],
  ['a change of direction', '\u202eevil'],
  ['an invisible character at the end', 'Harbour Coffee\u200b'],
  ['a joiner between Latin letters', 'Har\u200dbour'],
  ['a soft hyphen', 'Har\u00adbour'],
  ['a bell', 'Harbour\u0007'],
  ['punctuation only', '—…!'],
  ['a blank Braille pattern only', '\u2800\u2800'],
])('a name is refused with %s', (_, text) => {
  expect(name.safeParse(text).success).toBe(false);
});

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
])('plainName turns %j into %j', (text, expected) => {
  expect(name.parse(text)).toBe(expected);
});

test.each([
  ['only invisible characters', '\u200b\u200b'],
  ['a letter that looks blank', 'Ann \u3164'],
  ['a text direction override', '\u202eevil'],
  ['an invisible character at the end', 'Harbour Coffee\u200b'],
  ['a joiner between Latin letters', 'Har\u200dbour'],
  ['a soft hyphen', 'Har\u00adbour'],
  ['a bell character', 'Harbour\u0007'],
  ['only punctuation', '—…!'],
  ['only blank Braille patterns', '\u2800\u2800'],
])('plainName rejects a name with %s', (_, text) => {
  expect(name.safeParse(text).success).toBe(false);
});

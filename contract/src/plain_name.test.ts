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
])('%j becomes %j', (given, kept) => {
  expect(name.parse(given)).toBe(kept);
});

test.each([
  ['nothing to be seen', '\u200b\u200b'],
  ['a letter that is a blank', 'Ann \u3164'],
  ['turned around', '\u202eevil'],
  ['hidden between letters', 'Harbour Coffee\u200b'],
  ['joined where nothing joins', 'Har\u200dbour'],
  ['a soft hyphen', 'Har\u00adbour'],
  ['a bell', 'Harbour\u0007'],
  ['signs alone', '—…!'],
  ['a blank of Braille alone', '\u2800\u2800'],
])('a name is refused with %s', (_, given) => {
  expect(name.safeParse(given).success).toBe(false);
});

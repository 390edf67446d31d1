import { expect, test } from 'vitest';
import { isInvisible } from './visible_text.ts';

test.each([
  ['zero-width spaces and joiners', '\u200b\u200c\u200d\ufeff', true],
  ['marks of the writing direction', '\u202e\u2066\u200f', true],
  ['spaces and line breaks', ' \n\u00a0\u3000', true],
  ['a Hangul filler', '\u3164', true],
  ['nothing', '', false],
  ['a letter among them', '\u200ba\u200b', false],
  ['an emoji with joiners', '👨‍👩‍👧', false],
  ['a single combining mark', '\u0301', false],
])('a text of %s is recognized', (_, text, expected) => {
  expect(isInvisible(text)).toBe(expected);
});

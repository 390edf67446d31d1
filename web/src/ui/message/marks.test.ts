import { expect, test } from 'vitest';
import { findUnknownVariables, splitIntoSpans } from './marks.ts';

test('spans mark known variables, unknown variables, and flagged characters and preserve the text', () => {
  const text = 'Hi {first_name:friend}, {nick} says “x';
  const keys = new Set(['first_name']);
  const spans = splitIntoSpans(text, keys, [{ start: text.indexOf('“'), end: text.indexOf('“') + 1 }]);
  expect(spans.map((span) => span.text).join('')).toBe(text);
  expect(spans.filter((span) => span.mark).map((span) => [span.mark, span.text])).toEqual([
    ['known', '{first_name:friend}'],
    ['unknown', '{nick}'],
    ['flagged', '“'],
  ]);
  expect(findUnknownVariables(text, keys)).toEqual(['nick']);
  expect(splitIntoSpans('plain', keys, [])).toEqual([{ start: 0, text: 'plain' }]);
});

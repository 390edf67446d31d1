import { segment } from '@parley/contract/channels/sms/text.ts';
import { describe, expect, test } from 'vitest';
import { characterName, segmentBreaks, segmentCounter, unicodeNotice } from './segments.ts';

test('the counter shows the length, segments, and encoding', () => {
  expect(segmentCounter('', '', 1_000)).toBe('0/1000');
  expect(segmentCounter('Hi', 'Hi', 1_000)).toBe('2/1000 - 1 segment - GSM-7');
  expect(segmentCounter('Hi {first_name}', `Hi ${'x'.repeat(159)}`, 1_000)).toBe('15/1000 - 2 segments - GSM-7');
  expect(segmentCounter('\u0416', '\u0416', 1_000)).toBe('1/1000 - 1 segment - UCS-2');
});

test.each(['{sms_opt_out}', '{custom2}'])('the counter counts %s as written', (tag) => {
  expect(segmentCounter(tag, '', 1_000)).toBe(`${tag.length}/1000 - 1 segment - GSM-7`);
});

test('the preview breaks the text at segment boundaries', () => {
  const text = 'x'.repeat(400);
  expect(segmentBreaks(text)).toEqual([153, 306]);
  expect(segmentBreaks('short')).toEqual([]);
});

describe('the Unicode notice', () => {
  const notice = (text: string) => unicodeNotice(text, segment(text).unicode_characters);

  test('does not appear when the text is GSM-7', () => expect(notice('plain')).toBeNull());

  test('lists each character once and offers a fix', () => {
    expect(notice('It\u2019s \u201cnow\u201d, it\u2019s here\u2026')).toEqual({
      characters: ['\u2019', '\u201c', '\u201d', '\u2026'],
      fixed: 'It\'s "now", it\'s here...',
      complete: true,
    });
  });

  test('keeps characters that have no GSM-7 equivalent', () => {
    expect(notice('Hi \ud83d\ude42 it\u2019s')).toEqual({
      characters: ['\ud83d\ude42', '\u2019'],
      fixed: "Hi \ud83d\ude42 it's",
      complete: false,
    });
    expect(notice('\u0416')).toEqual({ characters: ['\u0416'], fixed: null, complete: false });
    expect([characterName('\u200b'), characterName('\u2019')]).toEqual(['U+200B', '\u2019']);
  });
});

import { segment } from '@parley/contract/channels/sms/text.ts';
import { describe, expect, test } from 'vitest';
import { breaksOf, characterName, counterOf, unicodeNotice } from './reading.ts';

test('the counter', () => {
  expect(counterOf('', '', 1_000)).toBe('0/1000');
  expect(counterOf('Hi', 'Hi', 1_000)).toBe('2/1000 - 1 segment - GSM-7');
  expect(counterOf('Hi {first_name}', `Hi ${'x'.repeat(159)}`, 1_000)).toBe('15/1000 - 2 segments - GSM-7');
  expect(counterOf('\u0416', '\u0416', 1_000)).toBe('1/1000 - 1 segment - UCS-2');
});

test('the preview is cut where the message is', () => {
  const text = 'x'.repeat(400);
  expect(breaksOf(segment(text))).toEqual([153, 306]);
  expect(breaksOf(segment('short'))).toEqual([]);
});

describe('who forced Unicode', () => {
  const notice = (text: string) => unicodeNotice(text, segment(text).unicode_characters);

  test('nobody', () => expect(notice('plain')).toBeNull());

  test('each once, and one click mends it', () => {
    expect(notice('It\u2019s \u201cnow\u201d, it\u2019s here\u2026')).toEqual({
      characters: ['\u2019', '\u201c', '\u201d', '\u2026'],
      fixed: 'It\'s "now", it\'s here...',
      complete: true,
    });
  });

  test('what has no equivalent stays, and that is said', () => {
    expect(notice('Hi \ud83d\ude42 it\u2019s')).toEqual({
      characters: ['\ud83d\ude42', '\u2019'],
      fixed: "Hi \ud83d\ude42 it's",
      complete: false,
    });
    expect(notice('\u0416')).toEqual({ characters: ['\u0416'], fixed: null, complete: false });
    expect([characterName('\u200b'), characterName('\u2019')]).toEqual(['U+200B', '\u2019']);
  });
});

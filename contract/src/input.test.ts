import { describe, expect, test } from 'vitest';
import { matchWord, timestampFilter, timestampInput } from './common.ts';
import { textLength } from './text_length.ts';

describe('an enum value', () => {
  test.each([
    ['VIBER', ['SMS', 'VIBER'], 'VIBER'],
    ['viber', ['SMS', 'VIBER'], 'VIBER'],
    [' Toll-free ', ['local', 'toll_free'], 'toll_free'],
    ['Toll free', ['local', 'toll_free'], 'toll_free'],
    ['-CREATE_DATE', ['create_date', '-create_date'], '-create_date'],
    ['fax', ['SMS'], 'fax'],
    ['constructor', ['SMS'], 'constructor'],
  ])('%s is matched with %j in any case and spelling', (text, words, expected) =>
    expect(matchWord(words, text)).toBe(expected),
  );

  test('is read from an alias when the enum has aliases', () => {
    expect(matchWord(['alphanumeric'], 'Sender Id', { sender_id: 'alphanumeric' })).toBe('alphanumeric');
    expect(matchWord(['alphanumeric'], 'constructor', {})).toBe('constructor');
  });
});

describe('a time', () => {
  const read = (text: string) => timestampInput('VALUE_INVALID').safeParse(text).data ?? null;
  test.each([
    ['2028-02-29 10:00', '2028-02-29 10:00:00'],
    ['2030-12-31T23:59:59Z', '2030-12-31 23:59:59'],
    ['2030-02-28 10:00:00.250', '2030-02-28 10:00:00.250'],
    ['2030-02-30 10:00', null],
    ['2027-02-29 10:00', null],
    ['2030-04-31 10:00', null],
    ['2030-13-01 10:00', null],
    ['2030-00-10 10:00', null],
    ['2030-01-01 25:00', null],
    ['2030-01-01 24:00', null],
    ['1969-12-31 10:00', null],
  ])('%s is read as %s', (text, expected) => expect(read(text)).toBe(expected));
});

describe('a time in a filter', () => {
  test.each([
    ['start', '2026-11-01', '2026-11-01 00:00:00'],
    ['end', '2026-11-01', '2026-11-01 23:59:59'],
    ['end', '2026-11-01 10:00', '2026-11-01 10:00:00'],
    ['start', '2026-11-31', null],
    ['start', '2026-11', null],
    ['end', '2026-11-01 ', null],
  ] as const)('of the %s reads %s as %s', (edge, text, expected) =>
    expect(timestampFilter(edge).safeParse(text).data ?? null).toBe(expected),
  );
});

describe('the length of a text', () => {
  test.each([
    ['', 0],
    ['Zoë', 3],
    ['🎉🎉', 2],
    ['e\u0301', 2],
    ['\ud83d', 1],
  ])('%j has %i characters', (text, expected) => expect(textLength(text)).toBe(expected));
});

import { expect, test } from 'vitest';
import { toCsv } from './chart/csv.ts';
import { marksIn, unknownIn } from '../message/marks.ts';
import { refusal } from '../form/FileDrop.tsx';
import {
  formatBytes,
  formatDateTime,
  formatDay,
  formatDuration,
  formatExact,
  formatMoney,
  formatNumber,
  formatPercent,
} from './format.ts';

test('times of the wire are UTC and are shown in the zone given', () => {
  expect(formatDateTime('2026-11-21 21:05:12', 'Asia/Yerevan')).toBe('22-11-2026 01:05');
  expect(formatDateTime('2026-11-21T21:05:12Z', 'UTC')).toBe('21-11-2026 21:05');
  expect(formatDateTime('2026-03-29 00:59:59', 'Europe/Berlin')).toBe('29-03-2026 01:59');
  expect(formatDateTime('2026-03-29 01:00:00', 'Europe/Berlin')).toBe('29-03-2026 03:00');
  expect(formatDateTime('2026-11-21 00:00:00', 'UTC')).toBe('21-11-2026 00:00');
  expect(formatDateTime('nonsense', 'UTC')).toBe('–');
  expect(formatDateTime(null, 'UTC')).toBe('–');
  expect(formatExact('2026-11-21 21:05:12.345', 'UTC')).toBe('21-11-2026 21:05:12.345 UTC');
});

test('days are those of the zone, not of the device', () => {
  const now = new Date('2026-11-21T21:30:00Z');
  expect(formatDay('2026-11-21 21:00:00', 'Asia/Yerevan', now)).toBe('Today');
  expect(formatDay('2026-11-21 19:00:00', 'Asia/Yerevan', now)).toBe('Yesterday');
  expect(formatDay('2026-11-21 19:00:00', 'UTC', now)).toBe('Today');
  expect(formatDay('2026-03-01 12:00:00', 'UTC', now)).toBe('01 March');
  expect(formatDay('2026-02-28 12:00:00', 'UTC', new Date('2026-03-01T00:30:00Z'))).toBe('Yesterday');
});

test('money is whole micro-units; prices keep what two decimals would hide', () => {
  expect(formatMoney(1_234_560_000, 'USD')).toBe('$1,234.56');
  expect(formatMoney(7_500, 'USD')).toBe('$0.01');
  expect(formatMoney(7_500, 'USD', { exact: true })).toBe('$0.0075');
  expect(formatMoney(-2_000_000, 'EUR')).toBe('-€2.00');
  expect(formatMoney(undefined, 'EUR')).toBe('–');
});

test('numbers have separators and at most two decimals', () => {
  expect(formatNumber(1_204)).toBe('1,204');
  expect(formatNumber(0.129)).toBe('0.13');
  expect(formatPercent(1, 3)).toBe('33.3%');
  expect(formatPercent(0, 0)).toBe('0%');
  expect(formatBytes(200 * 1024 * 1024)).toBe('200 MB');
  expect(formatBytes(1536)).toBe('1.5 KB');
  expect(formatDuration(20)).toBe('under a minute');
  expect(formatDuration(7_500)).toBe('2 h 5 min');
});

test('the composer marks known and unknown variables and flagged characters, and loses no letter', () => {
  const text = 'Hi {first_name:friend}, {nick} says “x';
  const known = new Set(['first_name']);
  const spans = marksIn(text, known, [{ start: text.indexOf('“'), end: text.indexOf('“') + 1 }]);
  expect(spans.map((span) => span.text).join('')).toBe(text);
  expect(spans.filter((span) => span.mark).map((span) => [span.mark, span.text])).toEqual([
    ['known', '{first_name:friend}'],
    ['unknown', '{nick}'],
    ['flagged', '“'],
  ]);
  expect(unknownIn(text, known)).toEqual(['nick']);
  expect(marksIn('plain', known, [])).toEqual([{ start: 0, text: 'plain' }]);
});

test('a file is refused by its ending and its size, in words', () => {
  const file = (name: string, size: number) => ({ name, size });
  expect(refusal(file('a.CSV', 10), ['.csv', '.xlsx'], 100)).toBeNull();
  expect(refusal(file('a.pdf', 10), ['.csv', '.xlsx'], 100)).toBe('The file must be of one of the types .csv, .xlsx');
  expect(refusal(file('a.pdf', 10), ['.csv'], 100)).toBe('The file must be of type .csv');
  expect(refusal(file('a.csv', 2048), ['.csv'], 1024)).toBe('The file has 2 KB; the limit is 1 KB');
  expect(refusal(file('a.csv', 0), ['.csv'], 1024)).toBe('The file is empty');
});

test('a CSV quotes what must be quoted and gives a spreadsheet no formula', () => {
  const columns = [
    { key: 'day', label: 'Day' },
    { key: 'n', label: 'Sent, all' },
  ];
  expect(
    toCsv(columns, [
      { day: '=1+1', n: 5 },
      { day: 'a "b"', n: null },
    ]),
  ).toBe('Day,"Sent, all"\r\n\'=1+1,5\r\n"a ""b""",\r\n');
});

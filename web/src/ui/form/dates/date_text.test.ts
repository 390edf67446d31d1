import { expect, test } from 'vitest';
import { formatValue, parseDate, step } from './date_text.ts';

const TODAY = '2026-11-28';

test.each([
  ['28-11-2026', '2026-11-28'],
  ['1.2.27', '2027-02-01'],
  ['01/02/2027', '2027-02-01'],
  ['01022027', '2027-02-01'],
  ['2027-02-01', '2027-02-01'],
  ['1 Feb 2027', '2027-02-01'],
  [' Tomorrow ', '2026-11-29'],
  ['29-02-2028', '2028-02-29'],
  ['29-02-2027', null],
  ['31-04-2027', null],
  ['00-01-2027', null],
  ['28-11', null],
  ['\0', null],
  ['', null],
])('the date %j is %j', (text, value) => {
  expect(parseDate(text, 'date', TODAY)).toBe(value);
});

test.each([
  ['28-11-2026 14:30', '2026-11-28T14:30'],
  ['2020-01-01T10:00', '2020-01-01T10:00'],
  ['1 feb 2027, 9 pm', '2027-02-01T21:00'],
  ['today 9:05', '2026-11-28T09:05'],
  ['28-11-2026', '2026-11-28T09:00'],
  ['28-11-2026 25:00', null],
  ['14:30', null],
])('the date and time %j is %j', (text, value) => {
  expect(parseDate(text, 'datetime', TODAY)).toBe(value);
});

test.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['9.30 PM', '21:30'],
  ['12am', '00:00'],
  ['24:00', null],
  ['13 pm', null],
])('the time %j is %j', (text, value) => {
  expect(parseDate(text, 'time', TODAY)).toBe(value);
});

test('a value is shown as on every screen, and other text is unchanged', () => {
  expect(formatValue('2026-11-28', 'date')).toBe('28-11-2026');
  expect(formatValue('2026-11-28T14:30', 'datetime')).toBe('28-11-2026 14:30');
  expect(formatValue('soon', 'date')).toBe('soon');
});

test('arrow keys change the part at the caret and stay in the calendar', () => {
  expect(step('2026-12-31', 'date', 1, 1)).toEqual({ value: '2027-01-01', at: [0, 2] });
  expect(step('2027-01-31', 'date', 4, 1).value).toBe('2027-02-28');
  expect(step('2028-02-29T10:00', 'datetime', 8, -1).value).toBe('2027-02-28T10:00');
  expect(step('2026-12-31T23:58', 'datetime', 16, 1)).toEqual({ value: '2027-01-01T00:03', at: [14, 16] });
  expect(step('23:30', 'time', 0, 1)).toEqual({ value: '00:30', at: [0, 2] });
});

import { expect, test } from 'vitest';
import { changeWords, parsePeriod, shares, toChartRows } from './figures.ts';

test('a change is told against what was; without a before there is nothing to tell', () => {
  expect(changeWords(112, 100)).toBe('+12%');
  expect(changeWords(50, 100)).toBe('-50%');
  expect(changeWords(100, 100)).toBe('0%');
  expect(changeWords(5, 0)).toBeNull();
});

test('a period that does not exist is a week', () => {
  expect([parsePeriod('30'), parsePeriod('8'), parsePeriod(undefined)]).toEqual([30, 7, 7]);
});

test('delivered, failed and without a report make up what was sent', () => {
  const [row] = toChartRows([{ date: '2026-11-21', sent: 10, delivered: 6, failed: 1, received: 4, spend_micros: 5 }]);
  expect(row).toEqual({ day: '21-11', delivered: 6, failed: 1, open: 3, received: 4, spend_micros: 5 });
});

test('channels by their share, the largest first', () => {
  const none = { delivered: 0, failed: 0, spend_micros: 0 };
  expect(
    shares([
      { channel: 'SMS', sent: 20, received: 5, ...none },
      { channel: 'VIBER', sent: 75, received: 0, ...none },
    ]),
  ).toEqual([
    { channel: 'VIBER', count: 75, part: 0.75 },
    { channel: 'SMS', count: 25, part: 0.25 },
  ]);
});

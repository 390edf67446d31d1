import { expect, test } from 'vitest';
import { channelShares, formatChange, parsePeriod, toChartRows } from './figures.ts';

test('a change is relative to the previous value and null when that value is zero', () => {
  expect(formatChange(112, 100)).toBe('+12%');
  expect(formatChange(50, 100)).toBe('-50%');
  expect(formatChange(100, 100)).toBe('0%');
  expect(formatChange(5, 0)).toBeNull();
});

test('an unknown period defaults to seven days', () => {
  expect([parsePeriod('30'), parsePeriod('8'), parsePeriod(undefined)]).toEqual([30, 7, 7]);
});

test('delivered, failed, and pending messages add up to the number sent', () => {
  const [row] = toChartRows([{ date: '2026-11-21', sent: 10, delivered: 6, failed: 1, received: 4, spend_micros: 5 }]);
  expect(row).toEqual({
    date: '2026-11-21',
    day: '21-11',
    delivered: 6,
    failed: 1,
    open: 3,
    received: 4,
    spend_micros: 5,
  });
});

test('channel shares are sorted from largest to smallest', () => {
  const zeros = { delivered: 0, failed: 0, spend_micros: 0 };
  expect(
    channelShares([
      { channel: 'SMS', sent: 20, received: 5, ...zeros },
      { channel: 'VIBER', sent: 75, received: 0, ...zeros },
    ]),
  ).toEqual([
    { channel: 'VIBER', count: 75, part: 0.75 },
    { channel: 'SMS', count: 25, part: 0.25 },
  ]);
});

import { expect, test } from 'vitest';
import { predictArrivals } from './arrivals.ts';

const HOUR = 3_600_000;
const start = Date.parse('2026-03-30T08:00:00Z');
const counts = (groups: Parameters<typeof predictArrivals>[0], pace: number | null) =>
  predictArrivals(groups, pace).buckets.map(({ from, recipients }) => [from.slice(5, 16), recipients]);

test('recipients in three time zones arrive at three times', () => {
  const groups = [0, 5, 9].map((hours) => ({ at: start + hours * HOUR, until: null, recipients: 10 + hours }));
  expect(counts(groups, null).filter(([, recipients]) => recipients !== 0)).toEqual([
    ['03-30 08:00', 10],
    ['03-30 13:00', 15],
    ['03-30 17:00', 19],
  ]);
});

test('recipients who are not reached before their window closes arrive on the next day', () => {
  const groups = [{ at: start, until: start + 2 * HOUR, recipients: 180 }];
  const { buckets, first, last } = predictArrivals(groups, 60_000_000);
  expect([first, last]).toEqual(['2026-03-30 08:00:00', '2026-03-31 08:59:00']);
  expect(buckets.reduce((sum, { recipients }) => sum + recipients, 0)).toBe(180);
  expect(buckets.filter(({ recipients }) => recipients > 0)).toEqual([
    { from: '2026-03-30 08:00:00', recipients: 60 },
    { from: '2026-03-30 09:00:00', recipients: 60 },
    { from: '2026-03-31 08:00:00', recipients: 60 },
  ]);
});

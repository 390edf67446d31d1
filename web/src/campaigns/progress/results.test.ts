import { expect, test } from 'vitest';
import { toChartRows } from './results.ts';

const names = (step_seconds: number, ...dates: string[]) =>
  toChartRows(
    {
      ...{
        id: 'c',
        replies: 0,
        opt_outs: 0,
        clicked: null,
        silent: 0,
        step_seconds,
        forecast: null,
        actual: [],
        networks: [],
        failures: [],
        links: [],
        variants: [],
        currency: 'USD',
      },
      points: dates.map((date) => ({ date, delivered: 1, sent: 0, failed: 0, replies: 0 })),
    },
    'Europe/Berlin',
  ).map(({ time }) => time);

test('a period is named by seconds, minutes, or days, with the date when there are several', () => {
  expect(names(10, '2026-01-05 09:00:00', '2026-01-05 09:00:10')).toEqual(['10:00:00', '10:00:10']);
  expect(names(300, '2026-01-05 09:00:00')).toEqual(['10:00']);
  expect(names(3_600, '2026-01-05 22:00:00', '2026-01-05 23:00:00')).toEqual(['05-01-2026 23:00', '06-01-2026 00:00']);
  expect(names(86_400, '2026-01-05 00:00:00', '2026-01-06 00:00:00')).toEqual(['05-01-2026', '06-01-2026']);
});

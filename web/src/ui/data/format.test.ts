import { expect, test } from 'vitest';
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

test('API times are in UTC and are shown in the given time zone', () => {
  expect(formatDateTime('2026-11-21 21:05:12', 'Asia/Yerevan')).toBe('22-11-2026 01:05');
  expect(formatDateTime('2026-11-21T21:05:12Z', 'UTC')).toBe('21-11-2026 21:05');
  expect(formatDateTime('2026-03-29 00:59:59', 'Europe/Berlin')).toBe('29-03-2026 01:59');
  expect(formatDateTime('2026-03-29 01:00:00', 'Europe/Berlin')).toBe('29-03-2026 03:00');
  expect(formatDateTime('2026-11-21 00:00:00', 'UTC')).toBe('21-11-2026 00:00');
  expect(formatDateTime('nonsense', 'UTC')).toBe('–');
  expect(formatDateTime(null, 'UTC')).toBe('–');
  expect(formatExact('2026-11-21 21:05:12.345', 'UTC')).toBe('21-11-2026 21:05:12.345 UTC');
});

test('a day is determined by the given time zone, not the device’s', () => {
  const current = new Date('2026-11-21T21:30:00Z');
  expect(formatDay('2026-11-21 21:00:00', 'Asia/Yerevan', current)).toBe('Today');
  expect(formatDay('2026-11-21 19:00:00', 'Asia/Yerevan', current)).toBe('Yesterday');
  expect(formatDay('2026-11-21 19:00:00', 'UTC', current)).toBe('Today');
  expect(formatDay('2026-03-01 12:00:00', 'UTC', current)).toBe('01 March');
  expect(formatDay('2026-02-28 12:00:00', 'UTC', new Date('2026-03-01T00:30:00Z'))).toBe('Yesterday');
});

test('money has two decimals, and exact prices have up to six', () => {
  expect(formatMoney(1_234_560_000, 'USD')).toBe('$1,234.56');
  expect(formatMoney(7_500, 'USD')).toBe('$0.01');
  expect(formatMoney(7_500, 'USD', { exact: true })).toBe('$0.0075');
  expect(formatMoney(-2_000_000, 'EUR')).toBe('-€2.00');
  expect(formatMoney(undefined, 'EUR')).toBe('–');
});

test('numbers, percentages, file sizes, and durations are formatted for display', () => {
  expect(formatNumber(1_204)).toBe('1,204');
  expect(formatNumber(0.129)).toBe('0.13');
  expect(formatPercent(1, 3)).toBe('33.3%');
  expect(formatPercent(0, 0)).toBe('0%');
  expect(formatBytes(200 * 1024 * 1024)).toBe('200 MB');
  expect(formatBytes(1536)).toBe('1.5 KB');
  expect(formatDuration(20)).toBe('under a minute');
  expect(formatDuration(7_500)).toBe('2 h 5 min');
});

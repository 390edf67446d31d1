import { expect, test } from 'vitest';
import { formatDateTime } from '../../ui/data/format.ts';
import { snoozeTimes } from './snooze_times.ts';

const times = (now: string, zone: string) =>
  snoozeTimes(new Date(now), zone).map(({ label, at }) => [label, formatDateTime(at, zone)]);

test('the snooze menu offers times of the day in the zone of the account', () => {
  // A Wednesday.
  expect(times('2026-11-25T11:00:00Z', 'Europe/Berlin')).toEqual([
    ['In 1 hour', '25-11-2026 13:00'],
    ['In 3 hours', '25-11-2026 15:00'],
    ['This evening', '25-11-2026 18:00'],
    ['Tomorrow morning', '26-11-2026 09:00'],
    ['Monday morning', '30-11-2026 09:00'],
  ]);
});

test('the snooze menu omits an evening less than an hour away and a Monday that is tomorrow', () => {
  expect(times('2026-11-29T23:30:00Z', 'America/New_York').map(([label]) => label)).toEqual([
    'In 1 hour',
    'In 3 hours',
    'Tomorrow morning',
  ]);
});

test('the snooze menu keeps the local time across a clock change', () => {
  expect(times('2026-10-24T20:00:00Z', 'Europe/Berlin')).toContainEqual(['Tomorrow morning', '25-10-2026 09:00']);
});

test('the snooze menu is ordered by time when the evening is near', () => {
  expect(times('2026-11-25T15:30:00Z', 'Europe/Berlin').map(([label]) => label)).toEqual([
    'In 1 hour',
    'This evening',
    'In 3 hours',
    'Tomorrow morning',
    'Monday morning',
  ]);
});

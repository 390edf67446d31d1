import { expect, test } from 'vitest';
import { utcOffset, zoneOptions } from './zones.ts';

const WINTER = new Date('2026-01-15T12:00:00Z');
const SUMMER = new Date('2026-07-15T12:00:00Z');

test('a UTC offset depends on the given time', () => {
  expect(utcOffset('Europe/Berlin', WINTER)).toBe('UTC+01:00');
  expect(utcOffset('Europe/Berlin', SUMMER)).toBe('UTC+02:00');
  expect(utcOffset('Asia/Kolkata', WINTER)).toBe('UTC+05:30');
  expect(utcOffset('UTC', WINTER)).toBe('UTC+00:00');
});

test('zone options are sorted from west to east and include the current zone', () => {
  const options = zoneOptions('UTC', WINTER).map(({ value }) => value);
  expect(options.indexOf('America/New_York')).toBeLessThan(options.indexOf('UTC'));
  expect(options.indexOf('UTC')).toBeLessThan(options.indexOf('Asia/Yerevan'));
  expect(zoneOptions('Asia/Calcutta', WINTER).some(({ value }) => value === 'Asia/Calcutta')).toBe(true);
  expect(zoneOptions('UTC', WINTER).find(({ value }) => value === 'America/New_York')?.label).toBe(
    'America/New York (UTC-05:00)',
  );
});

test('zone options leave out the current zone when no zone is known', () => {
  expect(zoneOptions('', WINTER).some(({ value }) => value === '')).toBe(false);
});

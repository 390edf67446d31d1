import fc from 'fast-check';
import { expect, test } from 'vitest';
import { absoluteTime, parseStamp, parseTime, relativeTime, stamp } from './time.ts';

const now = new Date('2026-07-15T12:00:00Z');

test.each([
  [0, '000000000000000R'],
  [90, '000000000130000R'],
  [86_400, '000001000000000R'],
  [40 * 86_400 + 3_661, '000110010101000R'],
  [1e12, '010216000000000R'],
])('relativeTime formats %i seconds as %s', (seconds, expected) => {
  expect(relativeTime(seconds)).toBe(expected);
});

test('relative and absolute times are parsed back to the same time', () => {
  fc.assert(
    fc.property(fc.nat(63 * 7 * 86_400), (seconds) => {
      expect(parseTime(relativeTime(seconds), now)).toEqual(new Date(now.getTime() + seconds * 1_000));
    }),
  );
  const date = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(date, (moment) => {
      const tenth = new Date(Math.floor(moment.getTime() / 100) * 100);
      expect(parseTime(absoluteTime(moment), now)).toEqual(tenth);
      expect(parseStamp(stamp(moment))?.getTime()).toBe(Math.floor(moment.getTime() / 60_000) * 60_000);
    }),
  );
});

test('an absolute time has a UTC offset in quarter hours', () => {
  expect(parseTime('260715160000016+', now)).toEqual(now);
  expect(parseTime('260715080000016-', now)).toEqual(now);
});

test.each(['', '1R', '269915120000000+', '260230120000000+', '260715250000000+', '26071512000000+'])(
  '%j is not a valid time',
  (text) => {
    expect(parseTime(text, now)).toBeNull();
  },
);

test.each(['', '26071512', '2602301200', 'tomorrow', '260715120'])('%j is not a valid timestamp', (text) => {
  expect(parseStamp(text)).toBeNull();
});

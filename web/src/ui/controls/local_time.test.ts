import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromLocal, offsetName, toLocal, toWire } from './local_time.ts';

const wire = (local: string, zone: string) => {
  const instant = fromLocal(local, zone);
  return instant && toWire(instant);
};

describe('the local time', () => {
  test.each([
    ['2026-11-21T14:05', 'Asia/Yerevan', '2026-11-21 10:05:00'],
    ['2026-11-21T14:05', 'UTC', '2026-11-21 14:05:00'],
    ['2026-07-01T09:00', 'Europe/London', '2026-07-01 08:00:00'],
    ['2026-12-01T09:00', 'Europe/London', '2026-12-01 09:00:00'],
    ['2026-12-01T00:15', 'America/St_Johns', '2026-12-01 03:45:00'],
    // These times are skipped or repeated by a clock change.
    ['2026-03-29T01:30', 'Europe/London', '2026-03-29 01:30:00'],
    ['2026-10-25T01:30', 'Europe/London', '2026-10-25 00:30:00'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08 07:30:00'],
  ])('%s in %s converts to %s UTC', (local, zone, expected) => expect(wire(local, zone)).toBe(expected));

  test.each(['', 'tomorrow', '2026-13-01T10:00', '2026-02-01'])('is null for the invalid input "%s"', (text) => {
    expect(fromLocal(text, 'UTC')).toBeNull();
  });

  test('survives a round trip through UTC in every zone', () => {
    const zones = ['Asia/Yerevan', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
    const minute = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
    fc.assert(
      fc.property(minute, fc.constantFrom(...zones), (at, zone) => {
        const instant = new Date(at * 60_000);
        const converted = fromLocal(toLocal(instant, zone), zone)!;
        // A local time in a repeated hour converts to its first occurrence.
        const repeated = instant.getTime() - converted.getTime();
        expect([0, 30, 60]).toContain(repeated / 60_000);
        expect(toLocal(converted, zone)).toBe(toLocal(instant, zone));
      }),
    );
  });

  test('shows its offset from UTC in hours and minutes', () => {
    expect(offsetName(new Date('2026-07-01'), 'Europe/London')).toBe('UTC+1');
    expect(offsetName(new Date('2026-12-01'), 'America/St_Johns')).toBe('UTC-3:30');
    expect(offsetName(new Date('2026-12-01'), 'UTC')).toBe('UTC');
  });
});

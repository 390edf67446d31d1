import { expect, test } from 'vitest';
import { paceMicros, readPace } from './pace.ts';
import { createPlanner, type PlannerSettings } from './planner.ts';

const planner = (settings: Partial<PlannerSettings>) =>
  createPlanner({
    timing: {},
    account_zone: 'Europe/London',
    account_quiet: null,
    local_schedule: null,
    start: new Date('2026-01-01T00:00:00Z'),
    ...settings,
  });

const NEW_YORK = { number: '12125550100', country: 'US' };
const PENSACOLA = { number: '18505550100', country: 'US' };
const AUSTIN = { number: '15125550100', country: 'US' };
const LONDON = { number: '447400000001', country: 'GB' };
const PARIS = { number: '33612345678', country: 'FR' };

/** When the planner lets the recipient get the message. */
function sendTime(settings: Partial<PlannerSettings>, addressee: typeof LONDON & { timezone?: string }, now: string) {
  const plan = planner(settings).plan(addressee, new Date(now));
  return typeof plan === 'string' ? plan : new Date(plan.at).toISOString().slice(0, 16);
}

test.each([
  ['New York on the night of the change to daylight saving time', NEW_YORK, '2026-03-08T03:00Z', '2026-03-08T12:00'],
  ['New York on the night before', NEW_YORK, '2026-03-07T03:00Z', '2026-03-07T13:00'],
  ['New York within the legal hours', NEW_YORK, '2026-03-08T23:30Z', '2026-03-08T23:30'],
  ['Florida in two time zones after 20:00 in one of them', PENSACOLA, '2026-07-01T00:30Z', '2026-07-01T13:00'],
  ['Texas on a Sunday morning', AUSTIN, '2026-07-05T14:30Z', '2026-07-05T17:00'],
  ['Paris on a Sunday', PARIS, '2026-03-29T10:00Z', '2026-03-30T06:00'],
  ['London, which has no legal hours', LONDON, '2026-03-29T01:00Z', '2026-03-29T01:00'],
])('the legal hours apply to %s', (_, addressee, now, expected) => {
  expect(sendTime({ timing: { quiet_hours: 'legal' } }, addressee, now)).toBe(expected);
});

test('the quiet hours of the account move a message to the morning of the recipient across a clock change', () => {
  const account_quiet = { from: '21:00', until: '08:00' };
  expect(sendTime({ account_quiet }, LONDON, '2026-03-28T23:00Z')).toBe('2026-03-29T07:00');
  expect(sendTime({ account_quiet }, NEW_YORK, '2026-03-28T04:00Z')).toBe('2026-03-28T12:00');
  expect(sendTime({}, NEW_YORK, '2026-03-28T04:00Z')).toBe('2026-03-28T04:00');
  expect(sendTime({ account_quiet }, LONDON, '2026-10-24T23:00Z')).toBe('2026-10-25T08:00');
  expect(sendTime({ account_quiet }, { ...LONDON, timezone: 'Asia/Tokyo' }, '2026-03-28T23:00Z')).toBe(
    '2026-03-28T23:00',
  );
  expect(sendTime({ account_quiet, timing: { quiet_hours: 'legal' } }, LONDON, '2026-03-28T23:00Z')).toBe(
    '2026-03-28T23:00',
  );
  expect(sendTime({ account_quiet, timing: { quiet_hours: 'none' } }, NEW_YORK, '2026-03-28T07:00Z')).toBe(
    '2026-03-28T07:00',
  );
});

test('delivery windows apply by weekday, and windows that never overlap the legal hours exclude the recipient', () => {
  const windows = [
    { days: [1, 2, 3, 4, 5], from: '09:00', until: '12:00' },
    { days: [1], from: '11:00', until: '18:00' },
  ];
  expect(sendTime({ timing: { windows } }, LONDON, '2026-03-27T12:00Z')).toBe('2026-03-30T08:00');
  expect(sendTime({ timing: { windows } }, LONDON, '2026-03-30T15:00Z')).toBe('2026-03-30T15:00');
  const night = { windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', until: '24:00' }] };
  expect(sendTime({ timing: { ...night, quiet_hours: 'legal' } }, NEW_YORK, '2026-03-30T15:00Z')).toBe('no_window');
  const plan = planner({ timing: night }).plan(LONDON, new Date('2026-03-30T15:00Z'));
  expect(plan).toMatchObject({
    windows: expect.stringContaining('[2026-03-30T21:00:00.000Z,2026-03-30T23:00:00.000Z)'),
  });
});

test('a local time is the time of the recipient’s clock, and a passed one is sent immediately or skipped', () => {
  // 02:30 in Berlin on the day when clocks go from 02:00 to 03:00.
  const local = { local_schedule: new Date('2026-03-29T01:30Z'), account_zone: 'Europe/Lisbon' };
  const settings = { ...local, timing: { local_time: true, quiet_hours: 'none' as const } };
  expect(sendTime(settings, LONDON, '2026-03-28T12:00Z')).toBe('2026-03-29T01:30');
  expect(sendTime(settings, { ...LONDON, timezone: 'Europe/Berlin' }, '2026-03-28T12:00Z')).toBe('2026-03-29T01:30');
  expect(sendTime(settings, { ...LONDON, timezone: 'Asia/Tokyo' }, '2026-03-28T12:00Z')).toBe('2026-03-28T17:30');
  const late = { ...settings, start: new Date('2026-03-28T20:00Z') };
  const tokyo = { ...LONDON, timezone: 'Asia/Tokyo' };
  expect(sendTime(late, tokyo, '2026-03-28T20:00Z')).toBe('2026-03-28T20:00');
  const skipping = { ...late, timing: { ...late.timing, missed_schedule: 'skip' as const } };
  expect(sendTime(skipping, tokyo, '2026-03-28T20:00Z')).toBe('missed');
});

test.each([
  [{ rate: { messages: 40, per: 'second' as const }, spread_hours: null }, 25_000],
  [{ rate: { messages: 1_000, per: 'hour' as const }, spread_hours: null }, 3_600_000],
  [{ rate: null, spread_hours: 2 }, 7_200_000],
  [{ rate: null, spread_hours: null }, null],
])('the pace of %j is %s microseconds per message', (timing, expected) => {
  expect(paceMicros(timing, 1_000)).toBe(expected);
});

test('a pace hands out consecutive times and never catches up lost time', () => {
  const start = new Date('2026-03-30T12:00Z');
  const pace_micros = 100_000;
  const first = readPace({ pace_micros, paced_micros: null }, start)!;
  expect([first.free, first.at(0), first.at(9)]).toEqual([10, start, new Date('2026-03-30T12:00:00.900Z')]);
  const paced_micros = first.after(10);
  expect(readPace({ pace_micros, paced_micros }, start)!.free).toBe(0);
  expect(readPace({ pace_micros, paced_micros }, new Date('2026-03-30T12:00:00.500Z'))!.free).toBe(5);
  const later = new Date('2026-03-30T15:00Z');
  const after = readPace({ pace_micros, paced_micros }, later)!;
  expect([after.free, after.at(0)]).toEqual([10, later]);
});

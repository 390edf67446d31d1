import { describe, expect, it } from 'vitest';
import { dateBounds } from './dates.ts';

describe('date bounds', () => {
  it('start and end at midnight in the time zone', () => {
    expect(dateBounds('2026-11-21', '2026-11-21', 'UTC')).toEqual({
      created_date_start: '2026-11-21 00:00:00',
      created_date_end: '2026-11-21 23:59:59',
    });
    expect(dateBounds('2026-11-21', '2026-11-22', 'Asia/Yerevan')).toEqual({
      created_date_start: '2026-11-20 20:00:00',
      created_date_end: '2026-11-22 19:59:59',
    });
    expect(dateBounds('2026-11-21', null, 'America/New_York')).toEqual({ created_date_start: '2026-11-21 05:00:00' });
  });

  it('cover 23 or 25 hours when the clocks change', () => {
    expect(dateBounds('2026-03-29', '2026-03-29', 'Europe/Berlin')).toEqual({
      created_date_start: '2026-03-28 23:00:00',
      created_date_end: '2026-03-29 21:59:59',
    });
    expect(dateBounds('2026-10-25', '2026-10-25', 'Europe/Berlin')).toEqual({
      created_date_start: '2026-10-24 22:00:00',
      created_date_end: '2026-10-25 22:59:59',
    });
  });

  it('ignore an invalid day', () => {
    expect(dateBounds('yesterday', null, 'UTC')).toEqual({});
  });
});

it('takes times in the zone, and excludes the last one', () => {
  expect(dateBounds('2026-11-18T14:00', '2026-11-18T15:00', 'Asia/Kathmandu')).toEqual({
    created_date_start: '2026-11-18 08:15:00',
    created_date_end: '2026-11-18 09:14:59',
  });
});

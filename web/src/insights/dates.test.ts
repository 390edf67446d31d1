import { describe, expect, it } from 'vitest';
import { dateBounds } from './dates.ts';

describe('days of a zone', () => {
  it('are cut at midnight there', () => {
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

  it('may have 23 or 25 hours', () => {
    expect(dateBounds('2026-03-29', '2026-03-29', 'Europe/Berlin')).toEqual({
      created_date_start: '2026-03-28 23:00:00',
      created_date_end: '2026-03-29 21:59:59',
    });
    expect(dateBounds('2026-10-25', '2026-10-25', 'Europe/Berlin')).toEqual({
      created_date_start: '2026-10-24 22:00:00',
      created_date_end: '2026-10-25 22:59:59',
    });
  });

  it('that are none are no bound', () => {
    expect(dateBounds('yesterday', null, 'UTC')).toEqual({});
  });
});

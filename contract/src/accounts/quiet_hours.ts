/** The daily hours in which an account's campaigns do not send. */
import { z } from 'zod';
import { problem } from '../common.ts';

/** Minutes of a day: start and end. */
export type Hours = readonly [from: number, until: number];

export const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/;

/** Daily quiet hours, in the recipient's time zone. They can continue past midnight. */
export const QuietHours = z.object({ from: z.string(), until: z.string() });
export type QuietHours = z.output<typeof QuietHours>;

const time = z.string().regex(TIME_OF_DAY, { error: problem('QUIET_HOURS_INVALID') });
export const quietHoursInput = z
  .object({ from: time, until: time })
  .refine(({ from, until }) => toMinutes(from) % 1440 !== toMinutes(until) % 1440, {
    error: problem('QUIET_HOURS_INVALID'),
  });

/** The hours of a day without the quiet hours. */
export function openHours({ from, until }: QuietHours): Hours[] {
  const [start, end] = [toMinutes(from), toMinutes(until)];
  const before: Hours = [0, start];
  const hours: Hours[] = start < end ? [before, [end, 1440]] : [[end, start]];
  return hours.filter(([a, b]) => a < b);
}

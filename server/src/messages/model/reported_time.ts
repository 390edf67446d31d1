/**
 * Decides how far to trust the times that carriers report. Small differences are treated as "now", because clocks
 * differ and messages exchanged within a second must keep their order. The reported time is only displayed and delays
 * nothing.
 */
import { randomUUID } from 'node:crypto';
import { idAt, newId } from '../../kernel/clock.ts';

/** Times reported up to this long ago count as now. */
export const LATE_MS = 60_000;
/**
 * Carriers keep trying to deliver a message for a week, so a much older reported time means that the clock is wrong.
 */
const MAX_AGE_MS = 30 * 86_400_000;

/** `at` is the carrier's time in milliseconds. The result is never later than `now`. */
export function reportedTime(at: number | undefined, now: Date): Date {
  const age = at === undefined ? 0 : now.getTime() - at;
  return age > LATE_MS && age <= MAX_AGE_MS ? new Date(at!) : now;
}

let last = 0;
let counter = 0;

/** Creates an id that sorts by `time`. Ids from the same millisecond keep the order of the calls. */
export function idForTime(time: Date, now: Date): string {
  if (time >= now) return newId();
  const ms = time.getTime();
  counter = ms === last ? (counter + 1) & 0xfff : 0;
  last = ms;
  return `${idAt(ms).slice(0, 14)}7${counter.toString(16).padStart(3, '0')}-8${randomUUID().slice(20)}`;
}

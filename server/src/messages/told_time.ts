/**
 * Times that carriers tell, as far as they are believed. What comes soon after is taken for what happens now: clocks differ by more than that way takes, and
 * what is said and answered within a second must stand in the order it came in. It shows when something happened; it never puts anything off.
 */
import { randomUUID } from 'node:crypto';
import { idAt, newId } from '../kernel/clock.ts';

/** What came within so long is not late. */
export const LATE_MS = 60_000;
/** Carriers hand over for a week what nobody took; a clock that says more than this is wrong. */
const BELIEVED_MS = 30 * 86_400_000;

/** `at`: by the carrier's clock, in milliseconds. The answer is never later than `now`. */
export function toldTime(at: number | undefined, now: Date): Date {
  const age = at === undefined ? 0 : now.getTime() - at;
  return age > LATE_MS && age <= BELIEVED_MS ? new Date(at!) : now;
}

let last = 0;
let counter = 0;

/** Of what was written then: ids are in the order of what they name, those of one moment in the order they are asked for. */
export function idOfTime(written: Date, now: Date): string {
  if (written >= now) return newId();
  const ms = written.getTime();
  counter = ms === last ? (counter + 1) & 0xfff : 0;
  last = ms;
  return `${idAt(ms).slice(0, 14)}7${counter.toString(16).padStart(3, '0')}-8${randomUUID().slice(20)}`;
}

/** Converts between UTC and the clock of a time zone, across daylight saving changes. */

const MINUTE_MS = 60_000;
const HALF_DAY_MS = 43_200_000;
const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function loadFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    try {
      format = new Intl.DateTimeFormat('en-US', { ...fields, second: 'numeric', hourCycle: 'h23', timeZone: zone });
    } catch {
      format = loadFormat('UTC');
    }
    formats.set(zone, format);
  }
  return format;
}

/** Returns the time on the zone's clock, as if that clock showed UTC. */
export function clockTime(at: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of loadFormat(zone).formatToParts(at)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

const offset = (at: number, zone: string): number => clockTime(at, zone) - Math.floor(at / 1_000) * 1_000;

/**
 * Returns when the zone's clock shows this time. A time that occurs twice is the first one, and a time that is skipped
 * is the one after the change.
 */
export function whenClockShows(clock: number, zone: string): number {
  const before = offset(clock - HALF_DAY_MS, zone);
  const after = offset(clock + HALF_DAY_MS, zone);
  if (offset(clock - before, zone) === before) return clock - before;
  if (offset(clock - after, zone) === after) return clock - after;
  return clock - before;
}

/** The allowed minutes of each day, from Monday to Sunday. */
export type Week = readonly (readonly (readonly [from: number, until: number])[])[];

export const ALWAYS: Week = Array.from({ length: 7 }, () => [[0, 1440]]);

const overlap = <T extends readonly [number, number]>(a: readonly T[], b: readonly T[]): [number, number][] =>
  a.flatMap(([from, until]) =>
    b.flatMap(([start, end]): [number, number][] => {
      const [first, last] = [Math.max(from, start), Math.min(until, end)];
      return first < last ? [[first, last]] : [];
    }),
  );

export const intersectWeeks = (a: Week, b: Week): Week => a.map((day, index) => overlap(day, b[index]!));

/** Returns the allowed times of the following two weeks, beginning with the one that contains `at`, if any. */
function openTimes(at: number, zone: string, week: Week): [number, number][] {
  const midnight = Math.floor(clockTime(at, zone) / DAY_MS) * DAY_MS;
  const times: [number, number][] = [];
  for (let day = midnight; day <= midnight + 14 * DAY_MS; day += DAY_MS) {
    // January 1, 1970, was a Thursday.
    for (const [from, until] of week[(day / DAY_MS + 3) % 7]!) {
      const open = whenClockShows(day + from * MINUTE_MS, zone);
      const close = whenClockShows(day + until * MINUTE_MS, zone);
      const last = times.at(-1);
      if (close <= at || close <= open) continue;
      if (last && last[1] >= open) last[1] = close;
      else times.push([Math.max(open, at), close]);
    }
  }
  return times;
}

/** Returns the times at or after `at` that are allowed by the clocks of all zones. */
export const sharedOpenings = (at: number, zones: readonly string[], week: Week): [number, number][] =>
  zones.map((zone) => openTimes(at, zone, week)).reduce((a, b) => overlap<readonly [number, number]>(a, b));

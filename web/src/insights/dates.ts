/** Converts days in the account's time zone to times in UTC, in the format of the API filters. */

/** The zone's offset from UTC at the given time, in milliseconds. */
function offsetAt(ms: number, zone: string): number {
  // Sweden writes dates and times in the format of ISO 8601.
  const wall = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(ms);
  return Date.parse(`${wall}Z`) - Math.floor(ms / 1_000) * 1_000;
}

/** A day as `yyyy-MM-dd`, or a time as `yyyy-MM-ddTHH:mm`. */
const parseWall = (day: string): number => Date.parse(day.length > 10 ? `${day}Z` : `${day}T00:00Z`);

/**
 * The start of a day, or the time. The offset is computed twice, because the offset at midnight UTC may
 * differ from the offset at midnight in the zone.
 */
function toInstant(day: string, zone: string): number {
  const wall = parseWall(day);
  const guess = wall - offsetAt(wall, zone);
  return wall - offsetAt(guess, zone);
}

const wire = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

interface Bounds {
  created_date_start?: string;
  created_date_end?: string;
}

/**
 * The bounds of a range of days or times. Both days are included, but the last time is not. A null or invalid day
 * leaves that end open.
 */
export function dateBounds(from: string | null, to: string | null, zone: string): Bounds {
  const valid = (day: string | null): day is string => day !== null && !Number.isNaN(parseWall(day));
  const dayAfter = (day: string) =>
    day.length > 10 ? day : new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return {
    ...(valid(from) ? { created_date_start: wire(toInstant(from, zone)) } : {}),
    ...(valid(to) ? { created_date_end: wire(toInstant(dayAfter(to), zone) - 1_000) } : {}),
  };
}

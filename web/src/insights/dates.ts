/** Converts days in the account's time zone to times in UTC, in the format of the API filters. */

/** The zone's offset from UTC at the given time, in milliseconds. */
function offsetAt(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(ms);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall - Math.floor(ms / 1_000) * 1_000;
}

/**
 * The start of a day, given as `yyyy-MM-dd`. The offset is computed twice, because the offset at midnight UTC may
 * differ from the offset at midnight in the zone.
 */
function startOfDay(day: string, zone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`);
  const guess = wall - offsetAt(wall, zone);
  return wall - offsetAt(guess, zone);
}

const wire = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

interface Bounds {
  created_date_start?: string;
  created_date_end?: string;
}

/** The bounds of a range of days. Both days are included; a null or invalid day leaves that end open. */
export function dateBounds(from: string | null, to: string | null, zone: string): Bounds {
  const valid = (day: string | null): day is string => day !== null && !Number.isNaN(Date.parse(`${day}T00:00:00Z`));
  const dayAfter = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return {
    ...(valid(from) ? { created_date_start: wire(startOfDay(from, zone)) } : {}),
    ...(valid(to) ? { created_date_end: wire(startOfDay(dayAfter(to), zone) - 1_000) } : {}),
  };
}

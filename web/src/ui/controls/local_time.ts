/** Converts between UTC, which the API uses, and the local time of a zone, which fields for a date and time use. */

/** The local time in the zone at that instant: `2026-11-21T14:05`. */
export function toLocal(instant: Date, zone: string): string {
  const parts = Object.fromEntries(
    zoneFormatter(zone)
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

/**
 * The instant at which the zone has this local time; null if `local` is not a time. A time that a clock change skips is
 * shifted forward. A time that occurs twice resolves to its first occurrence.
 */
export function fromLocal(local: string, zone: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)) return null;
  const asUtc = new Date(`${local}:00Z`).getTime();
  if (Number.isNaN(asUtc)) return null;
  const candidates = [...new Set([offsetAt(asUtc - DAY_MS, zone), offsetAt(asUtc + DAY_MS, zone)])]
    .map((offset) => asUtc - offset)
    .sort((a, b) => a - b);
  const exact = candidates.find((time) => toLocal(new Date(time), zone) === local);
  return new Date(exact ?? candidates[candidates.length - 1]!);
}

/** The API's time format: `2026-11-21 13:05:00`. */
export const toWire = (instant: Date): string => instant.toISOString().slice(0, 19).replace('T', ' ');

/** "UTC+4", "UTC-3:30". */
export function offsetName(instant: Date, zone: string): string {
  const minutes = Math.round(offsetAt(instant.getTime(), zone) / 60_000);
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`;
}

const DAY_MS = 86_400_000;

function offsetAt(time: number, zone: string): number {
  return new Date(`${toLocal(new Date(time), zone)}:00Z`).getTime() - Math.floor(time / 60_000) * 60_000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
function zoneFormatter(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    const two = '2-digit' as const;
    formatter = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      hourCycle: 'h23',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** The wall clock of a time zone and UTC, both ways. The field of a schedule speaks the account's clock, the wire speaks UTC. */

/** `2026-11-21T14:05` as it stands on the clock of the zone at that instant. */
export function toLocal(instant: Date, zone: string): string {
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

/**
 * The instant at which the clock of the zone shows `local`; null when that is no time. An hour that a change of clocks skips becomes the one
 * after it; one that comes twice is taken the first time.
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

/** `2026-11-21 13:05:00`, as the API wants it. */
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
function formatterOf(zone: string): Intl.DateTimeFormat {
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

/** SMPP dates: the absolute and relative times of submit_sm (3.4, 7.1.1) and the short timestamps of receipts. */

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** Formats a date as `YYMMDDhhmm` in UTC. */
export function stamp(date: Date): string {
  return [
    date.getUTCFullYear() % 100,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
  ]
    .map(twoDigits)
    .join('');
}

/** Parses `YYMMDDhhmm`, optionally with seconds or a four-digit year. Returns null for any other text. */
export function parseStamp(text: string, utc_offset_minutes = 0): Date | null {
  const match = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/.exec(text.length === 14 ? text.replace(/^20/, '') : text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map((digits) => Number(digits ?? 0));
  return buildDate(year!, month!, day!, hour!, minute!, second!, utc_offset_minutes);
}

/**
 * Formats a number of seconds from now as a validity_period. No carrier keeps a message longer than the limit of 63
 * weeks.
 */
export function relativeTime(seconds: number): string {
  const whole = Math.min(Math.max(Math.round(seconds), 0), 63 * 7 * 86_400);
  const days = Math.floor(whole / 86_400);
  const [years, months, rest] = [Math.floor(days / 365), Math.floor((days % 365) / 30), (days % 365) % 30];
  const clock = [Math.floor(whole / 3_600) % 24, Math.floor(whole / 60) % 60, whole % 60];
  return `${[years, months, rest, ...clock].map(twoDigits).join('')}000R`;
}

/** Formats a schedule_delivery_time or validity_period as an absolute time in UTC. */
export function absoluteTime(date: Date): string {
  return `${stamp(date)}${twoDigits(date.getUTCSeconds())}${Math.floor(date.getUTCMilliseconds() / 100)}00+`;
}

/**
 * Parses an absolute or relative time. Returns null for invalid or empty text. Months count as 30 days, and years as
 * 365.
 */
export function parseTime(text: string, now: Date): Date | null {
  const match = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d)(\d\d)([-+R])$/.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second, tenths, quarters] = match.slice(1, 9).map(Number) as number[];
  if (match[9] === 'R') {
    const days = year! * 365 + month! * 30 + day!;
    return new Date(now.getTime() + (days * 86_400 + hour! * 3_600 + minute! * 60 + second!) * 1_000);
  }
  const offset = quarters! * 15 * (match[9] === '-' ? -1 : 1);
  const date = buildDate(year!, month!, day!, hour!, minute!, second!, offset);
  date?.setUTCMilliseconds(tenths! * 100);
  return date;
}

/** Builds a date. Returns null if a field is out of range, where Date would roll over to a later date. */
function buildDate(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  utc_offset_minutes: number,
): Date | null {
  const date = new Date(Date.UTC(2000 + year, month - 1, day, hour, minute, second));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  if (date.getUTCHours() !== hour || date.getUTCMinutes() !== minute) return null;
  return new Date(date.getTime() - utc_offset_minutes * 60_000);
}

/**
 * Reads and writes the text of a date field. The text is `DD-MM-YYYY HH:mm`, as on every screen; the value is
 * `yyyy-MM-dd`, `yyyy-MM-ddTHH:mm`, or `HH:mm`. Neither has a time zone.
 */
export type DateKind = 'date' | 'datetime' | 'time';

export const DATE_FORMATS: Readonly<Record<DateKind, string>> = {
  date: 'DD-MM-YYYY',
  datetime: 'DD-MM-YYYY HH:mm',
  time: 'HH:mm',
};

/** The time of a date that was typed or chosen without one. */
export const DEFAULT_TIME = '09:00';

/** The value of a text; null if the text is not a date of this kind. `today` is the current day in the zone. */
export function parseDate(text: string, kind: DateKind, today: string): string | null {
  const words = text.trim().toLowerCase();
  if (kind === 'time') return parseTime(words);
  if (kind === 'date') return parseDay(words, today);
  const [day, time] = splitTime(words);
  const [date, clock] = [parseDay(day, today), time === '' ? DEFAULT_TIME : parseTime(time)];
  return date && clock && `${date}T${clock}`;
}

/** The text of a value. A value that is not a date is shown unchanged. */
export function formatValue(value: string, kind: DateKind): string {
  if (kind === 'time') return value;
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}:\d{2}))?/.exec(value);
  if (!parts) return value;
  const day = `${parts[3]}-${parts[2]}-${parts[1]}`;
  return kind === 'date' ? day : `${day} ${parts[4] ?? DEFAULT_TIME}`;
}

export const isTime = (value: string): boolean => /^\d{2}:\d{2}$/.test(value);

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function parseDay(text: string, today: string): string | null {
  if (text === 'today') return today;
  if (text === 'tomorrow') return addDays(today, 1);
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return existingDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const named = /^(\d{1,2})[ .-]+([a-z]{3})[a-z]*[ .,-]+(\d{4}|\d{2})$/.exec(text);
  if (named) return existingDay(fullYear(named[3]!), MONTHS.indexOf(named[2]!) + 1, Number(named[1]));
  const digits = /^(\d{1,2})[./ -](\d{1,2})[./ -](\d{4}|\d{2})$/.exec(text) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(text);
  return digits && existingDay(fullYear(digits[3]!), Number(digits[2]), Number(digits[1]));
}

const fullYear = (year: string): number => Number(year.length === 2 ? `20${year}` : year);

function existingDay(year: number, month: number, day: number): string | null {
  const text = `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}

/** "9", "930", "9:30", "9.30", "21:30", "9 pm", "9:30 pm". */
function parseTime(text: string): string | null {
  const parts = /^(\d{1,2})(?:[:.]?(\d{2}))? ?([ap])?\.?m?\.?$/.exec(text);
  if (!parts) return null;
  const [hours, minutes, half] = [Number(parts[1]), Number(parts[2] ?? 0), parts[3]];
  if (minutes > 59 || hours > 23 || (half && (hours < 1 || hours > 12))) return null;
  return `${pad(half ? (hours % 12) + (half === 'p' ? 12 : 0) : hours)}:${pad(minutes)}`;
}

/** Separates the time at the end: after a `T`, or the last word with a colon or "am" or "pm". */
function splitTime(text: string): readonly [day: string, time: string] {
  const parts = /^(.*?\d)t(\d.*)$/.exec(text) ?? /^(.*?)[ ,]+(\d{1,2}[:.]\d{2}(?: ?[ap]m)?|\d{1,2} ?[ap]m)$/.exec(text);
  return parts ? [parts[1]!.trim(), parts[2]!] : [text, ''];
}

const UNITS = ['day', 'month', 'year', 'hour', 'minute'] as const;
const STARTS: readonly number[] = [0, 3, 6, 11, 14];
const ENDS: readonly number[] = [2, 5, 10, 13, 16];

/** Adds to the part of the text at the caret: a day, a month, a year, an hour, or five minutes. */
export function step(
  value: string,
  kind: DateKind,
  caret: number,
  by: 1 | -1,
): { value: string; at: [number, number] } {
  const shift = kind === 'time' ? STARTS[3]! : 0;
  const last = kind === 'date' ? 2 : 4;
  const index = Math.min(last, ENDS.findIndex((end) => caret + shift <= end) >>> 0);
  const at: [number, number] = [STARTS[index]! - shift, ENDS[index]! - shift];
  const date = new Date(`${kind === 'time' ? `2000-01-01T${value}` : kind === 'date' ? `${value}T00:00` : value}:00Z`);
  add(date, UNITS[index]!, by);
  const text = date.toISOString();
  const next = kind === 'time' ? text.slice(11, 16) : text.slice(0, kind === 'date' ? 10 : 16);
  return { value: next, at };
}

function add(date: Date, unit: (typeof UNITS)[number], by: number): void {
  if (unit === 'day') date.setUTCDate(date.getUTCDate() + by);
  else if (unit === 'hour') date.setUTCHours(date.getUTCHours() + by);
  else if (unit === 'minute') date.setUTCMinutes(date.getUTCMinutes() + by * MINUTE_STEP);
  else {
    const day = date.getUTCDate();
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + by * (unit === 'year' ? 12 : 1));
    // The last day of a shorter month, not a day of the next one.
    const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    date.setUTCDate(Math.min(day, days));
  }
}

const MINUTE_STEP = 5;

function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

const pad = (value: number): string => String(value).padStart(2, '0');

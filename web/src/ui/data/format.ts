/**
 * Formats numbers, money, and times for every screen: en-US, at most two decimals, DD-MM-YYYY HH:mm in a given zone.
 * Money is an integer of micro-units (1 USD = 1,000,000) and is divided only to be rounded for display.
 */
export type TimeInput = string | number | Date;

/** Parses the API's `yyyy-MM-dd HH:mm:ss` as UTC. Accepts ISO strings, numbers, and dates as they are. */
export function instant(value: TimeInput): Date {
  if (typeof value !== 'string') return new Date(value);
  const text = value.trim().replace(' ', 'T');
  return new Date(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : /T/.test(text) ? `${text}Z` : `${text}T00:00:00Z`);
}

const formatters = new Map<string, Intl.DateTimeFormat>();
function parts(date: Date, zone: string): Record<string, string> {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formatters.set(zone, formatter);
  }
  return Object.fromEntries(formatter.formatToParts(date).map((part) => [part.type, part.value]));
}

/** Shown instead of a value that is missing. */
export const NONE = '–';

export function formatDateTime(value: TimeInput | null | undefined, zone: string): string {
  if (value === null || value === undefined) return NONE;
  const date = instant(value);
  if (Number.isNaN(date.getTime())) return NONE;
  const p = parts(date, zone);
  return `${p.day}-${p.month}-${p.year} ${p.hour}:${p.minute}`;
}

export const formatDate = (value: TimeInput | null | undefined, zone: string): string =>
  formatDateTime(value, zone).split(' ')[0] ?? NONE;

export const formatTime = (value: TimeInput | null | undefined, zone: string): string =>
  formatDateTime(value, zone).split(' ')[1] ?? NONE;

/** The time for tooltips, including seconds, milliseconds, and the zone's name. */
export function formatExact(value: TimeInput, zone: string): string {
  const date = instant(value);
  if (Number.isNaN(date.getTime())) return NONE;
  const p = parts(date, zone);
  const milliseconds = String(date.getUTCMilliseconds()).padStart(3, '0');
  return `${p.day}-${p.month}-${p.year} ${p.hour}:${p.minute}:${p.second}.${milliseconds} ${zone}`;
}

/** The calendar date of a time in the given zone, such as `2026-11-21`. Messages are grouped by this key. */
export function dayKey(value: TimeInput, zone: string): string {
  const p = parts(instant(value), zone);
  return `${p.year}-${p.month}-${p.day}`;
}

/** "Today", "Yesterday", or "DD MMMM". */
export function formatDay(value: TimeInput, zone: string, now: Date = new Date()): string {
  const key = dayKey(value, zone);
  if (key === dayKey(now, zone)) return 'Today';
  const yesterday = new Date(`${dayKey(now, zone)}T12:00:00Z`);
  yesterday.setUTCDate(yesterday.getUTCDate() - 1);
  if (key === yesterday.toISOString().slice(0, 10)) return 'Yesterday';
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: '2-digit', month: 'long' }).format(instant(value));
}

/** A day without its year, for charts: "21-11". */
export const formatDayMonth = (date: string): string => `${date.slice(8, 10)}-${date.slice(5, 7)}`;

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
export const formatNumber = (value: number | null | undefined): string =>
  value === null || value === undefined ? NONE : whole.format(value);

const percentage = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
export const formatPercent = (part: number, total: number): string => percentage.format(total === 0 ? 0 : part / total);

export const formatCount = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;

const MICROS = 1_000_000;
/** `exact` keeps up to six decimals, so that a price of $0.0075 per message is not shown as $0.01. */
export function formatMoney(
  micros: number | null | undefined,
  currency: string,
  { exact = false }: { exact?: boolean } = {},
): string {
  if (micros === null || micros === undefined) return NONE;
  const key = `${currency} ${exact}`;
  let formatter = moneyFormatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 2,
      maximumFractionDigits: exact ? 6 : 2,
    });
    moneyFormatters.set(key, formatter);
  }
  return formatter.format(micros / MICROS);
}
// Creating a formatter takes longer than rendering a row.
const moneyFormatters = new Map<string, Intl.NumberFormat>();

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(3, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : Math.round(value * 10) / 10} ${UNITS[power]}`;
}

/** A duration, such as the time left: "under a minute", "4 min", "2 h 5 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return 'under a minute';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest ? `${Math.floor(minutes / 60)} h ${rest} min` : `${minutes / 60} h`;
}

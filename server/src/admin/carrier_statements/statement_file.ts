/** Reads a carrier's statement: a CSV file whose lines are totals by day and country, or individual messages. */
import { isCountry } from '@parley/contract/country.ts';
import { Problem } from '@parley/contract/problem.ts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { readCsv } from '../../kernel/files/csv_reader.ts';
import { readAmount } from '../prices/price_file.ts';

export interface Charged {
  segments: number;
  micros: number;
}

export interface Statement {
  from_day: string;
  until_day: string;
  countries: Map<string, Charged>;
}

const MAX_LINES = 50_000;
const MAX_DAYS = 366;
const MAX_SEGMENTS = 1_000_000_000;
const DAY_MS = 86_400_000;

const unreadable = (message: string) => new Problem('CARRIER_STATEMENT_UNREADABLE', { message });

/**
 * Returns the sums by country. Throws CARRIER_STATEMENT_UNREADABLE with the first invalid line, because a statement
 * that is compared in part would show differences that do not exist.
 */
export function readStatement(text: string): Statement {
  const table = readCsv(text);
  if (!table) throw unreadable('A quoted cell in the file is not closed');
  const [header, ...lines] = table;
  const names = (header?.cells ?? []).map((name) => name.toLowerCase());
  const absent = ['date', 'amount'].filter((name) => !names.includes(name));
  if (!names.includes('country') && !names.includes('number')) absent.push('country or number');
  if (absent.length > 0) throw unreadable(`The first line must name the columns. Missing: ${absent.join(', ')}.`);
  if (lines.length === 0) throw unreadable('The file has no lines');
  if (lines.length > MAX_LINES)
    throw unreadable(`The file has ${lines.length} lines. A statement can have at most ${MAX_LINES}.`);
  const countries = new Map<string, Charged>();
  const days: string[] = [];
  for (const { line, cells } of lines) {
    const row = readLine((name) => cells[names.indexOf(name)] ?? '', names.includes('segments'));
    if (typeof row === 'string') throw unreadable(`Line ${line}: ${row}`);
    days.push(row.day);
    const sum = countries.get(row.country) ?? { segments: 0, micros: 0 };
    countries.set(row.country, { segments: sum.segments + row.segments, micros: sum.micros + row.micros });
  }
  const sorted = days.toSorted();
  const [from_day, until_day] = [sorted[0]!, sorted.at(-1)!];
  if (Date.parse(until_day) - Date.parse(from_day) >= MAX_DAYS * DAY_MS)
    throw unreadable(`The lines are from ${from_day} to ${until_day}. A statement can cover at most ${MAX_DAYS} days.`);
  return { from_day, until_day, countries };
}

/** Returns the line, or the reason why it is invalid. */
function readLine(
  cell: (name: string) => string,
  hasSegments: boolean,
): (Charged & { day: string; country: string }) | string {
  const day = readDay(cell('date'));
  if (day === null) return `"${cell('date')}" is not a date, such as 2027-01-31`;
  const country = cell('country').toUpperCase() || readCountry(cell('number'));
  if (!country) return `The country of the number "${cell('number')}" is unknown`;
  if (!isCountry(country)) return `Unknown country "${country}". Use the two-letter code, such as DE.`;
  const segments = hasSegments ? readCount(cell('segments')) : 1;
  if (segments === null) return `"${cell('segments')}" is not a number of segments`;
  const micros = readCharge(cell('amount'));
  if (micros === null) return `"${cell('amount')}" is not an amount, such as 12.50`;
  return { day, country, segments, micros };
}

/** Reads the day of a date or a time in UTC. */
function readDay(text: string): string | null {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|\+00(?::?00)?)?)?$/.exec(text) ?? [];
  if (day === undefined) return null;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : null;
}

const readCountry = (number: string): string | null =>
  parsePhoneNumberFromString(number.startsWith('+') ? number : `+${number}`)?.country ?? null;

function readCount(text: string): number | null {
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return count <= MAX_SEGMENTS ? count : null;
}

/** Totals can be larger than the prices that `readAmount` accepts. */
function readCharge(text: string): number | null {
  const [, thousands = '', rest] = /^(\d{1,6}(?=\d{4}))?(\d{1,4}(?:[.,]\d{1,6}0*)?)$/.exec(text) ?? [];
  const micros = rest === undefined ? null : readAmount(rest);
  return micros === null ? null : Number(thousands) * 10_000_000_000 + micros;
}

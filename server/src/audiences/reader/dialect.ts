/**
 * Detects how a CSV file separates rows and columns. Uses the heading of its number column if possible, and its cells
 * otherwise.
 */
import { Problem } from '@parley/contract/problem.ts';
import { isHeading, isNumberHeading, numberShare } from './columns.ts';
import { CsvReader } from './csv.ts';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface Dialect {
  /** Null if the file has only one column. */
  delimiter: Delimiter | null;
  newline: '\n' | '\r';
  /** Number of lines before the table, such as a spreadsheet's `sep=;`. */
  skip: number;
}

const SAMPLE_ROWS = 100;

export function detectDialect(sample: string, complete: boolean, country: string | null, chosen?: Delimiter): Dialect {
  const newline = sample.includes('\n') ? '\n' : '\r';
  const mark = /^sep=(.)\r?[\n\r]/i.exec(sample);
  const table = mark ? sample.slice(mark[0].length) : sample;
  const skip = mark ? 1 : 0;
  const marked = DELIMITERS.find((delimiter) => delimiter === mark?.[1]);
  if (chosen ?? marked) return { delimiter: chosen ?? marked!, newline, skip };
  return { delimiter: guessDelimiter(table, newline, complete, country), newline, skip };
}

/** Returns the first rows of a text. Its last line may be incomplete. */
export function sampleRows(
  text: string,
  delimiter: Delimiter | null,
  newline: string,
  complete: boolean,
  limit: number = SAMPLE_ROWS,
): string[][] {
  const rows: string[][] = [];
  const reader = new CsvReader(delimiter, newline, (_, cells) => {
    if (rows.length < limit) rows.push(cells);
  });
  try {
    reader.push(text, complete);
  } catch (error) {
    // With the wrong delimiter, a correct quote can look unclosed. A quote that is really unclosed causes an error
    // later, when the whole file is read.
    if (!(error instanceof Problem)) throw error;
  }
  return rows;
}

function guessDelimiter(text: string, newline: string, complete: boolean, country: string | null): Delimiter | null {
  const single = sampleRows(text, null, newline, complete);
  const heading = single[0]?.[0] ?? '';
  const tables = DELIMITERS.map((delimiter) => ({
    delimiter,
    rows: sampleRows(text, delimiter, newline, complete),
  })).filter(({ rows }) => rows.some((cells) => cells.length > 1));

  for (const isMatch of [isNumberHeading, isHeading]) {
    const named = tables.filter(({ rows }) => rows[0]!.length > 1 && rows[0]!.some(isMatch));
    if (named.length > 0) return pickWidest(named);
    if (isMatch(heading)) return null;
  }
  if (numberShare(single.flat(), country) >= 0.4) return null;
  const scored = tables
    .map(({ delimiter, rows }) => ({
      delimiter,
      numbers: bestNumberShare(rows, country),
      even: columnConsistency(rows),
    }))
    .filter(({ numbers, even }) => even >= 0.5 && (numbers >= 0.4 || even >= 0.8));
  scored.sort((a, b) => b.numbers - a.numbers || b.even - a.even);
  if (scored[0]) return scored[0].delimiter;
  // The delimiter is unknown or is used inconsistently.
  if (tables.length > 0 || /number|phone|mobile|telefon/i.test(heading)) throw new Problem('IMPORT_DELIMITER_INVALID');
  return null;
}

const pickWidest = (tables: { delimiter: Delimiter; rows: string[][] }[]): Delimiter =>
  tables.reduce((best, table) => (table.rows[0]!.length > best.rows[0]!.length ? table : best)).delimiter;

/** Returns the share of rows that have the most frequent column count, if that count is more than one. */
function columnConsistency(rows: readonly string[][]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [columns, times] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best));
  return columns > 1 ? times / rows.length : 0;
}

function bestNumberShare(rows: readonly string[][], country: string | null): number {
  const width = Math.min(50, Math.max(...rows.map((cells) => cells.length)));
  const shares = Array.from({ length: width }, (_, index) =>
    numberShare(
      rows.map((cells) => cells[index] ?? ''),
      country,
    ),
  );
  return Math.max(...shares);
}

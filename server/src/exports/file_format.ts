/**
 * Writes rows as CSV, XLSX, JSON Lines, or Parquet in batches, so that the memory does not grow with the number of
 * rows.
 */
import { parseTimestamp } from '@parley/contract/common.ts';
import type { AnyExportColumn } from '@parley/contract/exports/columns.ts';
import type { ExportFormat } from '@parley/contract/exports/exports.ts';
import { csvLine } from '../kernel/files/csv.ts';
import { columnName, encodeParquet } from './parquet.ts';

type Portions = AsyncIterable<readonly unknown[]>;

interface FileFormat {
  content_type: string;
  /** `zone` is the time zone of the times in the file. */
  encode(columns: readonly AnyExportColumn[], portions: Portions, zone: string): AsyncIterable<Uint8Array | string>;
}

/** Without this mark, spreadsheets read UTF-8 files in the local encoding. */
const BYTE_ORDER_MARK = '\ufeff';
/** The longest text that a cell of a workbook can hold. */
const MAX_CELL = 32_767;
/** Characters that XML cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const cellValue = (column: AnyExportColumn, row: unknown) => column.value(row as never);

type Columns = readonly AnyExportColumn[];

/** Titles of times name their zone. */
const columnTitle = ({ title, isTime }: AnyExportColumn, zone: string): string =>
  isTime ? `${title} (${zone})` : title;

/** Converts times in UTC to the wall clock of a zone, as `yyyy-MM-dd HH:mm:ss`. */
function wallClock(zone: string): (time: string) => string {
  if (zone === 'UTC') return (time) => time;
  // The Swedish format is the wire format of times.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return (time) => format.format(parseTimestamp(time));
}

async function* encodeCsv(columns: Columns, portions: Portions, zone: string): AsyncGenerator<string> {
  const toWall = wallClock(zone);
  const text = (column: AnyExportColumn, row: unknown) => {
    const value = cellValue(column, row);
    return plainCell(column.isTime && typeof value === 'string' ? toWall(value) : value);
  };
  yield BYTE_ORDER_MARK + csvLine(columns.map((column) => columnTitle(column, zone)));
  for await (const rows of portions)
    yield rows.map((row) => csvLine(columns.map((column) => text(column, row)))).join('');
}

/** Matches every text with NUL or with half of a character. */
const UNUSUAL = /[\0\ud800-\udfff]/;

/** No program expects NUL in a text file. */
const plainCell = (value: string | number | null) =>
  typeof value === 'string' && UNUSUAL.test(value) ? value.replaceAll('\0', '').toWellFormed() : value;

/** Texts are stored as texts, which a spreadsheet never runs as formulas. */
async function* encodeXlsx(columns: Columns, portions: Portions, zone: string): AsyncGenerator<Uint8Array> {
  const toWall = wallClock(zone);
  async function* rows() {
    for await (const portion of portions)
      for (const row of portion) yield columns.map((column) => workbookCell(column, row, toWall));
  }
  const { writeXlsxStream } = await import('hucre/xlsx');
  const stream = writeXlsxStream(rows(), {
    name: 'Export',
    columns: columns.map((column) => ({
      header: columnTitle(column, zone),
      ...(column.isTime ? { numFmt: 'yyyy-mm-dd hh:mm:ss', width: 20 } : { width: 16 }),
    })),
    freezePane: { rows: 1 },
  });
  yield* stream as unknown as AsyncIterable<Uint8Array>;
}

/** A workbook has no time zones: its dates are the wall clock. */
function workbookCell(
  column: AnyExportColumn,
  row: unknown,
  toWall: (time: string) => string,
): string | number | Date | null {
  const value = cellValue(column, row);
  if (typeof value !== 'string') return value;
  if (column.isTime) return parseTimestamp(toWall(value));
  return cutText(value.replace(NO_XML, '').toWellFormed());
}

/** One object per line. Its keys are the titles in `snake_case`. */
async function* encodeJsonLines(columns: Columns, portions: Portions, zone: string): AsyncGenerator<string> {
  const toWall = wallClock(zone);
  const keys = columns.map(columnName);
  const json = (column: AnyExportColumn, row: unknown) => {
    const value = cellValue(column, row);
    return column.isTime && typeof value === 'string' ? withOffset(value, toWall(value)) : value;
  };
  for await (const rows of portions)
    yield rows
      .map((row) => `${JSON.stringify(Object.fromEntries(columns.map((one, at) => [keys[at], json(one, row)])))}\n`)
      .join('');
}

/** Programs need the offset of a time: `2026-11-21T14:00:00+04:00`. */
function withOffset(time: string, wall: string): string {
  const minutes = Math.round((parseTimestamp(wall).getTime() - parseTimestamp(time).getTime()) / 60_000);
  const text = wall.replace(' ', 'T');
  if (minutes === 0) return `${text}Z`;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${text}${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

/** Cuts between characters, never inside an emoji. */
const cutText = (text: string): string =>
  text.length <= MAX_CELL ? text : text.slice(0, MAX_CELL).replace(/[\ud800-\udbff]$/, '');

export const FILE_FORMATS: Readonly<Record<ExportFormat, FileFormat>> = {
  csv: { content_type: 'text/csv; charset=utf-8', encode: encodeCsv },
  xlsx: {
    content_type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    encode: encodeXlsx,
  },
  jsonl: { content_type: 'application/x-ndjson; charset=utf-8', encode: encodeJsonLines },
  parquet: { content_type: 'application/vnd.apache.parquet', encode: encodeParquet },
};

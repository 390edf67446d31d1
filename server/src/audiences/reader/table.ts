/**
 * Reads a contact file as a table: CSV in any common encoding and dialect, or XLSX. Runs in the reader process. The
 * file arrives in pieces and can be requested again from the start.
 */
import { MAX_IMPORT_COLUMNS } from '@parley/contract/audiences/limits.ts';
import { Problem } from '@parley/contract/problem.ts';
import { hasHeader } from './columns.ts';
import { CsvReader, type OnRow } from './csv.ts';
import { type Delimiter, type Dialect, detectDialect, sampleRows } from './dialect.ts';
import { detectMarkedEncoding, guessEncoding, isEncoding, SAMPLE_BYTES } from './encoding.ts';
import { isOle, isZip, MAX_XLSX_BYTES, readXlsxRows, type SheetRow } from './xlsx.ts';

/** Returns the bytes of the file. Every call begins at the start of the file. */
export type Source = () => AsyncIterable<Uint8Array>;

export interface TableOptions {
  /** The default country for numbers without a country code. It helps to recognize number columns. */
  country: string | null;
  encoding?: string | undefined;
  delimiter?: Delimiter | undefined;
  has_header?: boolean | undefined;
  /** The account's limit. */
  max_rows: number;
}

export interface Table {
  format: 'csv' | 'xlsx';
  encoding: string;
  delimiter: Delimiter | null;
  has_header: boolean;
  header: string[];
  /**
   * Reads every row that is not blank, except the header. Can be called only once. `pause` is awaited regularly between
   * rows.
   */
  rows(onRow: OnRow, pause?: () => Promise<void>): Promise<void>;
}

/** Matches text formats that are not tables: web pages, feeds, JSON, PDF, and RTF. */
const OTHER_FORMATS = /^\s*(<[?!a-z]|[{[]\s*["{[]|%PDF-|\{\\rtf)/i;

/** The rows of a whole sheet are sent to the server at once. */
const MAX_SHEET_CHARACTERS = 4_000_000;

const tooManyRows = (limit: number) =>
  new Problem('IMPORT_ROWS_LIMIT_EXCEEDED', {
    message: `The file has more than ${limit.toLocaleString('en-US')} rows`,
  });
const emptyFile = () => new Problem('IMPORT_FILE_INVALID', { message: 'The file is empty' });

export async function openTable(source: Source, options: TableOptions): Promise<Table> {
  const { start, complete } = await readStart(source);
  if (start.length === 0) throw emptyFile();
  if (isOle(start))
    throw new Problem('IMPORT_FILE_UNREADABLE', {
      message: 'Old or password-protected Excel files cannot be read. Save the file as XLSX or CSV',
    });
  if (isZip(start)) return openXlsx(await readAll(source), options);
  return openCsv(source, start, complete, options);
}

/** Reads at most `limit` rows of a spreadsheet, with the numbers of their lines. Blank rows are left out. */
export async function readSheet(source: Source, limit: number): Promise<SheetRow[]> {
  const data = await readAll(source);
  if (!isZip(data)) throw new Problem('IMPORT_FILE_UNREADABLE');
  const rows: SheetRow[] = [];
  let characters = 0;
  for await (const { line, cells } of readXlsxRows(data, limit)) {
    requireColumnLimit(cells);
    const cleaned = cells.map(cleanCell);
    if (isBlank(cleaned)) continue;
    characters += cleaned.reduce((sum, cell) => sum + cell.length, 0);
    if (characters > MAX_SHEET_CHARACTERS)
      throw new Problem('IMPORT_FILE_UNREADABLE', { message: 'The spreadsheet has too much text' });
    rows.push({ line, cells: cleaned });
  }
  return rows;
}

async function openXlsx(data: Uint8Array, options: TableOptions): Promise<Table> {
  // One reader serves both the first row and the rest, because a second reader would unpack all strings again. Its
  // limit is higher than the row limit because blank rows do not count.
  const reader = readXlsxRows(data, options.max_rows * 10);
  const next = async () => {
    for (;;) {
      const { value, done } = await reader.next();
      if (done) return null;
      if (!isBlank(value.cells)) return value;
    }
  };
  let row = await next();
  if (!row) throw emptyFile();
  const first = row.cells.map(cleanCell);
  requireColumnLimit(first);
  const has_header = options.has_header ?? hasHeader(first);
  return {
    format: 'xlsx',
    encoding: 'utf-8',
    delimiter: null,
    has_header,
    header: has_header ? first : [],
    async rows(onRow, pause) {
      const onDataRow = limitRows(onRow, has_header, options.max_rows);
      for (let since = 1; row; row = await next()) {
        onDataRow(row.line, row.cells);
        if (pause && since++ % 500 === 0) await pause();
      }
    },
  };
}

async function openCsv(source: Source, start: Uint8Array, complete: boolean, options: TableOptions): Promise<Table> {
  const chosen = options.encoding;
  if (chosen !== undefined && !isEncoding(chosen))
    throw new Problem('VALUE_INVALID', { field: 'options.encoding', message: 'This encoding is not supported' });
  const marked = detectMarkedEncoding(start);
  // Only UTF-16 text contains zero bytes.
  if (!marked && !chosen && start.subarray(0, 4_096).includes(0)) throw new Problem('IMPORT_FILE_UNREADABLE');
  const encoding = marked ?? chosen ?? ((await isUtf8(source)) ? 'utf-8' : guessEncoding(await sampleNonAscii(source)));
  const text = new TextDecoder(encoding).decode(start, { stream: !complete });
  if (OTHER_FORMATS.test(text.slice(0, 500))) throw new Problem('IMPORT_FILE_UNREADABLE');
  const dialect = detectDialect(text, complete, options.country, options.delimiter);
  const first = firstRow(text, complete, dialect);
  if (!first) throw emptyFile();
  requireColumnLimit(first);
  const has_header = options.has_header ?? hasHeader(first);
  return {
    format: 'csv',
    encoding,
    delimiter: dialect.delimiter,
    has_header,
    header: has_header ? first : [],
    async rows(onRow, pause) {
      const onDataRow = limitRows(onRow, has_header, options.max_rows);
      const reader = new CsvReader(dialect.delimiter, dialect.newline, (line, cells) => {
        if (line > dialect.skip) onDataRow(line, cells);
      });
      const decoder = new TextDecoder(encoding);
      for await (const piece of source()) {
        reader.push(decoder.decode(piece, { stream: true }), false);
        await pause?.();
      }
      reader.push(decoder.decode(), true);
    },
  };
}

function firstRow(text: string, complete: boolean, { delimiter, newline, skip }: Dialect): string[] | null {
  return sampleRows(text, delimiter, newline, complete, 1 + skip)[skip]?.map(cleanCell) ?? null;
}

function limitRows(onRow: OnRow, has_header: boolean, limit: number): OnRow {
  let rows = has_header ? -1 : 0;
  return (line, cells) => {
    if (++rows === 0) return;
    if (rows > limit) throw tooManyRows(limit);
    onRow(line, cells);
  };
}

function requireColumnLimit(first: readonly string[]): void {
  if (first.length > MAX_IMPORT_COLUMNS) throw new Problem('IMPORT_COLUMNS_LIMIT_EXCEEDED');
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

/** Replaces control characters with spaces, because PostgreSQL or a terminal would reject them. */
export const cleanCell = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed on purpose
  (/[\u0000-\u001f\u007f\ufeff]/.test(text) ? text.replace(/[\u0000-\u001f\u007f\ufeff]+/g, ' ') : text).trim();

async function readStart(source: Source): Promise<{ start: Uint8Array; complete: boolean }> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of source()) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= SAMPLE_BYTES) return { start: Buffer.concat(pieces), complete: false };
  }
  return { start: Buffer.concat(pieces), complete: true };
}

async function readAll(source: Source): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of source()) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_XLSX_BYTES)
      throw new Problem('IMPORT_FILE_UNREADABLE', { message: 'A spreadsheet can be at most 64 MB' });
  }
  return Buffer.concat(pieces);
}

async function isUtf8(source: Source): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of source()) decoder.decode(piece, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** Collects the non-ASCII parts of the file, which may start late. The encoding statistics need them. */
async function sampleNonAscii(source: Source): Promise<Uint8Array> {
  const samples: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of source()) {
    for (let at = 0; at < piece.length && bytes < SAMPLE_BYTES; at += 512) {
      const part = piece.subarray(at, at + 512);
      if (!part.some((byte) => byte >= 0x80)) continue;
      samples.push(part.slice());
      bytes += part.length;
    }
    if (bytes >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(samples);
}

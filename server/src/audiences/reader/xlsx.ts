/**
 * Reads the rows of the first sheet in an XLSX file. The ZIP directory must declare acceptable sizes before anything is
 * unpacked, and the unpacker enforces them. A false size makes the file unreadable but cannot crash the process.
 */
import { Problem } from '@parley/contract/problem.ts';
import { inMemory, readZip, ZipError } from '../../kernel/untrusted/zip.ts';

const MB = 1024 * 1024;
/** Maximum compressed size. 100,000 contact rows take about 5 MB. */
export const MAX_XLSX_BYTES = 64 * MB;
const MAX_SHEET_BYTES = 300 * MB;
/** Limit for the parts that are held in memory, mainly the string table. */
const MAX_PART_BYTES = 64 * MB;
const LIMITS = { entries: 2_000, unpacked: 1024 * MB };

export const isZip = (start: Uint8Array): boolean =>
  start[0] === 0x50 && start[1] === 0x4b && start[2] === 0x03 && start[3] === 0x04;

/** True for binary Excel files and password-protected spreadsheets. */
export const isOle = (start: Uint8Array): boolean =>
  start[0] === 0xd0 && start[1] === 0xcf && start[2] === 0x11 && start[3] === 0xe0;

const unreadable = (message?: string) => new Problem('IMPORT_FILE_UNREADABLE', message ? { message } : {});

/** Throws if the data is not a spreadsheet or is too large. */
async function requireReadable(data: Uint8Array): Promise<void> {
  const entries = await readZip(inMemory(data), LIMITS).catch((error: unknown) => {
    if (!(error instanceof ZipError)) throw error;
    if (error.fault === 'too_many_entries') throw unreadable('The spreadsheet has too many parts');
    if (error.fault === 'too_large') throw unreadable('The spreadsheet is too large when unpacked');
    throw unreadable();
  });
  for (const { name, unpacked } of entries)
    if (unpacked > (/worksheets\//i.test(name) ? MAX_SHEET_BYTES : MAX_PART_BYTES) && /\.(xml|rels)$/i.test(name))
      throw unreadable('The spreadsheet is too large when unpacked');
  if (!entries.some(({ name }) => /(^|\/)workbook\.xml$/i.test(name))) throw unreadable();
}

export interface SheetRow {
  line: number;
  cells: string[];
}

/** Yields at most `limit` rows. */
export async function* readXlsxRows(data: Uint8Array, limit: number): AsyncGenerator<SheetRow> {
  await requireReadable(data);
  // Most files are CSV, so the library loads only for spreadsheets.
  const { streamXlsxRows } = await import('hucre/xlsx');
  try {
    for await (const { index, values } of streamXlsxRows(data, { maxRows: limit })) {
      if (values.length > 0) yield { line: index + 1, cells: values.map(cellText) };
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw unreadable();
  }
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.toWellFormed();
  // Converts a phone number in a numeric cell to text without an exponent. Spreadsheets show at most 15 digits.
  if (typeof value === 'number')
    return Number.isInteger(value) ? BigInt(value).toString() : String(Number(value.toPrecision(15)));
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof Date)
    return Number.isNaN(value.getTime())
      ? ''
      : value.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '');
  return String(value);
}

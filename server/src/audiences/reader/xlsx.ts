/**
 * Reads the rows of the first sheet in an XLSX file. The ZIP directory must declare acceptable sizes before anything is
 * unpacked, and the unpacker enforces them. A false size makes the file unreadable but cannot crash the process.
 */
import { Problem } from '@parley/contract/problem.ts';
import { streamXlsxRows } from 'hucre/xlsx';

const MB = 1024 * 1024;
/** Maximum compressed size. 100,000 contact rows take about 5 MB. */
export const MAX_XLSX_BYTES = 64 * MB;
const MAX_SHEET_BYTES = 300 * MB;
/** Limit for the parts that are held in memory, mainly the string table. */
const MAX_PART_BYTES = 64 * MB;
const MAX_ENTRIES = 2_000;

const DIRECTORY_END = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;

export const isZip = (start: Uint8Array): boolean =>
  start[0] === 0x50 && start[1] === 0x4b && start[2] === 0x03 && start[3] === 0x04;

/** True for binary Excel files and password-protected spreadsheets. */
export const isOle = (start: Uint8Array): boolean =>
  start[0] === 0xd0 && start[1] === 0xcf && start[2] === 0x11 && start[3] === 0xe0;

const unreadable = (message?: string) => new Problem('IMPORT_FILE_UNREADABLE', message ? { message } : {});

/** Throws if the data is not a spreadsheet or is too large. */
function requireReadable(data: Uint8Array): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let end = data.length - 22;
  const earliest = Math.max(0, data.length - 22 - 0xffff);
  while (end >= earliest && view.getUint32(end, true) !== DIRECTORY_END) end--;
  if (end < earliest) throw unreadable();
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > MAX_ENTRIES) throw unreadable('The spreadsheet has too many parts');
  const names = new TextDecoder();
  let workbook = false;
  for (let index = 0; index < count; index++) {
    if (at + 46 > data.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw unreadable();
    const packed = view.getUint32(at + 20, true);
    const unpacked = view.getUint32(at + 24, true);
    const length = view.getUint16(at + 28, true);
    const name = names.decode(data.subarray(at + 46, at + 46 + length)).toLowerCase();
    // A ZIP64 entry stores its sizes elsewhere. No contact list is that large.
    if (unpacked === 0xffffffff || packed === 0xffffffff || (unpacked === 0 && packed > 2)) throw unreadable();
    if (unpacked > (/worksheets\//.test(name) ? MAX_SHEET_BYTES : MAX_PART_BYTES) && /\.(xml|rels)$/.test(name))
      throw unreadable('The spreadsheet is too large when unpacked');
    workbook ||= /(^|\/)workbook\.xml$/.test(name);
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (!workbook) throw unreadable();
}

/** Yields at most `limit` rows. */
export async function* xlsxRows(data: Uint8Array, limit: number): AsyncGenerator<{ line: number; cells: string[] }> {
  requireReadable(data);
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
  // Converts a phone number in a numeric cell to text without an exponent.
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof Date)
    return Number.isNaN(value.getTime())
      ? ''
      : value.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '');
  return String(value);
}

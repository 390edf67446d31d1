/** Writes rows as CSV or XLSX, one portion at a time, so that the memory does not grow with the number of rows. */
import type { AnyExportColumn } from '@parley/contract/exports/columns.ts';
import type { ExportFormat } from '@parley/contract/exports/exports.ts';
import { csvLine } from '../kernel/files/csv.ts';

type Portions = AsyncIterable<readonly unknown[]>;

interface FileFormat {
  content_type: string;
  encode(columns: readonly AnyExportColumn[], portions: Portions): AsyncIterable<Uint8Array | string>;
}

/** Without this mark, spreadsheets read UTF-8 files in the local encoding. */
const BYTE_ORDER_MARK = '\ufeff';
/** The longest text that a cell of a workbook can hold. */
const MAX_CELL = 32_767;
/** Characters that XML cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const cellValue = (column: AnyExportColumn, row: unknown) => column.value(row as never);

async function* encodeCsv(columns: readonly AnyExportColumn[], portions: Portions): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns.map(({ title }) => title));
  for await (const rows of portions)
    yield rows.map((row) => csvLine(columns.map((column) => plainCell(cellValue(column, row))))).join('');
}

/** No program expects NUL in a text file. */
const plainCell = (value: string | number | null) =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;

/** Texts are stored as texts, which a spreadsheet never runs as formulas. */
async function* encodeXlsx(columns: readonly AnyExportColumn[], portions: Portions): AsyncGenerator<Uint8Array> {
  async function* rows() {
    for await (const portion of portions)
      for (const row of portion) yield columns.map((column) => workbookCell(column, row));
  }
  const { writeXlsxStream } = await import('hucre/xlsx');
  const stream = writeXlsxStream(rows(), {
    name: 'Export',
    columns: columns.map(({ title, isTime }) => ({
      header: title,
      ...(isTime ? { numFmt: 'yyyy-mm-dd hh:mm:ss', width: 20 } : { width: 16 }),
    })),
    freezePane: { rows: 1 },
  });
  yield* stream as unknown as AsyncIterable<Uint8Array>;
}

function workbookCell(column: AnyExportColumn, row: unknown): string | number | Date | null {
  const value = cellValue(column, row);
  if (typeof value !== 'string') return value;
  if (column.isTime) return new Date(`${value.replace(' ', 'T')}Z`);
  return cutText(value.replace(NO_XML, '').toWellFormed());
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
};

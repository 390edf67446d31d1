/** The preview of an import: how the file is read, the guessed columns, and the first rows. */
import type { ImportPreview } from '@parley/contract/audiences/imports.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { guessColumns } from './columns.ts';
import { cleanCell, type Table } from './table.ts';

export type Preview = z.output<typeof ImportPreview>;

const SHOWN_ROWS = 8;
const SAMPLED_ROWS = 200;
const SAMPLES = 3;

/** Reads the whole file, so that an invalid file is refused before the import starts. */
export async function buildPreview(table: Table, country: string | null): Promise<Preview> {
  const rows: string[][] = [];
  let row_count = 0;
  let single_cell_rows = 0;
  await table.rows((_, cells) => {
    row_count++;
    if (cells.length === 1) single_cell_rows++;
    if (rows.length < SAMPLED_ROWS) rows.push(cells.slice(0, 60).map(cleanCell));
  });
  if (row_count === 0) throw new Problem('IMPORT_FILE_INVALID', { message: 'The file contains no contacts' });
  // The heading has several columns but every row has one, so the rows use a different delimiter.
  if (table.header.length > 1 && single_cell_rows === row_count && table.format === 'csv')
    throw new Problem('IMPORT_DELIMITER_INVALID');
  const width = table.has_header ? table.header.length : Math.max(...rows.map((cells) => cells.length));
  const guesses = guessColumns(table.has_header ? table.header : null, rows, width, country);
  return {
    format: table.format,
    encoding: table.encoding,
    delimiter: table.delimiter,
    has_header: table.has_header,
    columns: guesses.map((guess, index) => ({
      name: truncate(table.header[index] ?? '') || `Column ${index + 1}`,
      guess,
      samples: rows
        .map((cells) => truncate(cells[index] ?? ''))
        .filter(Boolean)
        .slice(0, SAMPLES),
    })),
    sample_rows: rows.slice(0, SHOWN_ROWS).map((cells) => cells.slice(0, width).map(truncate)),
    row_count,
  };
}

const truncate = (text: string): string => (text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text);

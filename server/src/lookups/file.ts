/** Reads the numbers in a file: one per row, in the first cell that is a number. */

import { MAX_BULK_NUMBERS } from '@parley/contract/lookups/lookups.ts';
import { Problem } from '@parley/contract/problem.ts';
import { parseNumber } from '../audiences/audiences.ts';

export interface FileNumbers {
  numbers: readonly { number: string; country: string }[];
  /** Rows without a number, except for a heading. */
  invalid: number;
}

const NUMBER = /^\+?[\d\s().-]{6,25}$/;
const MAX_CELLS = 10;
/** Rows after which other requests get a turn. */
const TURN = 1_000;

/** Throws IMPORT_FILE_INVALID if the file is not a text or contains no number. */
export async function readNumbers(bytes: Buffer, country: string): Promise<FileNumbers> {
  if (bytes.includes(0)) throw new Problem('IMPORT_FILE_INVALID', { message: 'The file is not a CSV file' });
  const lines = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/);
  const found = new Map<string, { number: string; country: string }>();
  let invalid = 0;
  for (const [at, line] of lines.entries()) {
    if (at % TURN === TURN - 1) await new Promise((resolve) => setImmediate(resolve));
    if (line.trim() === '') continue;
    const parsed = findNumber(line, country);
    if (parsed) found.set(parsed.number, parsed);
    else if (at > 0) invalid++;
    if (found.size > MAX_BULK_NUMBERS) throw new Problem('IMPORT_ROWS_LIMIT_EXCEEDED');
  }
  if (found.size === 0) throw new Problem('IMPORT_FILE_INVALID', { message: 'The file contains no phone numbers' });
  return { numbers: [...found.values()], invalid };
}

function findNumber(line: string, country: string) {
  for (const cell of line.split(/[,;\t|]/, MAX_CELLS)) {
    const text = cell.replace(/^\s*"?\s*|\s*"?\s*$/g, '');
    if (!NUMBER.test(text)) continue;
    const parsed = parseNumber(text, country);
    if (parsed) return { number: parsed.number, country: parsed.country };
  }
  return null;
}

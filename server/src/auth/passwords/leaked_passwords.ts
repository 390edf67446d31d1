/**
 * Looks up a word in the list of commonly leaked passwords. Runs a binary search on the file, which is kept in memory
 * as bytes (256 KB).
 */
import { readFileSync } from 'node:fs';

const NEWLINE = 10;
let list: Buffer | undefined;

export function isLeaked(word: string): boolean {
  list ??= readFileSync(new URL('./leaked_passwords.txt', import.meta.url));
  const bytes = Buffer.from(word);
  let low = 0;
  let high = list.length;
  // `low` and `high` are always at the start of a line. The remaining lines to search are between them.
  while (low < high) {
    const middle = (low + high) >> 1;
    // `lastIndexOf` treats an offset of -1 as the end of the file.
    const start = middle === 0 ? 0 : list.lastIndexOf(NEWLINE, middle - 1) + 1;
    const end = list.indexOf(NEWLINE, start);
    const order = bytes.compare(list, start, end);
    if (order === 0) return true;
    if (order < 0) high = start;
    else low = end + 1;
  }
  return false;
}

/** Looks up a word in the list of often leaked passwords: a binary search in the file, kept as bytes (256 KB). */
import { readFileSync } from 'node:fs';

const NEWLINE = 10;
let list: Buffer | undefined;

export function isLeaked(word: string): boolean {
  list ??= readFileSync(new URL('./leaked_passwords.txt', import.meta.url));
  const bytes = Buffer.from(word);
  let low = 0;
  let high = list.length;
  // Both ends are at the start of a line; the remaining lines lie between them.
  while (low < high) {
    const middle = (low + high) >> 1;
    // An offset of -1 would mean the end of the file.
    const start = middle === 0 ? 0 : list.lastIndexOf(NEWLINE, middle - 1) + 1;
    const end = list.indexOf(NEWLINE, start);
    const order = bytes.compare(list, start, end);
    if (order === 0) return true;
    if (order < 0) high = start;
    else low = end + 1;
  }
  return false;
}

/** Whether a word is on the list of passwords that leaked often. The file is kept as the bytes it is, a quarter of a megabyte, and searched by halves. */
import { readFileSync } from 'node:fs';

const NEWLINE = 10;
let list: Buffer | undefined;

export function isLeaked(word: string): boolean {
  list ??= readFileSync(new URL('./leaked_passwords.txt', import.meta.url));
  const wanted = Buffer.from(word);
  let low = 0;
  let high = list.length;
  // Both ends stand where a line begins; the lines that are left lie between them.
  while (low < high) {
    const middle = (low + high) >> 1;
    // An offset of -1 would mean the end of the file.
    const start = middle === 0 ? 0 : list.lastIndexOf(NEWLINE, middle - 1) + 1;
    const end = list.indexOf(NEWLINE, start);
    const order = wanted.compare(list, start, end);
    if (order === 0) return true;
    if (order < 0) high = start;
    else low = end + 1;
  }
  return false;
}

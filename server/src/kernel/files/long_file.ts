/**
 * Files that are too long for memory are written line by line as the client reads them. A client may pause for a long
 * time, so the lines come from short, separate statements and never from an open transaction, which would block other
 * work.
 */
import { Readable } from 'node:stream';
import { Problem } from '@parley/contract/problem.ts';

/** The number of rows per statement, which is also the maximum that a paused client keeps in memory. */
export const PORTION = 1_000;
/** Number of lines per write. A client must read them within `PATIENCE_MS`. */
const LINES_PER_WRITE = 100;
const PATIENCE_MS = 60_000;
/** Maximum number of parallel downloads per account in this process. */
const MAX_DOWNLOADS = 2;

const open = new Map<string, number>();

/**
 * `portions` yields arrays of lines, which are requested one at a time. Throws EXPORT_LIMIT_REACHED if the account
 * already has two downloads.
 */
export function longFile(
  account_id: string,
  portions: AsyncIterable<readonly string[]>,
  patience_ms: number = PATIENCE_MS,
): Readable {
  const reading = open.get(account_id) ?? 0;
  if (reading >= MAX_DOWNLOADS)
    throw new Problem('EXPORT_LIMIT_REACHED', {
      message: 'Two downloads are already in progress. Wait until one of them is finished.',
    });
  open.set(account_id, reading + 1);
  const file = Readable.from(joinPieces(portions), { objectMode: true, highWaterMark: 1 });
  // A client that reads no data for this long has disconnected or is trying to tie up resources.
  let timer: NodeJS.Timeout | undefined;
  async function* joinPieces(all: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
    for await (const lines of all)
      for (let from = 0; from < lines.length; from += LINES_PER_WRITE) {
        timer = setTimeout(() => file.destroy(new Error('the client stopped reading the file')), patience_ms);
        yield lines.slice(from, from + LINES_PER_WRITE).join('');
        clearTimeout(timer);
      }
  }
  file.once('close', () => {
    clearTimeout(timer);
    const left = (open.get(account_id) ?? 1) - 1;
    if (left > 0) open.set(account_id, left);
    else open.delete(account_id);
  });
  return file;
}

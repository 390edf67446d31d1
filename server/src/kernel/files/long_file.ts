/**
 * Files too long to be held in memory: written line by line as the reader takes them. A reader may sleep for as long as it likes, so nothing that others
 * wait for may be held meanwhile: lines come from short statements of their own, one portion after the other, never from an open transaction.
 */
import { Readable } from 'node:stream';
import { Problem } from '@parley/contract/problem.ts';

/** Rows asked for at once; what a sleeping reader leaves in memory. */
export const PORTION = 1_000;
/** Lines that travel together: a reader that takes them in `PATIENCE_MS` is awake. */
const TOGETHER = 100;
const PATIENCE_MS = 60_000;
/** Of one account, in this process. */
const AT_ONCE = 2;

const open = new Map<string, number>();

/**
 * `portions`: arrays of lines, asked for only when those before are taken. Problem EXPORT_LIMIT_REACHED while the
 * account is reading two already.
 */
export function longFile(
  account_id: string,
  portions: AsyncIterable<readonly string[]>,
  patience_ms: number = PATIENCE_MS,
): Readable {
  const reading = open.get(account_id) ?? 0;
  if (reading >= AT_ONCE)
    throw new Problem('EXPORT_LIMIT_REACHED', {
      message: 'Two files are already being downloaded. Wait until one is finished.',
    });
  open.set(account_id, reading + 1);
  const file = Readable.from(pieces(portions), { objectMode: true, highWaterMark: 1 });
  // Whoever takes nothing for so long has gone, or wants to hold on to what is not theirs.
  let timer: NodeJS.Timeout | undefined;
  async function* pieces(all: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
    for await (const lines of all)
      for (let from = 0; from < lines.length; from += TOGETHER) {
        timer = setTimeout(() => file.destroy(new Error('the reader of a file fell asleep')), patience_ms);
        yield lines.slice(from, from + TOGETHER).join('');
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

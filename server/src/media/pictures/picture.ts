/**
 * Pictures of strangers are decoded in a process of its own, as tables are (docs/decisions/0006): it has no settings, no secrets, may write only to the
 * folder of uploads, and is ended when it takes too long. A picture that is cut off or damaged does not decode, and is refused.
 */
import { fork } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { corrupted } from '../formats/refusal.ts';

const ENTRY = fileURLToPath(new URL('./picture_process.ts', import.meta.url));
const LIMIT_MS = 30_000;
/** As many at once in one process of the server; the others wait. */
const AT_ONCE = 2;
/** 100 million points are 400 MB when unpacked whole. */
export const MAX_POINTS = 100_000_000;

export interface PictureTask {
  path: string;
  /** What it has to be. */
  format: string;
  thumbnail: string;
  max_points: number;
}
export type PictureAnswer = { width: number; height: number } | { refused: 'corrupted' | 'points' };

let running = 0;
const waiting: (() => void)[] = [];

/** Its size, as it is shown; the thumbnail lies at `thumbnail` then. */
export async function decodePicture(
  path: string,
  format: string,
  thumbnail: string,
): Promise<{ width: number; height: number }> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    const answer = await run({ path, format, thumbnail, max_points: MAX_POINTS });
    if ('refused' in answer)
      throw answer.refused === 'points'
        ? corrupted(`The image has more than ${MAX_POINTS / 1_000_000} million points`)
        : corrupted();
    return answer;
  } finally {
    running--;
    waiting.shift()?.();
  }
}

function run(task: PictureTask): Promise<PictureAnswer> {
  const child = fork(ENTRY, {
    execArgv: [
      '--max-old-space-size=128',
      '--permission',
      '--allow-addons',
      '--allow-fs-read=*',
      `--allow-fs-write=${dirname(task.thumbnail)}`,
    ],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise<PictureAnswer>((resolve, reject) => {
    const timer = setTimeout(() => resolve({ refused: 'corrupted' }), LIMIT_MS);
    child.on('message', (answer) => resolve(answer as PictureAnswer));
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      // Ended by a signal while decoding: the file's doing.
      if (signal) resolve({ refused: 'corrupted' });
      else reject(new Error(`the decoder ended with ${code}`));
    });
    child.send(task);
  }).finally(() => child.kill('SIGKILL'));
}

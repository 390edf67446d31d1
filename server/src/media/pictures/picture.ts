/**
 * Decodes pictures in a separate process, like tables (docs/decisions/0006). The process has no settings and no
 * secrets, can write only to the folder of uploads, and is killed after a time limit. A damaged picture does not decode
 * and is refused.
 */
import { fork } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { corrupted } from '../formats/refusal.ts';

const ENTRY = fileURLToPath(new URL('./picture_process.ts', import.meta.url));
const LIMIT_MS = 30_000;
/** The maximum number of decoder processes that run at the same time per server process. */
const MAX_RUNNING = 2;
/** 100 million pixels take 400 MB of memory. */
const MAX_PIXELS = 100_000_000;

export interface PictureTask {
  path: string;
  /** The required format. */
  format: string;
  thumbnail: string;
  max_pixels: number;
}
export type PictureResult = { width: number; height: number } | { refused: 'corrupted' | 'pixels' };

let running = 0;
const waiting: (() => void)[] = [];

/** Writes the thumbnail and returns the dimensions after rotation. */
export async function decodePicture(
  path: string,
  format: string,
  thumbnail: string,
): Promise<{ width: number; height: number }> {
  if (running >= MAX_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    const result = await run({ path, format, thumbnail, max_pixels: MAX_PIXELS });
    if ('refused' in result)
      throw result.refused === 'pixels'
        ? corrupted(`The image has more than ${MAX_PIXELS / 1_000_000} million pixels`)
        : corrupted();
    return result;
  } finally {
    running--;
    waiting.shift()?.();
  }
}

function run(task: PictureTask): Promise<PictureResult> {
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
  return new Promise<PictureResult>((resolve, reject) => {
    const timer = setTimeout(() => resolve({ refused: 'corrupted' }), LIMIT_MS);
    child.on('message', (result) => resolve(result as PictureResult));
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      // The decoder crashed or was killed, and the file is the cause.
      if (signal) resolve({ refused: 'corrupted' });
      else reject(new Error(`the decoder ended with ${code}`));
    });
    child.send(task);
  }).finally(() => child.kill('SIGKILL'));
}

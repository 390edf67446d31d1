/**
 * Decodes pictures in separate processes, like tables (docs/decisions/0006). Each process decodes one picture, can
 * write only to the folder of uploads, and is killed after a time limit. A damaged picture does not decode and is
 * refused. An SVG is cleaned before it is drawn, and the cleaned file replaces the received one.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '@parley/contract/problem.ts';
import { fairSlots, type Tenant } from '../../kernel/untrusted/fair_slots.ts';
import { startLimited } from '../../kernel/untrusted/limited_process.ts';
import { corrupted, mismatched } from '../formats/refusal.ts';

const ENTRY = fileURLToPath(new URL('./picture_process.ts', import.meta.url));
/** The time to start the process, on a busy machine. */
const START_MS = 15_000;
const DECODE_MS = 3_000;
/** 100 million pixels take 400 MB of memory. */
const MAX_PIXELS = 100_000_000;
const LIMITS = { heap_mb: 256, memory_mb: 1_280, cpu_seconds: 6, native_code: true } as const;
const SLOTS = fairSlots({ total: 2, per_tenant: 1, unverified: 1, waiting_per_tenant: 50, host: 'picture' });

export interface PictureTask {
  path: string;
  /** The required format. */
  format: string;
  thumbnail: string;
  /** The path to which the cleaned drawing is written. */
  cleaned: string;
  max_pixels: number;
}
export type Refusal = 'corrupted' | 'mismatched' | 'pixels' | 'unsafe' | 'cost' | 'time';
export type PictureResult = { width: number; height: number } | { refused: Refusal };

interface Picture {
  width: number;
  height: number;
}

/** The path of a cleaned drawing. Pictures in other formats are stored as received. */
export const cleanedPath = (path: string): string => `${path}.svg`;

/** Writes the thumbnail and returns the dimensions after rotation. */
export const decodePicture = (tenant: Tenant, path: string, format: string, thumbnail: string): Promise<Picture> =>
  SLOTS.run(tenant, async () => {
    const result = await run({ path, format, thumbnail, cleaned: cleanedPath(path), max_pixels: MAX_PIXELS });
    if ('refused' in result) throw toProblem(result.refused);
    return result;
  });

function toProblem(refused: Refusal): Problem {
  if (refused === 'mismatched') return mismatched();
  if (refused === 'unsafe') return new Problem('DRAWING_UNSAFE');
  if (refused === 'cost') return new Problem('DRAWING_UNSAFE', { message: 'The SVG image is too complex' });
  if (refused === 'time') return corrupted('The image takes too long to decode');
  return refused === 'pixels'
    ? corrupted(`The image has more than ${MAX_PIXELS / 1_000_000} million pixels`)
    : corrupted();
}

async function run(task: PictureTask): Promise<PictureResult> {
  const child = startLimited(ENTRY, { ...LIMITS, writes: dirname(task.thumbnail) });
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<PictureResult>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the decoder did not start')), START_MS);
      child.once('message', () => {
        clearTimeout(timer);
        timer = setTimeout(() => resolve({ refused: 'time' }), DECODE_MS);
        child.once('message', (result) => resolve(result as PictureResult));
        child.send(task);
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        if (signal === 'SIGXCPU') resolve({ refused: 'time' });
        // The decoder crashed or was killed, and the file is the cause.
        else if (signal) resolve({ refused: 'corrupted' });
        else reject(new Error(`the decoder ended with ${code}`));
      });
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    // The slot stays taken until the process's memory is free.
    await ended;
  }
}

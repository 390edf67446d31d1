/** Takes a frame of a video with ffmpeg, if it is installed. Without ffmpeg, videos have no thumbnail. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fairSlots, type Tenant } from '../../kernel/untrusted/fair_slots.ts';
import { limitedCommand } from '../../kernel/untrusted/limited_process.ts';

const LIMIT_MS = 10_000;
const LIMITS = { memory_mb: 1_024, cpu_seconds: 8 };
/** Videos share ffmpeg as pictures share the decoder. */
const SLOTS = fairSlots({ total: 2, per_tenant: 1, unverified: 1, waiting_per_tenant: 50, host: 'frame' });
const NOWHERE = '/nonexistent';
let installed: Promise<boolean> | null = null;

async function runFfmpeg(args: readonly string[]): Promise<boolean> {
  const command = limitedCommand('ffmpeg', args, LIMITS);
  const child = spawn(command.file, command.args, {
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', HOME: NOWHERE },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}

/** Returns what the last check found. */
export const hasFfmpeg = (): Promise<boolean> => {
  installed ??= runFfmpeg(['-version']);
  return installed;
};

/** Checks again while ffmpeg is missing, so that it can be installed while the server runs. */
async function findFfmpeg(): Promise<boolean> {
  if (!(await hasFfmpeg())) installed = runFfmpeg(['-version']);
  return hasFfmpeg();
}

/** Writes the frame at half a second or, for a shorter video, the first frame. Returns false if there is none. */
export const takeFrame = (tenant: Tenant, video: string, picture: string): Promise<boolean> =>
  SLOTS.run(tenant, () => writeFrame(video, picture));

async function writeFrame(video: string, picture: string): Promise<boolean> {
  if (!(await findFfmpeg())) return false;
  // Beyond the end of a short video, ffmpeg writes no picture but still exits with 0.
  const from = async (seconds: string) =>
    (await runFfmpeg([
      ...['-nostdin', '-loglevel', 'error', '-y', '-threads', '1'],
      // Limits ffmpeg to this file and this format, so that a playlist cannot make it open other files.
      ...['-protocol_whitelist', 'file', '-f', 'mov', '-ss', seconds, '-i', `file:${video}`],
      ...['-an', '-sn', '-dn', '-frames:v', '1', '-f', 'image2', '-c:v', 'png', '-update', '1', `file:${picture}`],
    ])) && existsSync(picture);
  return (await from('0.5')) || (await from('0'));
}

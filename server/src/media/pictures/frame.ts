/** A picture from a video, by ffmpeg where the machine has one. Without it videos have no thumbnail; nothing else changes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const LIMIT_MS = 15_000;
const NOWHERE = '/nonexistent';
let asked: Promise<boolean> | null = null;

async function runs(args: readonly string[]): Promise<boolean> {
  const child = spawn('ffmpeg', args, {
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

/** Looked for once in the life of a process. */
export const hasFfmpeg = (): Promise<boolean> => {
  asked ??= runs(['-version']);
  return asked;
};

/** The picture half a second in, or the first one; false when there is none to be had. */
export async function takeFrame(video: string, picture: string): Promise<boolean> {
  if (!(await hasFfmpeg())) return false;
  // Beyond the end of a short video there is no picture, and ffmpeg content with that.
  const from = async (seconds: string) =>
    (await runs([
      ...['-nostdin', '-loglevel', 'error', '-y', '-threads', '1'],
      // Only this file, and only as what it was found to be: a list of other places is not followed.
      ...['-protocol_whitelist', 'file', '-f', 'mov', '-ss', seconds, '-i', `file:${video}`],
      ...['-an', '-sn', '-dn', '-frames:v', '1', '-f', 'image2', '-c:v', 'png', '-update', '1', `file:${picture}`],
    ])) && existsSync(picture);
  return (await from('0.5')) || (await from('0'));
}

/** Takes a frame of a video with ffmpeg, if it is installed. Without ffmpeg, videos have no thumbnail. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const LIMIT_MS = 15_000;
const NOWHERE = '/nonexistent';
let installed: Promise<boolean> | null = null;

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

/** The check runs once per process. */
export const hasFfmpeg = (): Promise<boolean> => {
  installed ??= runs(['-version']);
  return installed;
};

/** Writes the frame at half a second or, for a shorter video, the first frame. Returns false if there is none. */
export async function takeFrame(video: string, picture: string): Promise<boolean> {
  if (!(await hasFfmpeg())) return false;
  // Beyond the end of a short video, ffmpeg writes no picture but still exits with 0.
  const from = async (seconds: string) =>
    (await runs([
      ...['-nostdin', '-loglevel', 'error', '-y', '-threads', '1'],
      // Limits ffmpeg to this file and this format, so that a playlist cannot make it open other files.
      ...['-protocol_whitelist', 'file', '-f', 'mov', '-ss', seconds, '-i', `file:${video}`],
      ...['-an', '-sn', '-dn', '-frames:v', '1', '-f', 'image2', '-c:v', 'png', '-update', '1', `file:${picture}`],
    ])) && existsSync(picture);
  return (await from('0.5')) || (await from('0'));
}

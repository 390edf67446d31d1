// One sandbox per data directory: two would write into one journal. A claim left by a killed process does not count.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './settings.ts';

/** Returns the function that gives the directory back. */
export function claim(data_dir: string): () => void {
  const path = join(data_dir, 'sandbox.pid');
  const owner = ownerOf(path);
  if (owner) throw new StartError(`SANDBOX_DATA_DIR ${data_dir} is in use by another sandbox (process ${owner})`);
  writeFileSync(path, `${process.pid}\n`);
  return () => rmSync(path, { force: true });
}

function ownerOf(path: string): number | undefined {
  let pid: number;
  try {
    pid = Number(readFileSync(path, 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return undefined;
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  return isSandbox(pid!) ? pid! : undefined;
}

/** Process numbers come round: after a restart of the machine this one may be anybody. */
function isSandbox(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sandbox');
  } catch {
    // No /proc to ask: take the claim at its word.
    return process.platform !== 'linux';
  }
}

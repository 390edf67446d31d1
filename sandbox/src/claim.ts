/**
 * Ensures that only one sandbox at a time uses a data directory, because two would write to the same journal. The claim
 * of a killed process is ignored.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './settings.ts';

/** Claims the directory. Returns the function that releases it. */
export function claim(data_dir: string): () => void {
  const path = join(data_dir, 'sandbox.pid');
  const owner = findOwner(path);
  if (owner) throw new StartError(`SANDBOX_DATA_DIR ${data_dir} is in use by another sandbox (process ${owner})`);
  writeFileSync(path, `${process.pid}\n`);
  return () => rmSync(path, { force: true });
}

function findOwner(path: string): number | undefined {
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

/** Process IDs are reused: after the machine restarts, the ID can belong to another program. */
function isSandbox(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sandbox');
  } catch {
    // Without /proc, the claim is assumed to be valid.
    return process.platform !== 'linux';
  }
}

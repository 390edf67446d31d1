/**
 * What has arrived of uploads, on the disk of this machine: one file for each upload under way, named by its lease. A new upload of the same slot works on
 * a copy, so that one that was given up but is not dead yet can no longer change what is looked at and stored.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kernel } from '../../kernel/kernel.ts';
import { thumbnailOf } from '../formats/inspect.ts';

/** Longer than any slot lives. */
const STALE_MS = 48 * 3_600_000;

type Place = Pick<Kernel, 'config'>;
const folderOf = ({ config }: Place): string => join(config.DATA_DIR, 'uploads');
export const partPath = (place: Place, lease: string): string => join(folderOf(place), `${lease}.part`);

/** Bytes that are there; 0 when it is on another machine, or gone. */
export async function partSize(place: Place, lease: string | null): Promise<number> {
  if (lease === null) return 0;
  return (await stat(partPath(place, lease)).catch(() => null))?.size ?? 0;
}

/** Its first `length` bytes under a new lease. */
export async function takeOver(place: Place, before: string | null, lease: string, length: number): Promise<string> {
  await mkdir(folderOf(place), { recursive: true });
  const path = partPath(place, lease);
  if (before !== null && length > 0) {
    await copyFile(partPath(place, before), path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await truncate(path, length);
  } else await (await open(path, 'wx', 0o640)).close();
  if (before !== null) await removePart(place, before);
  return path;
}

export async function removePart(place: Place, lease: string): Promise<void> {
  const path = partPath(place, lease);
  await rm(path, { force: true });
  await rm(thumbnailOf(path), { force: true });
}

/** Of uploads that were never gone on with. Every machine looks after its own. */
export async function sweepParts(place: Place, now = Date.now()): Promise<void> {
  const folder = folderOf(place);
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (!entry.isFile()) continue;
    const found = await stat(path).catch(() => null);
    if (found && now - found.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

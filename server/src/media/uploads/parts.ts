/**
 * The received bytes of uploads, on the disk of this machine. Each upload has one part file, which is named after its
 * lease. A new upload to the same slot works on a copy, so that an older upload that is still running cannot change the
 * inspected file.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kernel } from '../../kernel/kernel.ts';
import { thumbnailPath } from '../formats/inspect.ts';
import { cleanedPath } from '../pictures/picture.ts';

/** Longer than the lifetime of any slot. */
const STALE_MS = 48 * 3_600_000;

type Disk = Pick<Kernel, 'config'>;
const partsFolder = ({ config }: Disk): string => join(config.DATA_DIR, 'uploads');
export const partPath = (disk: Disk, lease: string): string => join(partsFolder(disk), `${lease}.part`);

/** The number of received bytes. It is 0 if the part file is on another machine or was removed. */
export async function readPartSize(disk: Disk, lease: string | null): Promise<number> {
  if (lease === null) return 0;
  return (await stat(partPath(disk, lease)).catch(() => null))?.size ?? 0;
}

/** Copies the first `length` bytes of the previous lease to a new part file, and removes the previous one. */
export async function takeOver(disk: Disk, previous: string | null, lease: string, length: number): Promise<string> {
  await mkdir(partsFolder(disk), { recursive: true });
  const path = partPath(disk, lease);
  if (previous !== null && length > 0) {
    await copyFile(partPath(disk, previous), path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await truncate(path, length);
  } else await (await open(path, 'wx', 0o640)).close();
  if (previous !== null) await removePart(disk, previous);
  return path;
}

export async function removePart(disk: Disk, lease: string): Promise<void> {
  const path = partPath(disk, lease);
  await rm(path, { force: true });
  await rm(thumbnailPath(path), { force: true });
  await rm(cleanedPath(path), { force: true });
}

/** Removes the part files of abandoned uploads on this machine. */
export async function sweepParts(disk: Disk, now = Date.now()): Promise<void> {
  const folder = partsFolder(disk);
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (!entry.isFile()) continue;
    const file = await stat(path).catch(() => null);
    if (file && now - file.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

/**
 * Stores files by key on disk. A file appears completely or not at all (temporary file, fsync, rename), and a key
 * cannot escape the folder. Callers use the interface, so an object store (storage_s3.ts) can replace the disk.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { systemClock } from '../clock.ts';
import { type FileLinks, fileLinks, requireStorageKey } from './file_links.ts';

interface Stored {
  bytes: number;
  sha256: string;
}
interface OpenedFile {
  bytes: number;
  /** The caller must close the stream, even if it does not read to the end. */
  stream: Readable;
}

type Source = AsyncIterable<Uint8Array | string>;

export interface Storage extends FileLinks {
  put(key: string, source: Source, options: { max_bytes: number }): Promise<Stored>;
  /** Returns null if the file does not exist. `range` contains the first and last byte, both inclusive. */
  open(key: string, range?: { start: number; end: number }): Promise<OpenedFile | null>;
  exists(key: string): Promise<boolean>;
  /** A missing file is not an error. */
  remove(key: string): Promise<void>;
}

export class TooLarge extends Error {
  constructor(max_bytes: number) {
    super(`larger than ${max_bytes} bytes`);
    this.name = 'TooLarge';
  }
}

export function diskStorage(folder: string, secrets: readonly string[], clock = systemClock): Storage {
  const filePath = (key: string): string => join(folder, requireStorageKey(key));
  return {
    ...fileLinks(secrets, clock),

    async put(key, source, { max_bytes }) {
      const path = filePath(key);
      await mkdir(dirname(path), { recursive: true });
      const written = await writeTemporary(folder, source, max_bytes);
      try {
        await rename(written.path, path);
      } catch (error) {
        await rm(written.path, { force: true });
        throw error;
      }
      await syncFolder(dirname(path));
      return { bytes: written.bytes, sha256: written.sha256 };
    },

    async open(key, range) {
      const path = filePath(key);
      const info = await stat(path).catch(nullIfAbsent);
      if (!info?.isFile()) return null;
      return { bytes: info.size, stream: createReadStream(path, range) };
    },

    async exists(key) {
      return (await stat(filePath(key)).catch(nullIfAbsent))?.isFile() ?? false;
    },

    async remove(key) {
      await rm(filePath(key), { force: true });
    },
  };
}

/** Writes a durable file under a temporary name. The file is removed again if anything fails. */
export async function writeTemporary(
  folder: string,
  source: Source,
  max_bytes: number,
): Promise<Stored & { path: string }> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `.${randomBytes(12).toString('hex')}.part`);
  const file = await open(path, 'wx', 0o640);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const part of source) {
      const chunk = typeof part === 'string' ? Buffer.from(part) : part;
      bytes += chunk.length;
      if (bytes > max_bytes) throw new TooLarge(max_bytes);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
    await file.close();
    return { path, bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

// Without this fsync, a crash of the machine could undo the rename.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

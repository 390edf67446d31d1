/**
 * Stores pictures, videos, and documents on disk under the hash of their content, so that a file sent to 100,000 phones
 * is stored once. The oldest files are deleted when the total size exceeds the limit.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Media } from '../world/content.ts';

const maxTotalBytes = 2 * 1024 * 1024 * 1024;

export class Files {
  private readonly directory: string;
  private readonly sizes = new Map<string, number>();
  private total = 0;

  constructor(data_dir: string) {
    this.directory = join(data_dir, 'files');
    mkdirSync(this.directory, { recursive: true });
    const stored = readdirSync(this.directory)
      .filter((name) => /^[0-9a-f]{64}$/.test(name))
      .map((name) => ({ name, ...readStat(join(this.directory, name)) }))
      .sort((a, b) => a.at - b.at);
    for (const { name, size } of stored) this.register(name, size);
  }

  /** Stores the bytes and returns their ID, the SHA-256 in hexadecimal. */
  store(bytes: Buffer): string {
    const id = createHash('sha256').update(bytes).digest('hex');
    const path = join(this.directory, id);
    if (this.sizes.has(id)) {
      // A file that is used again counts as new and is deleted later.
      utimesSync(path, new Date(), new Date());
      this.sizes.delete(id);
      this.sizes.set(id, bytes.length);
      return id;
    }
    writeFileSync(path, bytes);
    this.register(id, bytes.length);
    while (this.total > maxTotalBytes && this.sizes.size > 1) this.drop(this.sizes.keys().next().value!);
    return id;
  }

  /** Stores a file and returns it in the format used in messages. */
  media(bytes: Buffer, mime: string, file_name: string | null): Media {
    const id = this.store(bytes);
    return { url: fileUrl(id, mime, file_name), mime, file_name, size: bytes.length };
  }

  read(id: string): Buffer | undefined {
    if (!this.sizes.has(id)) return undefined;
    try {
      return readFileSync(join(this.directory, id));
    } catch {
      return undefined;
    }
  }

  private register(id: string, size: number): void {
    this.sizes.set(id, size);
    this.total += size;
  }

  private drop(id: string): void {
    this.total -= this.sizes.get(id) ?? 0;
    this.sizes.delete(id);
    rmSync(join(this.directory, id), { force: true });
  }
}

/** Returns the URL of a file. It contains the type and the name, which are not stored with the bytes. */
export function fileUrl(id: string, mime: string, file_name: string | null): string {
  const query = new URLSearchParams({ type: mime, ...(file_name && { name: file_name }) });
  return `/files/${id}?${query}`;
}

function readStat(path: string): { size: number; at: number } {
  const { size, mtimeMs } = statSync(path);
  return { size, at: mtimeMs };
}

/**
 * Files by key. A file appears whole or not at all (temporary file, fsync, rename), and a key can never leave the folder. Callers talk to
 * the interface: an object store can take the place of the disk without them noticing.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

export interface Stored {
  bytes: number;
  sha256: string;
}
export interface OpenedFile {
  bytes: number;
  /** Closed by whoever reads it, also when not read to the end. */
  stream: Readable;
}
export interface LinkOptions {
  expires_s: number;
  filename?: string;
  disposition?: 'inline' | 'attachment';
}
export interface VerifiedLink {
  key: string;
  filename: string | null;
  disposition: 'inline' | 'attachment';
}

export interface Storage {
  put(key: string, source: AsyncIterable<Uint8Array | string>, options: { max_bytes: number }): Promise<Stored>;
  /** Null when there is no such file. `range`: first and last byte, both included. */
  open(key: string, range?: { start: number; end: number }): Promise<OpenedFile | null>;
  exists(key: string): Promise<boolean>;
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>;
  /** The query of a link that needs no sign-in until it expires. */
  sign(key: string, options: LinkOptions): string;
  /** Null for a link that is forged, changed or too old. */
  verify(query: Readonly<Record<string, unknown>>, now?: Date): VerifiedLink | null;
}

export class TooLarge extends Error {
  constructor(max_bytes: number) {
    super(`larger than ${max_bytes} bytes`);
    this.name = 'TooLarge';
  }
}

const KEY = /^[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9]+)*(?:\/[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9]+)*){0,7}$/i;

export function diskStorage(folder: string, secret: string): Storage {
  const pathOf = (key: string): string => {
    if (key.length > 300 || !KEY.test(key)) throw new Error('not a storage key');
    return join(folder, key);
  };
  const signature = (fields: readonly string[]): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['file', ...fields]))
      .digest();

  return {
    async put(key, source, { max_bytes }) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      const temporary = join(folder, `.${randomBytes(12).toString('hex')}.part`);
      const file = await open(temporary, 'wx', 0o640);
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
        await rename(temporary, path);
        await syncFolder(dirname(path));
        return { bytes, sha256: hash.digest('hex') };
      } catch (error) {
        await file.close().catch(() => {});
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async open(key, range) {
      const path = pathOf(key);
      const found = await stat(path).catch(absent);
      if (!found?.isFile()) return null;
      return { bytes: found.size, stream: createReadStream(path, range) };
    },

    async exists(key) {
      return (await stat(pathOf(key)).catch(absent))?.isFile() ?? false;
    },

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },

    sign(key, { expires_s, filename = '', disposition = 'attachment' }) {
      pathOf(key);
      const expires = String(Math.floor(Date.now() / 1000) + expires_s);
      return new URLSearchParams({
        key,
        expires,
        ...(filename ? { filename } : {}),
        disposition,
        signature: signature([key, expires, filename, disposition]).toString('base64url'),
      }).toString();
    },

    verify(query, now = new Date()) {
      const { key, expires, filename = '', disposition, signature: given } = query;
      if (typeof key !== 'string' || typeof expires !== 'string' || typeof filename !== 'string') return null;
      if ((disposition !== 'inline' && disposition !== 'attachment') || typeof given !== 'string') return null;
      const wanted = signature([key, expires, filename, disposition]);
      const got = Buffer.from(given, 'base64url');
      if (got.length !== wanted.length || !timingSafeEqual(got, wanted)) return null;
      if (Number(expires) * 1000 < now.getTime()) return null;
      return { key, filename: filename || null, disposition };
    },
  };
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

// Without it a crash of the machine can undo the rename.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

// Pictures, videos and documents that are sent through the apps, on disk by what is in them: the same file sent to 100,000 phones
// is one file. The oldest go when there are too many; what is asked for then is simply not there.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Media } from './content.ts';

export interface FileKept {
  /** The hexadecimal SHA-256 of the bytes. */
  id: string;
  bytes: Buffer;
}

const mostBytes = 2 * 1024 * 1024 * 1024;
const longestWait = 10_000;

export class Files {
  #directory: string;
  #sizes = new Map<string, number>();
  #total = 0;

  constructor(data_dir: string) {
    this.#directory = join(data_dir, 'files');
    mkdirSync(this.#directory, { recursive: true });
    const found = readdirSync(this.#directory)
      .filter((name) => /^[0-9a-f]{64}$/.test(name))
      .map((name) => ({ name, ...statOf(join(this.#directory, name)) }))
      .sort((a, b) => a.at - b.at);
    for (const { name, size } of found) this.#add(name, size);
  }

  /** The id the bytes are kept under. */
  keep(bytes: Buffer): string {
    const id = createHash('sha256').update(bytes).digest('hex');
    const path = join(this.#directory, id);
    if (this.#sizes.has(id)) {
      // Used again: among the last to go.
      utimesSync(path, new Date(), new Date());
      this.#sizes.delete(id);
      this.#sizes.set(id, bytes.length);
      return id;
    }
    writeFileSync(path, bytes);
    this.#add(id, bytes.length);
    while (this.#total > mostBytes && this.#sizes.size > 1) this.#drop(this.#sizes.keys().next().value!);
    return id;
  }

  /** As a message shows it. */
  media(bytes: Buffer, mime: string, file_name: string | null): Media {
    const id = this.keep(bytes);
    return { url: urlOf(id, mime, file_name), mime, file_name, size: bytes.length };
  }

  read(id: string): Buffer | undefined {
    if (!this.#sizes.has(id)) return undefined;
    try {
      return readFileSync(join(this.#directory, id));
    } catch {
      return undefined;
    }
  }

  clear(): void {
    for (const id of [...this.#sizes.keys()]) this.#drop(id);
  }

  #add(id: string, size: number): void {
    this.#sizes.set(id, size);
    this.#total += size;
  }

  #drop(id: string): void {
    this.#total -= this.#sizes.get(id) ?? 0;
    this.#sizes.delete(id);
    rmSync(join(this.#directory, id), { force: true });
  }
}

/** The type and the name are in the address: the bytes alone do not know them. */
export function urlOf(id: string, mime: string, file_name: string | null): string {
  const query = new URLSearchParams({ type: mime, ...(file_name && { name: file_name }) });
  return `/files/${id}?${query}`;
}

export interface Fetched {
  bytes: Buffer;
  mime: string;
}

/** Throws a plain Error with a reason. `own` are the files of this sandbox, which a link may name without a host. */
export async function fetchFile(url: string, most_bytes: number, own: Files): Promise<Fetched> {
  const mine = /^\/files\/([0-9a-f]{64})\?(.*)$/.exec(url);
  if (mine) {
    const bytes = own.read(mine[1]!);
    if (!bytes) throw new Error('there is no such file');
    return { bytes, mime: new URLSearchParams(mine[2]).get('type') || 'application/octet-stream' };
  }
  if (!/^https?:\/\//.test(url)) throw new Error('the link is not an http address');
  const answer = await fetch(url, { signal: AbortSignal.timeout(longestWait) });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`the link answered HTTP ${answer.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > most_bytes) throw new Error(`the file is bigger than ${most_bytes} bytes`);
    chunks.push(chunk);
  }
  const mime = (answer.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  return { bytes: Buffer.concat(chunks), mime: mime || 'application/octet-stream' };
}

function statOf(path: string): { size: number; at: number } {
  const { size, mtimeMs } = statSync(path);
  return { size, at: mtimeMs };
}

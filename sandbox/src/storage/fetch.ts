/** Reads files that messages link to: files in this sandbox and files at any HTTP URL. */
import { invalid } from '../problem.ts';
import type { Files } from './files.ts';

const fetchTimeout = 10_000;

interface Fetched {
  bytes: Buffer;
  mime: string;
}

/**
 * Fetches a link. A link without a host names one of the sandbox's `own` files. Throws an Error with the reason if the
 * file cannot be read.
 */
export async function fetchFile(url: string, maxBytes: number, own: Files): Promise<Fetched> {
  const match = /^\/files\/([0-9a-f]{64})\?(.*)$/.exec(url);
  if (match) {
    const bytes = own.read(match[1]!);
    if (!bytes) throw new Error('the file does not exist');
    return { bytes, mime: new URLSearchParams(match[2]).get('type') || 'application/octet-stream' };
  }
  if (!/^https?:\/\//.test(url)) throw new Error('the link is not an http address');
  const response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeout) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the server responded with HTTP ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the file is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const mime = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  return { bytes: Buffer.concat(chunks), mime: mime || 'application/octet-stream' };
}

/** Fetches the file that a phone sends. Throws a Problem about `media_url` if the file cannot be read. */
export async function fetchForPhone(url: string, maxBytes: number, own: Files): Promise<Fetched> {
  try {
    return await fetchFile(url, maxBytes, own);
  } catch (error) {
    throw invalid('media_url', `cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Handles one PUT request of an upload. The bytes are written to disk as they arrive; at most one chunk is in memory.
 * After a lost connection, the received bytes stay, and the next PUT continues from there. The newest PUT owns the
 * upload.
 */
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { sizeRefusal } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { UploadLink } from '../links/links.ts';
import { newLease, removeObjects } from '../objects.ts';
import type { MediaRow } from '../queries.ts';
import * as queries from '../queries.ts';
import { finishUpload } from './finish.ts';
import { requireAllowed, tooLarge } from './limits.ts';
import { readPartSize, removePart, takeOver } from './parts.ts';

interface UploadRequest {
  /** From `Content-Range`. Null means the whole file. */
  range: { start: number; end: number; total: number } | null;
  /** From `Content-Length`. Null means unknown. */
  length: number | null;
  body: Readable;
}

interface Progress {
  /** The number of bytes on disk. */
  received: number;
  /** The media row, once the upload is complete. */
  ready: MediaRow | null;
}

/**
 * The uploads in this process, by lease. A newer upload ends the older one immediately, not only after its socket times
 * out.
 */
const active = new Map<string, Readable>();

/** Ends all uploads when the process stops. The clients continue them on another process. */
export function endUploads(): void {
  for (const body of active.values()) body.destroy();
}

export function parseContentRange(text: string | undefined): UploadRequest['range'] {
  if (text === undefined) return null;
  const match = /^bytes (\d{1,12})-(\d{1,12})\/(\d{1,12})$/.exec(text);
  const [start, end, total] = (match?.slice(1) ?? []).map(Number) as [number?, number?, number?];
  if (start === undefined || end === undefined || total === undefined || start > end || end >= total)
    throw new Problem('VALUE_INVALID', { field: 'content-range' });
  return { start, end, total };
}

export async function receiveUpload(kernel: Kernel, link: UploadLink, request: UploadRequest): Promise<Progress> {
  const { account_id, id, max_bytes } = link;
  const slot = await queries.findMedia(kernel.db, account_id, id);
  if (!slot) throw new Problem('FILE_NOT_FOUND');
  if (slot.status === 'ready') throw new Problem('UPLOAD_ENDED');
  const { range, length, body } = request;
  const total = range?.total ?? length;
  const limit = { max_bytes, too_large: mediaRule(slot.type, slot.channel).too_large };
  if (total !== null) requireAllowed(sizeRefusal(total, limit));
  const start = range?.start ?? 0;
  if (start > (await readPartSize(kernel, slot.lease))) throw new Problem('UPLOAD_OFFSET_MISMATCH');

  const lease = newLease();
  // The next owner may run before this function continues, so the body is entered before the lease is taken.
  active.set(lease, body);
  try {
    const previous = await queries.takeLease(kernel.db, account_id, id, lease, kernel.clock.now());
    if (!previous) throw new Problem('UPLOAD_ENDED');
    if (previous.lease !== null) active.get(previous.lease)?.destroy();
    const path = await takeOver(kernel, previous.lease, lease, start).catch((error: NodeJS.ErrnoException) => {
      // Another upload has just moved the received bytes to its own lease.
      if (error.code === 'ENOENT') throw new Problem('UPLOAD_OFFSET_MISMATCH');
      throw error;
    });
    if (previous.lease !== null) await removeObjects(kernel, account_id, previous.lease);
    const end = range ? range.end + 1 : max_bytes;
    const received = await writePart(path, body, start, end, async () => {
      await removePart(kernel, lease);
      return range ? new Problem('VALUE_INVALID', { field: 'content-range' }) : tooLarge(limit);
    });
    if (total !== null && received < total) return { received, ready: null };
    return { received, ready: await finishUpload(kernel, slot, lease) };
  } catch (error) {
    // If a newer upload took over, the bytes of this lease are no longer needed.
    const current = await queries.findMedia(kernel.db, account_id, id);
    if (current?.lease === lease) throw error;
    await removePart(kernel, lease);
    throw new Problem('UPLOAD_ENDED');
  } finally {
    active.delete(lease);
  }
}

/** Writes the body from `start` and returns the new size of the file. A body beyond `end` throws `excess()`. */
export async function writePart(
  path: string,
  body: Readable,
  start: number,
  end: number,
  excess: () => Promise<Problem>,
): Promise<number> {
  const file = await open(path, 'r+');
  let at = start;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (at + chunk.length > end) throw await excess();
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await file.write(chunk, done, chunk.length - done, at);
        done += bytesWritten;
        at += bytesWritten;
      }
    }
    return at;
  } finally {
    await file.close();
  }
}

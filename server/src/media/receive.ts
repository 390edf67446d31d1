/**
 * One PUT of an upload: the bytes go to the disk as they come, at most one piece of them is in memory. A lost connection leaves what has arrived, and the next
 * PUT goes on from there; the newest one owns the upload, whoever else may still believe to be at it.
 */
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { sizeRefusal } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { finishUpload } from './finish.ts';
import type { UploadLink } from './links.ts';
import { newLease, refusalOf, refuse, removeObjects } from './media.ts';
import { partSize, removePart, takeOver } from './parts.ts';
import type { MediaRow } from './queries.ts';
import * as queries from './queries.ts';

export interface Sent {
  /** From `Content-Range`; null: the whole file, from its beginning. */
  range: { start: number; end: number; total: number } | null;
  /** From `Content-Length`; null: nobody knows yet. */
  length: number | null;
  body: Readable;
}

/** How many bytes are there, and the medium once all of them are. */
export interface Progress {
  received: number;
  ready: MediaRow | null;
}

/** Uploads under way in this process, by slot: the older one of two ends at once and not when its connection is found dead. */
const underway = new Map<string, Readable>();

/** A stop does not wait for them: they go on with whoever answers next. */
export function endUploads(): void {
  for (const body of underway.values()) body.destroy();
}

export function readRange(text: string | undefined): Sent['range'] {
  if (text === undefined) return null;
  const found = /^bytes (\d{1,12})-(\d{1,12})\/(\d{1,12})$/.exec(text);
  const [start, end, total] = (found?.slice(1) ?? []).map(Number) as [number?, number?, number?];
  if (start === undefined || end === undefined || total === undefined || start > end || end >= total)
    throw new Problem('VALUE_INVALID', { field: 'content-range' });
  return { start, end, total };
}

export async function receive(kernel: Kernel, link: UploadLink, sent: Sent): Promise<Progress> {
  const { account_id, id, max_bytes } = link;
  const slot = await queries.mediaById(kernel.db, account_id, id);
  if (!slot) throw new Problem('FILE_NOT_FOUND');
  if (slot.status === 'ready') throw new Problem('UPLOAD_ENDED');
  const { range, length } = sent;
  const total = range?.total ?? length;
  const limit = { max_bytes, too_large: mediaRule(slot.type, slot.channel).too_large };
  if (total !== null) refuse(sizeRefusal(total, limit));
  const start = range?.start ?? 0;
  if (start > (await partSize(kernel, slot.lease))) throw new Problem('UPLOAD_OFFSET_MISMATCH');

  const lease = newLease();
  const taken = await queries.takeLease(kernel.db, account_id, id, lease, kernel.clock.now());
  if (!taken) throw new Problem('UPLOAD_ENDED');
  underway.get(id)?.destroy();
  underway.set(id, sent.body);
  try {
    const path = await takeOver(kernel, taken.before, lease, start).catch((error: NodeJS.ErrnoException) => {
      // Another upload took the bytes along a moment ago.
      if (error.code === 'ENOENT') throw new Problem('UPLOAD_OFFSET_MISMATCH');
      throw error;
    });
    if (taken.before !== null) await removeObjects(kernel, account_id, taken.before);
    const end = range ? range.end + 1 : max_bytes;
    const received = await writePart(path, sent.body, start, end, async () => {
      await removePart(kernel, lease);
      return range ? new Problem('VALUE_INVALID', { field: 'content-range' }) : refusalOf(limit);
    });
    if (total !== null && received < total) return { received, ready: null };
    return { received, ready: await finishUpload(kernel, slot, lease) };
  } catch (error) {
    // What was overtaken while it began has left bytes that nobody will go on with.
    const now = await queries.mediaById(kernel.db, account_id, id);
    if (now?.lease === lease) throw error;
    await removePart(kernel, lease);
    throw new Problem('UPLOAD_ENDED');
  } finally {
    if (underway.get(id) === sent.body) underway.delete(id);
  }
}

/** Where the file ends afterwards. More than was announced is refused. */
export async function writePart(
  path: string,
  body: Readable,
  start: number,
  end: number,
  tooMuch: () => Promise<Problem>,
): Promise<number> {
  const file = await open(path, 'r+');
  let at = start;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      if (at + piece.length > end) throw await tooMuch();
      for (let done = 0; done < piece.length; ) {
        const { bytesWritten } = await file.write(piece, done, piece.length - done, at);
        done += bytesWritten;
        at += bytesWritten;
      }
    }
    return at;
  } finally {
    await file.close();
  }
}

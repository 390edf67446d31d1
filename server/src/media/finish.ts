/**
 * The last step of an upload: the file is looked at where it lies, put into storage under the name of its upload, and then, in one transaction, becomes the
 * medium. Until that commit nobody can have it; an upload that was overtaken, or a crash before it, leaves a slot that waits and a file the sweep removes.
 */
import { stat } from 'node:fs/promises';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { mediaAdded } from '@parley/contract/media/media.ts';
import { dimensionRefusal, sizeRefusal } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import { failpoint } from '../kernel/failpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { piecesOf } from './content.ts';
import { inspect, UNKNOWN } from './inspect.ts';
import { objectKey, refuse, removeObjects, thumbnailKey, told } from './media.ts';
import { partPath, removePart } from './parts.ts';
import type { MediaRow } from './queries.ts';
import * as queries from './queries.ts';

const MAX_THUMBNAIL = 2 * 1024 * 1024;

export async function finishUpload(kernel: Kernel, slot: MediaRow, lease: string, look = inspect): Promise<MediaRow> {
  try {
    return await keep(kernel, slot, lease, look);
  } catch (error) {
    // A file that was refused will not get better. After any other trouble it can be tried again.
    if (error instanceof Problem) await removePart(kernel, lease);
    throw error;
  }
}

async function keep(kernel: Kernel, slot: MediaRow, lease: string, look: typeof inspect): Promise<MediaRow> {
  const { account_id, id } = slot;
  const path = partPath(kernel, lease);
  const rule = mediaRule(slot.type, slot.channel);
  refuse(sizeRefusal((await stat(path)).size, rule));
  const found = await look(path, slot.file_name);
  if (slot.wanted_width && slot.wanted_height)
    refuse(
      dimensionRefusal(
        { width: found.width ?? 0, height: found.height ?? 0 },
        { width: slot.wanted_width, height: slot.wanted_height },
      ),
    );
  const keys = [objectKey(account_id, lease), thumbnailKey(account_id, lease)] as const;
  try {
    const stored = await kernel.storage.put(keys[0], piecesOf(path), { max_bytes: rule.max_bytes });
    if (found.thumbnail) await kernel.storage.put(keys[1], piecesOf(found.thumbnail), { max_bytes: MAX_THUMBNAIL });
    failpoint('media.stored');
    const ready = await kernel.db.tx(async (tx) => {
      const row = await queries.finish(tx, {
        account_id,
        id,
        lease,
        // What cannot be shown is something to download.
        type: found.content_type === UNKNOWN ? 'document' : slot.type,
        content_type: found.content_type,
        bytes: stored.bytes,
        sha256: stored.sha256,
        width: found.width,
        height: found.height,
        has_thumbnail: found.thumbnail !== null,
        now: tx.now,
      });
      if (row) emit(tx, mediaAdded, account_id, told(row));
      return row;
    });
    if (!ready) throw new Problem('UPLOAD_ENDED');
    await removePart(kernel, lease);
    return ready;
  } catch (error) {
    // Overtaken. After any other trouble nobody knows whether the commit was one: the next upload, or the sweep, tidies up if it was not.
    if (error instanceof Problem) await removeObjects(kernel, account_id, lease);
    throw error;
  }
}

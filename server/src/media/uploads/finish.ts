/**
 * The last step of an upload: inspects the received file, stores it under the name of its lease, and marks the media
 * row ready in one transaction. Before that commit the file is not visible. If a newer upload took over, or the process
 * crashed, the slot keeps waiting and the sweep removes the stored object.
 */
import { stat } from 'node:fs/promises';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { mediaAdded } from '@parley/contract/media/media.ts';
import { dimensionRefusal, sizeRefusal } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { requireNoMalware } from '../../kernel/untrusted/malware.ts';
import { readChunks } from '../formats/content.ts';
import { inspect, UNKNOWN } from '../formats/inspect.ts';
import { objectKey, removeObjects, thumbnailKey } from '../objects.ts';
import type { MediaRow } from '../queries.ts';
import * as queries from '../queries.ts';
import { toMediaEvent } from '../view.ts';
import { requireAllowed } from './limits.ts';
import { partPath, removePart } from './parts.ts';
import { lockSpace, requireSpaceForArrived } from './space.ts';

const MAX_THUMBNAIL = 2 * 1024 * 1024;

export async function finishUpload(
  kernel: Kernel,
  slot: MediaRow,
  lease: string,
  inspectFile = inspect,
): Promise<MediaRow> {
  try {
    return await store(kernel, slot, lease, inspectFile);
  } catch (error) {
    // A refused file stays refused. After any other error, the upload can continue with the received bytes.
    if (error instanceof Problem && error.name !== 'MALWARE_SCAN_UNAVAILABLE') await removePart(kernel, lease);
    throw error;
  }
}

async function store(kernel: Kernel, slot: MediaRow, lease: string, inspectFile: typeof inspect): Promise<MediaRow> {
  const { account_id, id } = slot;
  const path = partPath(kernel, lease);
  const rule = mediaRule(slot.type, slot.channel);
  requireAllowed(sizeRefusal((await stat(path)).size, rule));
  // The HTTP layer has already scanned a file that was uploaded in one call. A second scan costs little.
  await requireNoMalware(kernel, id, readChunks(path));
  const tenant = { account_id, verified: await queries.isVerified(kernel.db, account_id) };
  const file = await inspectFile(tenant, path, slot.file_name);
  if (slot.declared_width && slot.declared_height)
    requireAllowed(
      dimensionRefusal(
        { width: file.width ?? 0, height: file.height ?? 0 },
        { width: slot.declared_width, height: slot.declared_height },
      ),
    );
  const keys = [objectKey(account_id, lease), thumbnailKey(account_id, lease)] as const;
  try {
    const stored = await kernel.storage.put(keys[0], readChunks(file.path), { max_bytes: rule.max_bytes });
    if (file.thumbnail) await kernel.storage.put(keys[1], readChunks(file.thumbnail), { max_bytes: MAX_THUMBNAIL });
    failpoint('media.stored');
    const ready = await kernel.db.tx(async (tx) => {
      await lockSpace(tx, account_id);
      await requireSpaceForArrived(kernel, tx, tenant, stored.bytes);
      const row = await queries.finish(tx, {
        account_id,
        id,
        lease,
        // A file of an unknown kind can only be downloaded, not shown.
        type: file.content_type === UNKNOWN ? 'document' : slot.type,
        content_type: file.content_type,
        bytes: stored.bytes,
        sha256: stored.sha256,
        width: file.width,
        height: file.height,
        has_thumbnail: file.thumbnail !== null,
        now: tx.now,
      });
      if (row) emit(tx, mediaAdded, account_id, toMediaEvent(row));
      return row;
    });
    if (!ready) throw new Problem('UPLOAD_ENDED');
    await removePart(kernel, lease);
    return ready;
  } catch (error) {
    // A newer upload took over, or the account has no space left. After any other error, the commit may have succeeded,
    // so the objects stay; the next upload or the sweep removes them if it did not.
    if (error instanceof Problem) await removeObjects(kernel, account_id, lease);
    throw error;
  }
}

/**
 * Handles files that are uploaded in one API call. The HTTP layer has already stored the file, and it must pass the
 * same checks here as every other upload.
 */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import type { createMedia as createMediaEndpoint, Media } from '@parley/contract/media/media.ts';
import { isFileName, sizeRefusal } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Upload } from '../../kernel/http/upload.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { newLease } from '../objects.ts';
import * as queries from '../queries.ts';
import { removeMedia } from '../removal.ts';
import { toMedia } from '../view.ts';
import { finishUpload } from './finish.ts';
import { requireAllowed } from './limits.ts';
import { takeOver } from './parts.ts';
import { openSlot } from './slots.ts';

export async function createWhole(
  kernel: Kernel,
  actor: Actor,
  upload: Upload | null,
  body: Parsed<typeof createMediaEndpoint>['body'],
): Promise<Media> {
  if (!upload) throw new Problem('VALUE_INVALID', { field: 'file', message: 'File is a required field' });
  const file_name = body.file_name ?? upload.filename;
  if (!isFileName(file_name)) throw new Problem('FILE_NAME_INVALID');
  requireAllowed(sizeRefusal(upload.bytes, mediaRule(body.type, body.channel ?? null)));
  const slot = await kernel.db.tx((tx) => openSlot(kernel, tx, actor, { ...body, file_name }));
  try {
    const lease = newLease();
    await queries.takeLease(kernel.db, slot.account_id, slot.id, lease, kernel.clock.now());
    const path = await takeOver(kernel, null, lease, 0);
    const stored = await kernel.storage.open(upload.key);
    if (!stored) throw new Problem('FILE_NOT_FOUND');
    await pipeline(stored.stream, createWriteStream(path));
    const ready = await finishUpload(kernel, slot, lease);
    await kernel.storage.remove(upload.key);
    return toMedia(kernel, ready);
  } catch (error) {
    // Removing the slot can also fail if it was already removed or if the database is down. The first error is thrown;
    // the sweep removes the slot later.
    await kernel.db.tx((tx) => removeMedia(tx, slot.account_id, slot.id)).catch(() => {});
    throw error;
  }
}

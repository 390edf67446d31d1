/** Removes unused slots, files unused for 30 days, files of erased accounts, and the objects of deleted files. */

import { UNUSED_DAYS } from '@parley/contract/media/media.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { removeObjects } from './objects.ts';
import * as queries from './queries.ts';
import { removeMedia } from './removal.ts';
import { removePart, sweepParts } from './uploads/parts.ts';

const HOUR_MS = 3_600_000;
/** Longer than a 200 MB upload takes over a slow connection with pauses. */
const SLOT_HOURS = 24;

export async function sweepMedia(kernel: Kernel): Promise<void> {
  const now = kernel.clock.now().getTime();
  const unused = await queries.listUnusedMedia(
    kernel.db,
    new Date(now - SLOT_HOURS * HOUR_MS),
    new Date(now - UNUSED_DAYS * 24 * HOUR_MS),
  );
  for (const { account_id, id } of unused) {
    // A file that came into use after the query is kept.
    await kernel.db.tx((tx) => removeMedia(tx, account_id, id)).catch(ignoreUsed);
  }
  await queries.removeErasedAccountMedia(kernel.db);
  await purgeRemoved(kernel);
  await sweepParts(kernel);
}

/** Removes the objects before the row: a later run finds a row without objects, but not objects without a row. */
export async function purgeRemoved(kernel: Kernel, signal?: AbortSignal): Promise<void> {
  for (const { account_id, id, lease } of await queries.listRemovedMedia(kernel.db)) {
    if (signal?.aborted) return;
    if (lease !== null) {
      await removeObjects(kernel, account_id, lease);
      await removePart(kernel, lease);
    }
    await queries.deleteRow(kernel.db, account_id, id);
  }
}

function ignoreUsed(error: unknown): void {
  const isGone = error instanceof Problem && (error.name === 'FILE_IN_USE' || error.name === 'FILE_NOT_FOUND');
  if (!isGone) throw error;
}

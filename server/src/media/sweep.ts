/** What is left behind: slots nobody used, files nobody uses for 30 days, files of erased accounts, files whose row says that they are to go. */
import { UNUSED_DAYS } from '@parley/contract/media/media.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { removeMedia, removeObjects } from './media.ts';
import { removePart, sweepParts } from './uploads/parts.ts';
import * as queries from './queries.ts';

const HOUR_MS = 3_600_000;
/** An upload of 200 MB over a bad line, with pauses, takes less. */
const SLOT_HOURS = 24;

export async function sweepMedia(kernel: Kernel): Promise<void> {
  const now = kernel.clock.now().getTime();
  const unwanted = await queries.unwanted(
    kernel.db,
    new Date(now - SLOT_HOURS * HOUR_MS),
    new Date(now - UNUSED_DAYS * 24 * HOUR_MS),
  );
  for (const { account_id, id } of unwanted) {
    // Since it was found something may have come to use it: it stays then.
    await kernel.db.tx((tx) => removeMedia(tx, account_id, id)).catch(kept);
  }
  await queries.ofErased(kernel.db);
  await forgetRemoved(kernel);
  await sweepParts(kernel);
}

/** The files first: a row that is left is found again, a file that is left is not. */
export async function forgetRemoved(kernel: Kernel, signal?: AbortSignal): Promise<void> {
  for (const { account_id, id, lease } of await queries.removedRows(kernel.db)) {
    if (signal?.aborted) return;
    if (lease !== null) {
      await removeObjects(kernel, account_id, lease);
      await removePart(kernel, lease);
    }
    await queries.deleteRow(kernel.db, account_id, id);
  }
}

function kept(error: unknown): void {
  const code = (error as { code?: unknown }).code;
  if (code !== 1913 && code !== 1901) throw error;
}

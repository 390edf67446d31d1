/** Deletes a media file. It disappears for all users immediately, and a job removes the stored objects. */
import { mediaRemoved } from '@parley/contract/media/media.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import * as queries from './queries.ts';

export const purgeJob = job<object>('media.forget', { key: () => 'all' });

/** Throws FILE_NOT_FOUND or FILE_IN_USE. */
export async function removeMedia(tx: Tx, account_id: string, id: string): Promise<queries.Removed> {
  const removed = await queries.setRemoved(tx, account_id, id, tx.now);
  if (!removed) throw new Problem((await queries.findMedia(tx, account_id, id)) ? 'FILE_IN_USE' : 'FILE_NOT_FOUND');
  if (removed.was_ready) emit(tx, mediaRemoved, account_id, { id, account_id });
  await enqueue(tx, purgeJob, {});
  return removed;
}

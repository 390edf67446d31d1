/**
 * Cleans up imports: cancels imports whose columns were not chosen within a day, restarts runs whose job was lost, and
 * removes files that a crash left behind.
 */
import { UNDO_DAYS } from '@parley/contract/audiences/limits.ts';
import { problemCode } from '@parley/contract/problem.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { NO_ROWS } from '../reader/task.ts';
import { removeOldChanges } from './facts.ts';
import { announceImport, importJob, removeFile } from './imports.ts';
import * as imports from './queries.ts';

const MAX_MAPPING_MS = 24 * 3_600_000;
/**
 * A run stores its progress twice a second. If it is silent for longer than all retries of its job could take, it is
 * lost.
 */
const SILENT_MS = 30 * 60_000;
const MAX_RUN_MS = 24 * 3_600_000;
const FAILED_END = {
  status: 'failed',
  error_code: problemCode('INTERNAL_ERROR'),
  error_message: 'The import could not be completed',
} as const;

export async function sweepImports(kernel: Kernel): Promise<void> {
  const now = kernel.clock.now().getTime();
  for (const { account_id, id } of await imports.listStaleMappings(kernel.db, new Date(now - MAX_MAPPING_MS))) {
    await kernel.db.tx(async (tx) => {
      const row = await imports.setEnded(tx, account_id, id, {
        status: 'canceled',
        error_code: null,
        error_message: null,
      });
      if (row) announceImport(tx, row);
    });
  }
  const stuck = await imports.listStuckImports(kernel.db, new Date(now - SILENT_MS), new Date(now - MAX_RUN_MS));
  for (const { account_id, id, is_expired } of stuck) {
    await kernel.db.tx(async (tx) => {
      const row = is_expired
        ? await imports.setEnded(tx, account_id, id, FAILED_END)
        : await imports.setProgress(tx, account_id, id, NO_ROWS);
      if (row && !is_expired) await enqueue(tx, importJob, { account_id, id });
      if (row) announceImport(tx, row);
    });
  }
  for (const row of await imports.listEndedWithFile(kernel.db)) await removeFile(kernel, row);
  await removeOldChanges(kernel.db, new Date(now - UNDO_DAYS * 24 * 3_600_000));
}

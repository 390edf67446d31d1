/**
 * Writes the file of an export. The list is read through its own endpoint, page by page, and each page is written
 * before the next one is read. All pages show the moment at which the run began. A file appears in the storage
 * completely or not at all; after a crash, the next run writes it again from the start.
 */
import { type AnyExportColumn, exportColumns, fieldColumns } from '@parley/contract/exports/columns.ts';
import { MAX_EXPORT_ROWS } from '@parley/contract/exports/exports.ts';
import { EXPORT_LISTS } from '@parley/contract/exports/lists.ts';
import { Problem } from '@parley/contract/problem.ts';
import { listFields } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import type { Paged } from '../kernel/db/list.ts';
import { failpoint } from '../kernel/failpoint.ts';
import type { Implementation } from '../kernel/http/endpoint.ts';
import { readPages } from '../kernel/http/list_calls.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { announceExport } from './exports.ts';
import { FILE_FORMATS } from './file_format.ts';
import { readLogPages } from './log_rows.ts';
import * as queries from './queries.ts';
import { deliverExport } from './schedule_mails.ts';

const MAX_EXPORT_BYTES = 4 * 1024 ** 3;
const MAX_ATTEMPTS = 5;
const PROGRESS_MS = 500;

class Canceled extends Error {}

export async function writeExport(
  kernel: Kernel,
  routes: readonly Implementation[],
  ids: { account_id: string; id: string },
  signal: AbortSignal,
): Promise<void> {
  const run_id = newId();
  const storage_key = `exports/${ids.account_id}/${run_id}`;
  const row = await kernel.db.tx(async (tx) => {
    const running = await queries.setRunning(tx, ids.account_id, ids.id, { id: run_id, storage_key });
    if (running) announceExport(tx, running);
    return running;
  });
  if (!row) return;
  if (row.previous_key) await kernel.storage.remove(row.previous_key);
  const progress: Progress = { rows_count: 0, total_rows: null };
  const own = row.list === 'contacts' ? fieldColumns(await listFields(kernel.db, row.account_id)) : [];
  try {
    const { bytes } = await kernel.db.tx(
      (tx) =>
        kernel.storage.put(storage_key, encode(kernel, routes, tx, row, own, progress, signal), {
          max_bytes: MAX_EXPORT_BYTES,
        }),
      'repeatable read',
    );
    failpoint('export.written');
    await finish(kernel, async (tx) => {
      const completed = await queries.setCompleted(tx, row, { ...progress, bytes });
      if (completed) await deliverExport(kernel, tx, completed);
      return completed;
    });
  } catch (error) {
    await kernel.storage.remove(storage_key);
    if (error instanceof Canceled) return;
    const isFinal = error instanceof Problem || row.attempts >= MAX_ATTEMPTS;
    if (!isFinal) throw error;
    kernel.log.warn({ err: error, export_id: row.id }, 'export failed');
    const message = error instanceof Problem ? error.message : 'The file could not be written. Start the export again.';
    await finish(kernel, (tx) => queries.setFailed(tx, row, message)).catch(ignoreCanceled);
  }
}

interface Progress {
  rows_count: number;
  total_rows: number | null;
}

function encode(
  kernel: Kernel,
  routes: readonly Implementation[],
  tx: Tx,
  row: queries.ExportRow,
  own: readonly AnyExportColumn[],
  progress: Progress,
  signal: AbortSignal,
): AsyncIterable<Uint8Array | string> {
  const endpoint = EXPORT_LISTS[row.list];
  const implementation = routes.find((route) => route.endpoint.id === endpoint.id);
  if (!implementation) throw new Error(`no implementation of ${endpoint.id}`);
  // A transaction that was repeated begins again.
  Object.assign(progress, { rows_count: 0, total_rows: null });
  async function* portions(pages: AsyncIterable<Paged<unknown>>) {
    let reported = Date.now();
    for await (const page of pages) {
      const { total, total_is_estimate } = page.pagination;
      if (progress.rows_count === 0) progress.total_rows = total_is_estimate ? null : total;
      progress.rows_count += page.data.length;
      if (progress.rows_count > MAX_EXPORT_ROWS[row.format]) throw new Problem('EXPORT_ROWS_LIMIT_EXCEEDED');
      yield page.data;
      failpoint('export.portion');
      if (signal.aborted) throw new Error('stopped before the export was written');
      if (Date.now() - reported < PROGRESS_MS) continue;
      await finish(kernel, (own) => queries.setProgress(own, row, progress));
      reported = Date.now();
    }
  }
  const columns = exportColumns(row.list, row.columns, own);
  const call = { ...row, endpoint, isCounted: true };
  const pages =
    row.list === 'messages' && !row.actor.test
      ? readLogPages(tx, row.actor, call, columns)
      : readPages(kernel, implementation, tx, row.actor, call);
  return FILE_FORMATS[row.format].encode(columns, portions(pages), row.time_zone);
}

/** Stores and announces a change. Throws Canceled if the export was deleted or belongs to a newer run. */
async function finish(kernel: Kernel, change: (tx: Tx) => Promise<queries.ExportRow | null>): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const changed = await change(tx);
    if (!changed) throw new Canceled();
    announceExport(tx, changed);
  });
}

function ignoreCanceled(error: unknown): void {
  if (!(error instanceof Canceled)) throw error;
}

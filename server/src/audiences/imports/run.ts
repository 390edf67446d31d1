/**
 * Runs an import. The reader parses and validates the file while COPY streams the contacts into PostgreSQL. Contacts,
 * counts, and any new audience are committed together or not at all. A run can be repeated at any time: it starts again
 * from the stored file and produces the same result.
 */
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { audienceCreated, audienceUpdated } from '@parley/contract/audiences/audiences.ts';
import { MAX_IMPORT_BYTES } from '@parley/contract/audiences/imports.ts';
import { Problem, problemCode } from '@parley/contract/problem.ts';
import { from as copyFrom } from 'pg-copy-streams';
import { newId } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { insertAudience } from '../list/audiences.ts';
import * as queries from '../list/queries.ts';
import { importRowLimit } from '../phone_numbers/account_country.ts';
import { runTask } from '../reader/reader.ts';
import { NO_ROWS, type ReportedRow, type RowCounts } from '../reader/task.ts';
import { storeFacts } from './facts.ts';
import { announceImport, openFile, removeFile } from './imports.ts';
import * as imports from './queries.ts';
import { readFactColumns, settleIds, storeRowFacts } from './row_facts.ts';

const RUN_MS = 600_000;
export const PROGRESS_MS = 500;

class Canceled extends Error {}

export async function runImport(
  kernel: Kernel,
  ids: { account_id: string; id: string },
  signal: AbortSignal,
): Promise<void> {
  const row = await imports.findImport(kernel.db, ids.account_id, ids.id);
  if (row?.status !== 'running') return;
  const refusedKeys: string[] = [];
  const watch = watchProgress(kernel, ids);
  try {
    // The whole transaction runs again after a deadlock.
    await kernel.db.tx(
      (tx) => run(kernel, tx, row, watch, AbortSignal.any([signal, watch.canceled]), refusedKeys),
      'copy',
    );
    await removeFile(kernel, row);
  } catch (error) {
    await watch.stop();
    if (error instanceof Problem) await fail(kernel, row, error);
    else if (!(error instanceof Canceled) && !watch.canceled.aborted) throw error;
  } finally {
    await watch.stop();
    const keptKey = (await imports.findImport(kernel.db, ids.account_id, ids.id))?.refused_key;
    for (const key of refusedKeys) if (key !== keptKey) await kernel.storage.remove(key);
  }
}

async function run(
  kernel: Kernel,
  tx: Tx,
  row: imports.ImportRow,
  watch: Watch,
  signal: AbortSignal,
  refusedKeys: string[],
): Promise<void> {
  const { account_id, preview, options } = row;
  const audience_id = row.audience_id ?? newId();
  // A new audience needs no staging table for contacts: it is not visible yet, and the reader has removed duplicates.
  const facts = await readFactColumns(tx, account_id, options.columns);
  const isStaged = row.audience_id !== null || facts.length > 0;
  if (isStaged) await imports.createStaging(tx);
  const table = isStaged ? 'import_contacts' : 'contacts';
  const refused_key = `imports/${row.id}/${newId()}`;
  refusedKeys.push(refused_key);
  const { counts, refused_bytes, reported } = await streamRows(kernel, tx, {
    statement: imports.copyStatement(table, facts.length > 0),
    refused_key,
    signal,
    task: {
      kind: 'rows',
      options: {
        country: options.default_country ?? null,
        max_rows: await importRowLimit(tx, account_id),
        encoding: preview.encoding,
        delimiter: (preview.delimiter ?? undefined) as ',' | undefined,
        has_header: preview.has_header,
      },
      columns: options.columns,
      facts,
      default_country: options.default_country ?? null,
      account_id,
      audience_id,
      import_id: row.id,
      column_names: preview.columns.map(({ name }) => name),
    },
    key: row.storage_key,
    watch,
  });
  await watch.stop();

  const current = await imports.lockImport(tx, account_id, row.id);
  if (current?.status !== 'running') throw new Canceled();
  const erased = await imports.dropErased(tx, row, isStaged ? null : audience_id);
  reported.push(...(await settleIds(tx, account_id, facts, counts)));
  const audience = row.audience_id
    ? await queries.lockAudience(tx, account_id, audience_id)
    : await insertAudience(tx, {
        account_id,
        id: audience_id,
        name: row.audience_name,
        channel: row.channel,
        contacts_count: counts.contacts - erased,
      });
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  const { created, updated } = await storeStaged(tx, row, isStaged, counts.contacts - erased);
  const source = { ...row, audience_id, options, isNew: row.audience_id === null };
  await storeFacts(tx, source);
  if (facts.length > 0) await storeRowFacts(tx, source);
  const completed = await imports.setCompleted(tx, {
    account_id,
    id: row.id,
    audience_id,
    audience_name: audience.name,
    counts,
    created,
    updated,
    skipped: counts.contacts - created - updated,
    refused_key: refused_bytes === null ? null : refused_key,
    refused_bytes: refused_bytes ?? 0,
  });
  await imports.insertRows(tx, row, reported);
  if (row.audience_id)
    emit(tx, audienceUpdated, account_id, await queries.addToCount(tx, account_id, audience_id, created));
  else emit(tx, audienceCreated, account_id, audience);
  announceImport(tx, completed);
}

/** Moves staged contacts to the audience. `count` contacts of a new audience may already be there. */
async function storeStaged(
  tx: Tx,
  row: imports.ImportRow,
  isStaged: boolean,
  count: number,
): Promise<{ created: number; updated: number }> {
  const { audience_id, options } = row;
  if (!isStaged) return { created: count, updated: 0 };
  if (audience_id === null || options.existing === 'skip')
    return { created: await imports.insertStaged(tx), updated: 0 };
  return imports.mergeStaged(tx, row, Object.keys(options.columns), options.existing);
}

interface Stream {
  statement: string;
  refused_key: string;
  key: string;
  signal: AbortSignal;
  task: Parameters<typeof runTask>[0] & { kind: 'rows' };
  watch: Watch;
}

/**
 * Streams the file through the reader into COPY, and the refused rows into a file. Neither stream is held in memory.
 * Only the rows for the page of the import are.
 */
async function streamRows(
  kernel: Kernel,
  tx: Tx,
  stream: Stream,
): Promise<{ counts: RowCounts; refused_bytes: number | null; reported: ReportedRow[] }> {
  const copy = tx.client.query(Object.assign(copyFrom(stream.statement), { query_timeout: RUN_MS }));
  const copied = finished(copy);
  let copyError: unknown = null;
  copied.catch((error) => {
    copyError = error;
  });
  const refused = new PassThrough();
  // The stream's consumer reports its error. Without a listener, an error before the first read would end the process.
  refused.on('error', () => {});
  let storing: Promise<{ bytes: number }> | null = null;
  const reported: ReportedRow[] = [];
  try {
    const counts = await runTask(stream.task, {
      // The queue of jobs already limits a company's imports.
      tenant: { account_id: stream.task.account_id, verified: true },
      open: () => openFile(kernel, stream.key),
      limit_ms: RUN_MS,
      signal: stream.signal,
      onBatch: async (batch) => {
        if (copyError) throw copyError;
        stream.watch.report(batch.counts);
        reported.push(...batch.reported);
        if (batch.refused) {
          storing ??= kernel.storage.put(stream.refused_key, refused, { max_bytes: MAX_IMPORT_BYTES * 4 });
          if (!refused.write(batch.refused)) await Promise.race([waitForDrain(refused), storing]);
        }
        if (batch.copy && !copy.write(batch.copy)) await Promise.race([waitForDrain(copy), copied]);
      },
    });
    copy.end();
    await copied;
    refused.end();
    const stored = await (storing as Promise<{ bytes: number }> | null);
    return { counts, refused_bytes: stored?.bytes ?? null, reported };
  } catch (error) {
    // Releases the connection and the disk before the caller rolls back.
    refused.destroy(error as Error);
    copy.destroy(error as Error);
    await Promise.allSettled([copied, storing]);
    throw error;
  }
}

const waitForDrain = (stream: NodeJS.EventEmitter) => new Promise((resolve) => stream.once('drain', resolve));

async function fail(kernel: Kernel, row: imports.ImportRow, problem: Problem): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const failed = await imports.setEnded(tx, row.account_id, row.id, {
      status: 'failed',
      error_code: problemCode(problem.name),
      error_message: problem.message,
    });
    if (failed) announceImport(tx, failed);
  });
  await removeFile(kernel, row);
}

interface Watch {
  report(counts: RowCounts): void;
  /** Aborts when a user cancels the import. */
  canceled: AbortSignal;
  stop(): Promise<void>;
}

/** Stores the progress twice a second in short transactions and detects cancellation. */
function watchProgress(kernel: Kernel, { account_id, id }: { account_id: string; id: string }): Watch {
  const abort = new AbortController();
  let counts = NO_ROWS;
  let busy: Promise<void> | null = null;
  const storeProgress = async () => {
    await kernel.db.tx(async (tx) => {
      const row = await imports.setProgress(tx, account_id, id, counts);
      if (row) announceImport(tx, row);
      else abort.abort(new Canceled('canceled'));
    });
  };
  const timer = setInterval(() => {
    busy ??= storeProgress()
      .catch((error) => kernel.log.warn({ err: error, import_id: id }, 'import progress not stored'))
      .finally(() => {
        busy = null;
      });
  }, PROGRESS_MS);
  return {
    report: (latest) => {
      counts = latest;
    },
    canceled: abort.signal,
    async stop() {
      clearInterval(timer);
      await busy;
    },
  };
}

/**
 * Runs a bulk job. First, the rows of the filter are stored in the order of the list, as a snapshot. Then they are
 * changed in batches. A batch and the job's position change in one transaction, so a run that is repeated continues
 * after the last finished row, and no row is changed or counted twice.
 */
import { BULK_ACTIONS, bulkBody, listParams } from '@parley/contract/bulk/actions.ts';
import { MAX_BULK_ROWS } from '@parley/contract/bulk/bulk.ts';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';
import { idAt } from '../kernel/clock.ts';
import { failpoint } from '../kernel/failpoint.ts';
import { type Implementation, parseWith } from '../kernel/http/endpoint.ts';
import { canView, makeJobContext, readPages } from '../kernel/http/list_calls.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { readCurrentPermissions } from '../team/team.ts';
import { announceJob, endJob } from './bulk.ts';
import * as queries from './queries.ts';

/** Rows per transaction. */
const PORTION = 50;

/** The job was canceled, or another run has taken over. */
class Superseded extends Error {}

export async function runBulkJob(
  kernel: Kernel,
  routes: readonly Implementation[],
  ids: { account_id: string; id: string },
  signal: AbortSignal,
): Promise<void> {
  const { db } = kernel;
  const find = (endpoint: AnyEndpoint): Implementation => {
    const route = routes.find((one) => one.endpoint.id === endpoint.id);
    if (!route) throw new Error(`no implementation of ${endpoint.id}`);
    return route;
  };
  try {
    let job = await queries.findJob(db, ids.account_id, ids.id);
    if (job?.status === 'pending') job = await storeRows(kernel, find, job);
    while (job?.status === 'running') {
      if (signal.aborted) throw new Error('stopped before the bulk job ended');
      await requirePermission(kernel, job);
      const rows = await queries.readRows(db, job, job.position, PORTION);
      if (rows.length === 0) break;
      job = await changeRows(
        kernel,
        find,
        job,
        rows.map(({ row_id }) => row_id),
      );
      failpoint('bulk.portion');
    }
    await db.tx((tx) => endJob(tx, ids, { status: 'completed', error_message: null }));
  } catch (error) {
    if (error instanceof Superseded) return;
    if (!(error instanceof Problem)) throw error;
    await db.tx((tx) => endJob(tx, ids, { status: 'failed', error_message: error.message }));
  }
}

type Find = (endpoint: AnyEndpoint) => Implementation;

/** Stores the rows of the filter, without those that are newer than the selection. */
async function storeRows(kernel: Kernel, find: Find, job: queries.BulkRow): Promise<queries.BulkRow> {
  const { list } = BULK_ACTIONS[job.action];
  const newer = idAt(job.selection_ms + 1);
  return kernel.db.tx(async (tx) => {
    const current = await queries.lockJob(tx, job.account_id, job.id);
    if (current?.status !== 'pending') throw new Superseded();
    let total = current.total_rows ?? 0;
    if (current.total_rows === null) {
      const call = { endpoint: list, params: listParams(job.action, job.params), filter: job.filter, sort: null };
      for await (const { data } of readPages(kernel, find(list), tx, job.actor, call)) {
        const found = (data as { id: string }[]).map(({ id }) => id).filter((id) => id < newer);
        await queries.insertRows(tx, job, total, found);
        total += found.length;
        if (total > MAX_BULK_ROWS) throw new Problem('BULK_ROWS_LIMIT_EXCEEDED');
      }
    }
    const running = await queries.setRunning(tx, current, total);
    if (!running) throw new Superseded();
    announceJob(tx, running);
    return running;
  }, 'repeatable read');
}

/** The user may have lost the permission since the job was started. */
async function requirePermission({ db }: Kernel, job: queries.BulkRow): Promise<void> {
  const permissions = await readCurrentPermissions(db, job.actor);
  if (!permissions || !canView({ ...job.actor, permissions }, BULK_ACTIONS[job.action].endpoint))
    throw new Problem('PERMISSION_REQUIRED');
}

/** Changes all rows in one transaction. If one of them refuses, they are changed one by one instead. */
async function changeRows(
  kernel: Kernel,
  find: Find,
  job: queries.BulkRow,
  ids: readonly string[],
): Promise<queries.BulkRow> {
  try {
    return await changeTogether(kernel, find, job, ids);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (ids.length === 1) return refuseRow(kernel, job, error.name);
  }
  let current = job;
  for (const id of ids) current = await changeRows(kernel, find, current, [id]);
  return current;
}

async function changeTogether(
  kernel: Kernel,
  find: Find,
  job: queries.BulkRow,
  ids: readonly string[],
): Promise<queries.BulkRow> {
  const { endpoint, id_param } = BULK_ACTIONS[job.action];
  const { run } = find(endpoint);
  return kernel.db.tx(async (tx) => {
    // Locks the job first: a canceled job changes nothing more, and two runs never change the same rows.
    const advanced = await queries.advance(tx, job, { done: ids.length, refused: 0, reasons: job.reasons });
    if (!advanced) throw new Superseded();
    const context = makeJobContext(kernel, tx, job.actor);
    for (const id of ids) {
      const params = parseWith('params', endpoint.params, { ...job.params, [id_param]: id });
      await run(context, { params, query: undefined, body: bulkBody(job.action) } as never);
    }
    announceJob(tx, advanced);
    return advanced;
  });
}

async function refuseRow({ db }: Kernel, job: queries.BulkRow, name: ProblemName): Promise<queries.BulkRow> {
  return db.tx(async (tx) => {
    const reasons = { ...job.reasons, [name]: (job.reasons[name] ?? 0) + 1 };
    const advanced = await queries.advance(tx, job, { done: 0, refused: 1, reasons });
    if (!advanced) throw new Superseded();
    announceJob(tx, advanced);
    return advanced;
  });
}

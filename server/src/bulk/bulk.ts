/**
 * Bulk jobs of users. A job (run.ts) finds the rows once and then changes them through the endpoint of the action,
 * with the rights of the user who started it.
 */
import { BULK_ACTIONS, listParams } from '@parley/contract/bulk/actions.ts';
import {
  BULK_JOB_DAYS,
  type BulkActionName,
  type BulkJob,
  bulkJobProgressed,
  type createBulkJob as createEndpoint,
  MAX_UNFINISHED_BULK_JOBS,
} from '@parley/contract/bulk/bulk.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { PROBLEMS, Problem, type ProblemName, problemCode } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { parseWith } from '../kernel/http/endpoint.ts';
import { parseListCall, requireList } from '../kernel/http/list_calls.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './queries.ts';

/** Safe to repeat: it continues after the last finished row. */
export const bulkJob = job<{ account_id: string; id: string }>('bulk_jobs.run', {
  concurrency: 2,
  expire_seconds: 3_600,
});

/** Throws the problems of the list for these parameters, and BULK_JOB_LIMIT_REACHED. */
export async function createBulkJob(
  tx: Tx,
  actor: Actor,
  { action, params, ids, filter, selection_age }: Parsed<typeof createEndpoint>['body'],
): Promise<BulkJob> {
  const { list, endpoint, id_param } = BULK_ACTIONS[action];
  requireList(actor, list);
  requireList(actor, endpoint);
  parseListCall({ endpoint: list, params: listParams(action, params), filter, sort: null });
  // The row's ID is not known yet.
  parseWith('params', endpoint.params, { ...params, [id_param]: newId() });
  await queries.lockJobs(tx, actor.account_id);
  if ((await queries.countUnfinished(tx, actor.account_id)) >= MAX_UNFINISHED_BULK_JOBS)
    throw new Problem('BULK_JOB_LIMIT_REACHED');
  const chosen = ids && [...new Set(ids)];
  const row = await queries.insertJob(tx, {
    account_id: actor.account_id,
    id: newId(),
    action,
    params,
    filter,
    actor,
    selection_date: new Date(tx.now.getTime() - selection_age),
    total_rows: chosen?.length ?? null,
  });
  if (chosen) await queries.insertRows(tx, row, 0, chosen);
  await enqueue(tx, bulkJob, { account_id: row.account_id, id: row.id });
  announceJob(tx, row);
  return toJob(row);
}

export async function listBulkJobs(
  db: Queryable,
  actor: Actor,
  query: Parameters<typeof readPage>[0] & { filter?: { action?: BulkActionName | undefined } | undefined },
): Promise<Paged<BulkJob>> {
  const page = readPage(query);
  const rows = await queries.listJobs(db, actor, query.filter?.action, page);
  return paged(page, rows.map(toJob), await queries.countJobs(db, actor, query.filter?.action));
}

/** The run notices it before its next rows. */
export async function cancelBulkJob(tx: Tx, actor: Actor, id: string): Promise<void> {
  const row = await queries.findJob(tx, actor.account_id, id);
  if (row?.user_id !== actor.user_id) throw new Problem('BULK_JOB_NOT_FOUND');
  if (!(await endJob(tx, row, { status: 'canceled', error_message: null }))) throw new Problem('BULK_JOB_ENDED');
}

/** Returns false if the job has already ended. */
export async function endJob(
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
  end: Parameters<typeof queries.setEnded>[3],
): Promise<boolean> {
  const ended = await queries.setEnded(tx, account_id, id, end);
  if (!ended) return false;
  await queries.deleteRows(tx, account_id, id);
  announceJob(tx, ended);
  return true;
}

export function announceJob(tx: Tx, row: queries.BulkRow): void {
  emit(tx, bulkJobProgressed, row.account_id, bulkJobProgressed.payload.parse(toJob(row)));
}

/** Puts the reasons in words. */
function toJob(row: queries.BulkRow): BulkJob {
  const reasons = Object.entries(row.reasons)
    .map(([name, count]) => ({
      code: problemCode(name as ProblemName),
      message: PROBLEMS[name as ProblemName].public,
      count,
    }))
    .sort((one, other) => other.count - one.count);
  return { ...row, reasons };
}

/** A run that shows no progress for longer than all retries of its job could take is lost. */
const MAX_SILENT_MS = 30 * 60_000;

/** Deletes old jobs and restarts jobs whose background job was lost. */
export async function sweepBulkJobs({ db, clock }: Kernel): Promise<void> {
  const now = clock.now().getTime();
  await queries.deleteEnded(db, new Date(now - BULK_JOB_DAYS * 86_400_000));
  for (const ids of await queries.listSilent(db, new Date(now - MAX_SILENT_MS)))
    await db.tx((tx) => enqueue(tx, bulkJob, ids));
}

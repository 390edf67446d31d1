import type { BulkActionName, BulkJob } from '@parley/contract/bulk/bulk.ts';
import { and, type Queryable, raw, sql, type Tx } from '../kernel/db/db.ts';
import type { Page } from '../kernel/db/list.ts';
import type { Actor } from '../kernel/security/auth.ts';

/** The stored job. `reasons` has the number of refused rows by problem code. */
export type BulkRow = Omit<BulkJob, 'reasons'> & {
  filter: Record<string, unknown>;
  actor: Actor;
  reasons: Record<string, number>;
  position: number;
  /** The age of the Unix epoch at the selection, in milliseconds. */
  selection_ms: number;
};

const columns = raw(`id, account_id, action, params, filter, actor, user_id, status, total_rows, position, done_count,
  refused_count, reasons, error_message, create_date, update_date,
  (extract(epoch from selection_date) * 1000)::bigint as selection_ms`);

interface NewJob {
  account_id: string;
  id: string;
  action: BulkActionName;
  params: Record<string, string>;
  filter: Record<string, unknown>;
  actor: Actor;
  selection_date: Date;
  total_rows: number | null;
}

export const insertJob = (tx: Tx, row: NewJob) =>
  tx.one<BulkRow>(sql`
    insert into bulk_jobs (account_id, id, action, params, filter, actor, user_id, status, selection_date, total_rows,
                           create_date, update_date)
    values (${row.account_id}, ${row.id}, ${row.action}, ${JSON.stringify(row.params)}::jsonb,
            ${JSON.stringify(row.filter)}::jsonb, ${JSON.stringify(row.actor)}::jsonb, ${row.actor.user_id}, 'pending',
            ${row.selection_date}, ${row.total_rows}, ${tx.now}, ${tx.now})
    returning ${columns}`);

/** Serializes the creation of bulk jobs in an account, so that the limit holds. */
export const lockJobs = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7304))`);

export const countUnfinished = async (tx: Tx, account_id: string): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*) from bulk_jobs where account_id = ${account_id} and status in ('pending', 'running')`)
  ).count;

export const insertRows = (tx: Tx, job: { account_id: string; id: string }, first: number, ids: readonly string[]) =>
  tx.run(sql`
    insert into bulk_job_rows (account_id, job_id, position, row_id)
    select ${job.account_id}, ${job.id}, ${first}::integer + t.number - 1, t.row_id
    from unnest(${ids}::uuid[]) with ordinality as t(row_id, number)`);

export const readRows = (db: Queryable, job: { account_id: string; id: string }, first: number, count: number) =>
  db.rows<{ row_id: string }>(sql`
    select row_id from bulk_job_rows
    where account_id = ${job.account_id} and job_id = ${job.id} and position >= ${first}
    order by position limit ${count}`);

export const findJob = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<BulkRow>(sql`select ${columns} from bulk_jobs where account_id = ${account_id} and id = ${id}`);

export const lockJob = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<BulkRow>(sql`
    select ${columns} from bulk_jobs where account_id = ${account_id} and id = ${id} for update`);

const ownJobs = (actor: Actor, action: string | undefined) =>
  and([
    sql`account_id = ${actor.account_id} and user_id = ${actor.user_id}`,
    action !== undefined && sql`action = ${action}`,
  ]);

export const listJobs = (db: Queryable, actor: Actor, action: string | undefined, page: Page) =>
  db.rows<BulkRow>(sql`
    select ${columns} from bulk_jobs where ${ownJobs(actor, action)}
    order by id desc offset ${page.offset} limit ${page.size + 1}`);

export const countJobs = async (db: Queryable, actor: Actor, action: string | undefined): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from bulk_jobs where ${ownJobs(actor, action)}`)).count;

export const setRunning = (tx: Tx, job: BulkRow, total_rows: number) =>
  tx.maybeOne<BulkRow>(sql`
    update bulk_jobs set status = 'running', total_rows = ${total_rows}, update_date = ${tx.now}
    where account_id = ${job.account_id} and id = ${job.id} and status = 'pending'
    returning ${columns}`);

/** Returns null if the job has ended or another run has finished these rows. */
export const advance = (
  tx: Tx,
  job: BulkRow,
  step: { done: number; refused: number; reasons: Readonly<Record<string, number>> },
) =>
  tx.maybeOne<BulkRow>(sql`
    update bulk_jobs set position = position + ${step.done + step.refused}, done_count = done_count + ${step.done},
                         refused_count = refused_count + ${step.refused}, update_date = ${tx.now},
                         reasons = ${JSON.stringify(step.reasons)}::jsonb
    where account_id = ${job.account_id} and id = ${job.id} and status = 'running' and position = ${job.position}
    returning ${columns}`);

export const setEnded = (
  tx: Tx,
  account_id: string,
  id: string,
  end: { status: 'completed' | 'canceled' | 'failed'; error_message: string | null },
) =>
  tx.maybeOne<BulkRow>(sql`
    update bulk_jobs set status = ${end.status}, error_message = ${end.error_message}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id} and status in ('pending', 'running')
    returning ${columns}`);

export const deleteRows = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from bulk_job_rows where account_id = ${account_id} and job_id = ${id}`);

/** Unfinished jobs that have shown no progress since `before`: their background job was lost. */
export const listSilent = (db: Queryable, before: Date) =>
  db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from bulk_jobs where status in ('pending', 'running') and update_date < ${before}
    order by update_date limit 100`);

export const deleteEnded = (db: Queryable, before: Date) =>
  db.run(sql`
    delete from bulk_jobs where status in ('completed', 'canceled', 'failed') and update_date < ${before}`);

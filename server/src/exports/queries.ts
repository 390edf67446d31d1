import type { Export, ExportFormat } from '@parley/contract/exports/exports.ts';
import type { ExportList } from '@parley/contract/exports/lists.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import type { Page } from '../kernel/db/list.ts';
import type { Actor } from '../kernel/security/auth.ts';

export interface Selection {
  list: ExportList;
  params: Record<string, string>;
  filter: Record<string, unknown>;
  sort: string | null;
  columns: string[] | null;
  format: ExportFormat;
  time_zone: string;
}

/** The public resource, with the fields that the job needs. */
export type ExportRow = Export &
  Selection & { actor: Actor; run_id: string | null; storage_key: string | null; schedule_id: string | null };

const columns =
  raw(`id, account_id, list, params, filter, sort, columns, format, time_zone, filename, status, actor, user_id,
  run_id, storage_key, schedule_id, rows_count, total_rows, bytes, error_message, create_date, update_date,
  expire_date`);

export const insertExport = (
  tx: Tx,
  row: Selection & {
    account_id: string;
    id: string;
    filename: string;
    actor: Actor;
    expire_date: Date;
    schedule_id: string | null;
  },
) =>
  tx.one<ExportRow>(sql`
    insert into exports (account_id, id, list, params, filter, sort, columns, format, time_zone, filename, status,
                         actor, user_id, create_date, update_date, expire_date, schedule_id)
    values (${row.account_id}, ${row.id}, ${row.list}, ${JSON.stringify(row.params)}::jsonb,
            ${JSON.stringify(row.filter)}::jsonb, ${row.sort},
            ${row.columns === null ? null : JSON.stringify(row.columns)}::jsonb, ${row.format}, ${row.time_zone},
            ${row.filename},
            'PENDING', ${JSON.stringify(row.actor)}::jsonb, ${row.actor.user_id}, ${tx.now}, ${tx.now},
            ${row.expire_date}, ${row.schedule_id})
    returning ${columns}`);

/** Serializes the creation of exports in an account, so that the limits hold. */
export const lockExports = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7303))`);

/** A failed export that the user must restart does not count as unfinished. */
export const countKept = (tx: Tx, account_id: string) =>
  tx.one<{ kept: number; unfinished: number }>(sql`
    select count(*) as kept,
           count(*) filter (where status <> 'COMPLETED' and error_message is null) as unfinished
    from exports where account_id = ${account_id} and remove_date is null`);

export const findExport = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<ExportRow>(sql`
    select ${columns} from exports where account_id = ${account_id} and id = ${id} and remove_date is null`);

/** The exports of `lists`, and those of `own_lists` that the user started. */
export interface ExportScope {
  account_id: string;
  user_id: string | null;
  lists: readonly ExportList[];
  own_lists: readonly ExportList[];
}

const inScope = ({ account_id, user_id, lists, own_lists }: ExportScope): Sql => sql`
  account_id = ${account_id} and remove_date is null
  and (list = any(${lists}::text[]) or (list = any(${own_lists}::text[]) and user_id = ${user_id}))`;

export const exportPage = (db: Queryable, scope: ExportScope, page: Page) =>
  db.rows<ExportRow>(sql`
    select ${columns} from exports where ${inScope(scope)}
    order by id desc offset ${page.offset} limit ${page.size + 1}`);

export const countExports = async (db: Queryable, scope: ExportScope): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from exports where ${inScope(scope)}`)).count;

/** Makes the export wait for its job again, unless it is already waiting for one or being written. */
export const setWaiting = (tx: Tx, account_id: string, id: string, actor: Actor, expire_date: Date) =>
  tx.maybeOne<ExportRow>(sql`
    update exports set status = 'PENDING', error_message = null, attempts = 0, actor = ${JSON.stringify(actor)}::jsonb,
                       expire_date = ${expire_date}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id} and remove_date is null
      and (status = 'COMPLETED' or error_message is not null)
    returning ${columns}`);

/** Assigns the export to a run. Returns null if there is nothing to write. */
export const setRunning = (tx: Tx, account_id: string, id: string, run: { id: string; storage_key: string }) =>
  tx.maybeOne<ExportRow & { attempts: number; previous_key: string | null }>(sql`
    with before as (
      select account_id, id, storage_key from exports where account_id = ${account_id} and id = ${id} for update
    )
    update exports e set status = 'IN_PROGRESS', run_id = ${run.id}, storage_key = ${run.storage_key}, rows_count = 0,
                         total_rows = null, bytes = null, attempts = attempts + 1, update_date = ${tx.now}
    from before where e.account_id = ${account_id} and e.id = ${id} and e.remove_date is null
      and e.status <> 'COMPLETED' and e.error_message is null
    returning ${raw('e.id, e.account_id, list, params, filter, sort, columns, format, time_zone, filename')},
              ${raw('status, actor, user_id, run_id, e.storage_key, schedule_id, rows_count, total_rows, bytes')},
              error_message, create_date,
              e.update_date, expire_date, attempts, before.storage_key as previous_key`);

interface Progress {
  rows_count: number;
  total_rows: number | null;
}

/** These three return null if the export was deleted or belongs to a newer run. */
export const setProgress = (tx: Tx, row: ExportRow, progress: Progress) =>
  tx.maybeOne<ExportRow>(sql`
    update exports set rows_count = ${progress.rows_count}, total_rows = ${progress.total_rows}, update_date = ${tx.now}
    where account_id = ${row.account_id} and id = ${row.id} and run_id = ${row.run_id} and remove_date is null
    returning ${columns}`);

export const setCompleted = (tx: Tx, row: ExportRow, result: Progress & { bytes: number }) =>
  tx.maybeOne<ExportRow>(sql`
    update exports set status = 'COMPLETED', rows_count = ${result.rows_count}, total_rows = ${result.rows_count},
                       bytes = ${result.bytes}, update_date = ${tx.now}
    where account_id = ${row.account_id} and id = ${row.id} and run_id = ${row.run_id} and remove_date is null
    returning ${columns}`);

export const setFailed = (tx: Tx, row: ExportRow, error_message: string) =>
  tx.maybeOne<ExportRow>(sql`
    update exports set status = 'PENDING', error_message = ${error_message}, update_date = ${tx.now}
    where account_id = ${row.account_id} and id = ${row.id} and run_id = ${row.run_id} and remove_date is null
    returning ${columns}`);

export const setRemoved = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<ExportRow>(sql`
    update exports set remove_date = ${tx.now} where account_id = ${account_id} and id = ${id} and remove_date is null
    returning ${columns}`);

/** Expired exports. */
export const listExpired = (db: Queryable, now: Date) =>
  db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from exports where expire_date < ${now} and remove_date is null
    order by expire_date limit 500`);

/** Deleted exports. A run that was still writing at `before` has noticed the deletion by now. */
export const listRemoved = (db: Queryable, before: Date) =>
  db.rows<{ account_id: string; id: string; storage_key: string | null }>(sql`
    select account_id, id, storage_key from exports where remove_date < ${before} order by remove_date limit 500`);

export const deleteExport = (db: Queryable, account_id: string, id: string) =>
  db.run(sql`
    with gone as (
      delete from exports where account_id = ${account_id} and id = ${id} and remove_date is not null returning id
    )
    delete from export_uploads u using gone where u.account_id = ${account_id} and u.export_id = gone.id`);

/** Unfinished exports that have shown no progress since `before`: their job was lost. */
export const listSilent = (db: Queryable, before: Date) =>
  db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from exports
    where status <> 'COMPLETED' and error_message is null and remove_date is null and update_date < ${before}
    order by update_date limit 100`);

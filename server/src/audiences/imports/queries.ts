import type {
  AudienceImport,
  ImportOptions,
  ImportRowKind,
  listImports as importList,
  ImportRow as ReportedImportRow,
} from '@parley/contract/audiences/imports.ts';
import type { z } from 'zod';
import { and, type Queryable, raw, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, orderBy, type Page, type Sorts } from '../../kernel/db/list.ts';
import type { Preview } from '../reader/preview.ts';
import { COPY_COLUMNS, type ReportedRow, type RowCounts } from '../reader/task.ts';

export type Options = z.output<typeof ImportOptions>;
/** The public resource with its storage keys. */
export type ImportRow = AudienceImport & { storage_key: string; refused_key: string | null; user_id: string | null };

const columns =
  raw(`id, account_id, audience_id, audience_name, channel, filename, status, preview, options, total_rows,
  processed_rows, created_count, updated_count, duplicate_count, invalid_count, skipped_count, shortened_count,
  consecutive_count, undo_date, refused_key is not null as has_refused,
  error_code, error_message, create_date, update_date, storage_key, refused_key, user_id`);

interface NewImport {
  account_id: string;
  id: string;
  audience_id: string | null;
  audience_name: string;
  channel: string;
  user_id: string | null;
  filename: string;
  storage_key: string;
  file_bytes: number;
  status: 'mapping' | 'running';
  preview: Preview;
  options: Options;
}

export const insertImport = (tx: Tx, row: NewImport) =>
  tx.one<ImportRow>(sql`
    insert into audience_imports (account_id, id, audience_id, audience_name, channel, user_id, filename,
                                  storage_key, file_bytes, status, preview, options, total_rows, create_date,
                                  update_date)
    values (${row.account_id}, ${row.id}, ${row.audience_id}, ${row.audience_name}, ${row.channel}, ${row.user_id},
            ${row.filename}, ${row.storage_key}, ${row.file_bytes}, ${row.status},
            ${JSON.stringify(row.preview)}::jsonb, ${JSON.stringify(row.options)}::jsonb, ${row.preview.row_count},
            ${tx.now}, ${tx.now})
    returning ${columns}`);

export const findImport = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<ImportRow>(sql`select ${columns} from audience_imports where account_id = ${account_id} and id = ${id}`);

export const lockImport = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<ImportRow>(
    sql`select ${columns} from audience_imports where account_id = ${account_id} and id = ${id} for update`,
  );

const conditions = (account_id: string, audience_id: string | undefined) =>
  and([
    sql`account_id = ${account_id}`,
    // Compared as text, so that a malformed id matches nothing.
    !!audience_id && sql`audience_id::text = ${audience_id.toLowerCase()}`,
  ]);

const SORTS: Sorts<typeof importList> = {
  filename: 'lower(filename)',
  status: 'status',
  audience_name: 'lower(audience_name)',
  total_rows: 'total_rows',
  create_date: 'id',
};

export const listImports = (db: Queryable, account_id: string, audience_id: string | undefined, page: Page) =>
  db.rows<ImportRow>(sql`
    select ${columns} from audience_imports where ${conditions(account_id, audience_id)}
    order by ${orderBy(page, SORTS, 'id', 'id desc')} offset ${page.offset} limit ${page.size + 1}`);

export const countImports = async (db: Queryable, account_id: string, audience_id: string | undefined) =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from audience_imports where ${conditions(account_id, audience_id)}
        limit ${CAP + 1}) capped`)
  ).count;

export const countRunning = async (tx: Tx, account_id: string): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) from audience_imports where account_id = ${account_id} and status = 'running'`,
    )
  ).count;

export const setMapping = (
  tx: Tx,
  row: { account_id: string; id: string; status: 'mapping' | 'running'; preview: Preview; options: Options },
) =>
  tx.one<ImportRow>(sql`
    update audience_imports set status = ${row.status}, preview = ${JSON.stringify(row.preview)}::jsonb,
           options = ${JSON.stringify(row.options)}::jsonb, total_rows = ${row.preview.row_count},
           update_date = ${tx.now}
    where account_id = ${row.account_id} and id = ${row.id} returning ${columns}`);

/** Stores the progress. Returns null if the import is not running. */
export const setProgress = (tx: Tx, account_id: string, id: string, counts: RowCounts) =>
  tx.maybeOne<ImportRow>(sql`
    update audience_imports set processed_rows = ${counts.processed}, duplicate_count = ${counts.duplicate},
           invalid_count = ${counts.invalid}, shortened_count = ${counts.shortened}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id} and status = 'running' returning ${columns}`);

export const setCompleted = (
  tx: Tx,
  row: {
    account_id: string;
    id: string;
    audience_id: string;
    audience_name: string;
    counts: RowCounts;
    created: number;
    updated: number;
    skipped: number;
    refused_key: string | null;
    refused_bytes: number;
  },
) =>
  tx.one<ImportRow>(sql`
    update audience_imports set status = 'completed', audience_id = ${row.audience_id},
           audience_name = ${row.audience_name}, total_rows = ${row.counts.processed},
           processed_rows = ${row.counts.processed}, created_count = ${row.created}, updated_count = ${row.updated},
           duplicate_count = ${row.counts.duplicate}, invalid_count = ${row.counts.invalid},
           skipped_count = ${row.skipped}, shortened_count = ${row.counts.shortened},
           consecutive_count = ${row.counts.consecutive},
           refused_key = ${row.refused_key}, refused_bytes = ${row.refused_bytes}, update_date = ${tx.now}
    where account_id = ${row.account_id} and id = ${row.id} returning ${columns}`);

/** Ends an import that adds no contacts, so its counts are reset. */
export const setEnded = (
  tx: Tx,
  account_id: string,
  id: string,
  end: { status: 'failed' | 'canceled'; error_code: number | null; error_message: string | null },
) =>
  tx.maybeOne<ImportRow>(sql`
    update audience_imports set status = ${end.status}, error_code = ${end.error_code},
           error_message = ${end.error_message}, processed_rows = 0, duplicate_count = 0, invalid_count = 0,
           shortened_count = 0, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id} and status in ('mapping', 'running') returning ${columns}`);

/** The date of the update stays the date of the import. */
export const setUndone = (tx: Tx, account_id: string, id: string) =>
  tx.one<ImportRow>(sql`
    update audience_imports set undo_date = ${tx.now}
    where account_id = ${account_id} and id = ${id} returning ${columns}`);

export const clearStorageKey = (db: Queryable, account_id: string, id: string) =>
  db.run(
    sql`update audience_imports set storage_key = '', file_bytes = 0 where account_id = ${account_id} and id = ${id}`,
  );

// Reported rows ------------------------------------------------------------------------------------------------------

interface ImportKey {
  account_id: string;
  id: string;
}

export const insertRows = (tx: Tx, { account_id, id }: ImportKey, rows: readonly ReportedRow[]) =>
  tx.run(sql`
    insert into import_rows (account_id, import_id, line, kind, code, reason, cells)
    select ${account_id}, ${id}, line, kind, code, reason, cells
    from unnest(${rows.map(({ line }) => line)}::int[], ${rows.map(({ kind }) => kind)}::text[],
                ${rows.map(({ code }) => code)}::int[], ${rows.map(({ reason }) => reason)}::text[],
                ${rows.map(({ cells }) => JSON.stringify(cells))}::jsonb[]) as t(line, kind, code, reason, cells)`);

const rowConditions = ({ account_id, id }: ImportKey, kind: ImportRowKind | undefined) =>
  and([sql`account_id = ${account_id}`, sql`import_id = ${id}`, kind !== undefined && sql`kind = ${kind}`]);

/** An import has at most a few thousand of these rows, so any page is cheap. */
export const listRows = (db: Queryable, key: ImportKey, kind: ImportRowKind | undefined, page: Page) =>
  db.rows<ReportedImportRow>(sql`
    select line::text as id, line, kind, code, reason, cells as values from import_rows
    where ${rowConditions(key, kind)}
    order by line offset ${page.offset} limit ${page.size + 1}`);

export const countRows = async (db: Queryable, key: ImportKey, kind: ImportRowKind | undefined) =>
  (await db.one<{ count: number }>(sql`select count(*) from import_rows where ${rowConditions(key, kind)}`)).count;

// Staged contacts -----------------------------------------------------------------------------------------------------

export const createStaging = (tx: Tx) =>
  tx.run(sql`create temporary table import_contacts (like contacts including defaults, facts jsonb) on commit drop`);

export const copyStatement = (table: 'contacts' | 'import_contacts', hasFacts: boolean): string =>
  `copy ${table} (${COPY_COLUMNS}${hasFacts ? ', facts' : ''}) from stdin`;

/** In PostgreSQL, xmax is zero in a row that this statement inserted and nonzero in a row that it updated. */
export async function mergeStaged(
  tx: Tx,
  { account_id, id }: ImportKey,
  mapped: readonly string[],
  existing: 'update' | 'merge',
): Promise<{ created: number; updated: number }> {
  const fills = existing === 'merge';
  await tx.run(sql`
    insert into import_changes (account_id, import_id, kind, id, detail, create_date)
    select k.account_id, ${id}::uuid, 'contact', k.id,
           jsonb_build_object('first_name', k.first_name, 'last_name', k.last_name, 'custom1', k.custom1, 'custom2',
             k.custom2), ${tx.now}
    from import_contacts s
    join contacts k on k.account_id = ${account_id} and k.audience_id = s.audience_id and k.number = s.number`);
  const text = (name: string) => {
    const own = raw(`contacts.${name}`);
    const given = raw(`excluded.${name}`);
    const isTaken = sql`${mapped.includes(name)} and ${given} <> '' and (${!fills} or ${own} = '')`;
    return sql`${raw(name)} = case when ${isTaken} then ${given} else ${own} end`;
  };
  return tx.one<{ created: number; updated: number }>(sql`
    with done as (
      insert into contacts (${raw(COPY_COLUMNS)}, create_date, update_date)
      select ${raw(COPY_COLUMNS)}, ${tx.now}, ${tx.now} from import_contacts
      on conflict (account_id, audience_id, number) do update set
        ${text('first_name')}, ${text('last_name')}, ${text('custom1')}, ${text('custom2')},
        update_date = ${tx.now}
      returning xmax = 0 as created)
    select count(*) filter (where created) as created, count(*) filter (where not created) as updated from done`);
}

/**
 * Leaves out the numbers of people who were erased after the file was uploaded. Returns how many contacts those are. An
 * erasure that is requested after this statement removes them itself.
 */
export async function dropErased(
  tx: Tx,
  { account_id, id }: ImportKey,
  new_audience_id: string | null,
): Promise<number> {
  const erased = await tx.rows<{ number: string }>(sql`
    select distinct e.number from person_erasures e
    join audience_imports i on i.account_id = e.account_id and i.id = ${id}
    where e.account_id = ${account_id} and e.create_date >= i.create_date`);
  if (erased.length === 0) return 0;
  const numbers = sql`${erased.map(({ number }) => number)}::text[]`;
  return new_audience_id === null
    ? tx.run(sql`delete from import_contacts where number = any(${numbers})`)
    : tx.run(sql`
        delete from contacts
        where account_id = ${account_id} and audience_id = ${new_audience_id} and number = any(${numbers})`);
}

export const insertStaged = (tx: Tx) =>
  tx.run(sql`
    insert into contacts (${raw(COPY_COLUMNS)}, create_date, update_date)
    select ${raw(COPY_COLUMNS)}, ${tx.now}, ${tx.now} from import_contacts
    on conflict (account_id, audience_id, number) do nothing`);

/** The options of the latest completed import of a file with the same headings. */
export const findSimilar = (db: Queryable, account_id: string, names: readonly string[]) =>
  db.maybeOne<{ options: Options }>(sql`
    select options from (
      select id, options, preview from audience_imports
      where account_id = ${account_id} and status = 'completed' order by id desc limit 100
    ) recent
    where jsonb_path_query_array(preview, '$.columns[*].name') = ${JSON.stringify(names)}::jsonb
    order by id desc limit 1`);

// Sweeping ------------------------------------------------------------------------------------------------------------

export interface Leftover {
  account_id: string;
  id: string;
  storage_key: string;
}

export const listStaleMappings = (db: Queryable, before: Date) =>
  db.rows<Leftover>(sql`
    select account_id, id, storage_key from audience_imports where status = 'mapping' and update_date < ${before}
    limit 500`);

/** `is_expired` means that the import started so long ago that another run would also fail. */
export const listStuckImports = (db: Queryable, silent_since: Date, started_before: Date) =>
  db.rows<Leftover & { is_expired: boolean }>(sql`
    select account_id, id, storage_key, create_date < ${started_before} as is_expired from audience_imports
    where status = 'running' and update_date < ${silent_since} limit 500`);

export const listEndedWithFile = (db: Queryable) =>
  db.rows<Leftover>(sql`
    select account_id, id, storage_key from audience_imports
    where storage_key <> '' and status not in ('mapping', 'running') limit 500`);

/**
 * Prepares imports until their run starts. The reader parses the file and either refuses or previews it, the user maps
 * the columns, and the run (run.ts) is enqueued. Imported contacts are not visible in the audience until the import
 * commits.
 */
import {
  type AudienceImport,
  type createImport as CreateImport,
  type ImportRow,
  type ImportRowKind,
  importProgressed,
  type startImport as StartImport,
} from '@parley/contract/audiences/imports.ts';
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import type { Tenant } from '../../kernel/untrusted/fair_slots.ts';
import { lockSpace, requireSpace } from '../../media/media.ts';
import * as queries from '../list/queries.ts';
import { importRowLimit, readAccountCountry } from '../phone_numbers/account_country.ts';
import type { Preview } from '../reader/preview.ts';
import { runTask } from '../reader/reader.ts';
import type { TableOptions } from '../reader/table.ts';
import * as imports from './queries.ts';
import { guessFacts, readFactColumns } from './row_facts.ts';

/** Runs an import from its stored file. The job is safe to repeat. */
export const importJob = job<{ account_id: string; id: string }>('audience_imports.run', {
  concurrency: 2,
  // The imports of a company run one after the other, so that they cannot occupy all workers.
  group: ({ account_id }) => account_id,
});

/** Maximum number of imports per account that may be waiting or running at the same time. */
const MAX_RUNNING = 10;
const PREVIEW_MS = 30_000;

export async function createImport(
  { kernel, actor, tx: db, upload }: Ctx,
  body: Parsed<typeof CreateImport>['body'],
  /** Work in the transaction that creates the import. */
  andThen?: (tx: Tx, row: AudienceImport) => Promise<void>,
): Promise<AudienceImport> {
  if (!upload) throw new Problem('VALUE_INVALID', { field: 'file', message: 'File is a required field' });
  const target = await findTarget(db, actor, body);
  const country = body.default_country ?? (await readAccountCountry(db, actor.account_id));
  await requireSpace(kernel, db, actor, upload.bytes);
  const preview = await guessFacts(
    kernel.db,
    actor.account_id,
    await previewFile(kernel, actor, upload.key, { country }),
  );
  const similar = body.start ? null : await findSimilar(db, actor.account_id, preview);
  return kernel.db.tx(async (tx) => {
    await lockSpace(tx, actor.account_id);
    await requireSpace(kernel, tx, actor, upload.bytes);
    const options: imports.Options = {
      columns: similar?.columns ?? pickGuessedColumns(preview),
      default_country: body.default_country ?? similar?.default_country ?? country,
      existing: body.existing ?? similar?.existing ?? 'update',
      tags: [],
      consent: null,
    };
    if (body.start) await requireStart(tx, actor, options, target.audience_id);
    const row = await imports.insertImport(tx, {
      account_id: actor.account_id,
      id: newId(),
      ...target,
      user_id: actor.user_id,
      filename: upload.filename,
      storage_key: upload.key,
      file_bytes: upload.bytes,
      status: body.start ? 'running' : 'mapping',
      preview,
      options,
    });
    if (body.start) await enqueue(tx, importJob, { account_id: actor.account_id, id: row.id });
    announceImport(tx, row);
    await andThen?.(tx, row);
    return row;
  });
}

/** Previews the file again with other settings, or starts the import with the chosen columns. */
export async function updateImport(
  { kernel, actor, tx: db }: Ctx,
  id: string,
  { action, options }: Parsed<typeof StartImport>['body'],
): Promise<AudienceImport> {
  const current = await requireMapping(await imports.findImport(db, actor.account_id, id));
  const country =
    options.default_country === undefined ? (current.options.default_country ?? null) : options.default_country;
  const tableOptions = {
    country,
    encoding: options.encoding ?? current.options.encoding,
    delimiter: options.delimiter ?? current.options.delimiter,
    has_header: options.has_header ?? current.options.has_header,
  };
  // New settings may change how the file is read. An import starts only if it was previewed with the same settings.
  const needsPreview =
    action === 'preview' ||
    (['encoding', 'delimiter', 'has_header'] as const).some(
      (name) => options[name] !== undefined && options[name] !== current.preview[name],
    );
  const preview = needsPreview
    ? await guessFacts(kernel.db, actor.account_id, await previewFile(kernel, actor, current.storage_key, tableOptions))
    : current.preview;
  return kernel.db.tx(async (tx) => {
    const row = await requireMapping(await imports.lockImport(tx, actor.account_id, id));
    const newOptions: imports.Options = {
      ...current.options,
      ...options,
      default_country: country,
      columns:
        action === 'preview' && Object.keys(options.columns).length === 0
          ? pickGuessedColumns(preview)
          : options.columns,
    };
    if (action === 'start') await requireStart(tx, actor, requireKnownColumns(newOptions, preview), row.audience_id);
    const updated = await imports.setMapping(tx, {
      account_id: actor.account_id,
      id,
      status: action === 'start' ? 'running' : 'mapping',
      preview,
      options: newOptions,
    });
    if (action === 'start') await enqueue(tx, importJob, { account_id: actor.account_id, id });
    announceImport(tx, updated);
    return updated;
  });
}

export async function getImport(db: Queryable, actor: Actor, id: string): Promise<AudienceImport> {
  const row = await imports.findImport(db, actor.account_id, id);
  if (!row) throw new Problem('IMPORT_NOT_FOUND');
  return row;
}

export async function listImports(
  db: Queryable,
  actor: Actor,
  query: Parameters<typeof readPage>[0] & { filter?: { audience_id?: string | undefined } | undefined },
): Promise<Paged<AudienceImport>> {
  const page = readPage(query);
  const [rows, total] = await Promise.all([
    imports.listImports(db, actor.account_id, query.filter?.audience_id, page),
    imports.countImports(db, actor.account_id, query.filter?.audience_id),
  ]);
  return paged(page, rows, total);
}

/**
 * Cancels an import. A running import notices within half a second. At that point it has committed nothing, and it
 * cannot commit later.
 */
export async function cancelImport(tx: Tx, kernel: Kernel, actor: Actor, id: string): Promise<void> {
  const end = { status: 'canceled', error_code: null, error_message: null } as const;
  const row = await imports.setEnded(tx, actor.account_id, id, end);
  if (!row)
    throw new Problem(
      (await imports.findImport(tx, actor.account_id, id)) ? 'IMPORT_STATE_INVALID' : 'IMPORT_NOT_FOUND',
    );
  announceImport(tx, row);
  tx.afterCommit(() => void removeFile(kernel, row));
}

/** Emits the progress without the preview, which does not change and contains phone numbers. */
export function announceImport(tx: Tx, row: imports.ImportRow): void {
  emit(tx, importProgressed, row.account_id, importProgressed.payload.parse(row));
}

/** Removes the uploaded file. If a crash prevents it, the sweep (sweep.ts) removes the file later. */
export async function removeFile(kernel: Kernel, row: imports.Leftover): Promise<void> {
  try {
    await kernel.storage.remove(row.storage_key);
    await imports.clearStorageKey(kernel.db, row.account_id, row.id);
  } catch (error) {
    kernel.log.warn({ err: error, import_id: row.id }, 'import file not removed, the sweep will retry');
  }
}

export async function listImportRows(
  db: Queryable,
  actor: Actor,
  id: string,
  query: Parameters<typeof readPage>[0] & { filter?: { kind?: ImportRowKind | undefined } | undefined },
): Promise<Paged<ImportRow>> {
  const page = readPage(query);
  const key = await getImport(db, actor, id);
  const rows = await imports.listRows(db, key, query.filter?.kind, page);
  return paged(page, rows, await imports.countRows(db, key, query.filter?.kind));
}

export async function sendRefusedRows({ tx, kernel, actor, reply }: Ctx, id: string): Promise<void> {
  const row = await imports.findImport(tx, actor.account_id, id);
  if (!row) throw new Problem('IMPORT_NOT_FOUND');
  const file = row.refused_key ? await kernel.storage.open(row.refused_key) : null;
  if (!file) throw new Problem('FILE_NOT_FOUND');
  const name = `${row.filename.replace(/\.\w{1,5}$/, '')} rejected rows.csv`;
  reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-length', file.bytes)
    .header(
      'content-disposition',
      `attachment; filename="rejected_rows.csv"; filename*=UTF-8''${encodeURIComponent(name)}`,
    );
  await reply.send(file.stream);
}

export async function previewFile(
  kernel: Kernel,
  tenant: Tenant,
  key: string,
  settings: Omit<TableOptions, 'max_rows'>,
): Promise<Preview> {
  const options = { ...settings, max_rows: await importRowLimit(kernel.db, tenant.account_id) };
  return runTask({ kind: 'preview', options }, { tenant, open: () => openFile(kernel, key), limit_ms: PREVIEW_MS });
}

export async function openFile(kernel: Kernel, key: string) {
  const file = await kernel.storage.open(key);
  if (!file) throw new Problem('FILE_NOT_FOUND');
  return file.stream;
}

async function findTarget(
  db: Queryable,
  actor: Actor,
  body: { audience_id?: string | undefined; name?: string | undefined; channel?: string | undefined },
) {
  if (body.audience_id) {
    const audience = await queries.findAudience(db, actor.account_id, body.audience_id);
    if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
    if (audience.conditions) throw new Problem('AUDIENCE_IS_DYNAMIC');
    return { audience_id: audience.id, audience_name: audience.name, channel: audience.channel };
  }
  if (body.name === undefined) throw new Problem('AUDIENCE_NAME_REQUIRED');
  if (await queries.isNameTaken(db, actor.account_id, body.name)) throw new Problem('AUDIENCE_EXISTS');
  return { audience_id: null, audience_name: body.name, channel: body.channel ?? DEFAULT_CHANNEL };
}

function requireMapping(row: imports.ImportRow | null): imports.ImportRow {
  if (!row) throw new Problem('IMPORT_NOT_FOUND');
  if (row.status !== 'mapping') throw new Problem('IMPORT_STATE_INVALID');
  return row;
}

/** Users map the columns of files with the same headings only once. */
async function findSimilar(db: Queryable, account_id: string, preview: Preview): Promise<imports.Options | null> {
  if (!preview.has_header) return null;
  const names = preview.columns.map(({ name }) => name);
  return (await imports.findSimilar(db, account_id, names))?.options ?? null;
}

export function pickGuessedColumns(preview: Preview): imports.Options['columns'] {
  const columns: imports.Options['columns'] = {};
  preview.columns.forEach(({ guess }, index) => {
    if (guess) columns[guess] = index;
  });
  return columns;
}

function requireKnownColumns(options: imports.Options, preview: Preview): imports.Options {
  for (const [field, index] of Object.entries(options.columns))
    if (index !== undefined && index >= preview.columns.length)
      throw new Problem('VALUE_INVALID', {
        field: `options.columns.${field}`,
        message: 'The file does not have this column',
      });
  return options;
}

async function requireStart(tx: Tx, actor: Actor, options: imports.Options, audience_id: string | null): Promise<void> {
  const facts = await readFactColumns(tx, actor.account_id, options.columns);
  if (options.columns.number === undefined && !facts.some(({ kind }) => kind === 'id'))
    throw new Problem('IMPORT_NUMBER_COLUMN_REQUIRED');
  // The audience stays locked until the commit, so that it cannot be deleted before the running import protects it.
  if (audience_id && !(await queries.lockAudience(tx, actor.account_id, audience_id)))
    throw new Problem('AUDIENCE_NOT_FOUND');
  if ((await imports.countRunning(tx, actor.account_id)) >= MAX_RUNNING)
    throw new Problem('IMPORT_LIMIT_EXCEEDED', { message: `At most ${MAX_RUNNING} imports can run at the same time` });
}

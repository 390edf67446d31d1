/**
 * Writes a backup while Parley runs: all tables in one snapshot, as compressed COPY text, and the stored files. This
 * requires no PostgreSQL programs, and the data can be restored into a newer version of PostgreSQL.
 */
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { hashFile, MANIFEST, type Manifest, type StoredFile, type Table } from './manifest.ts';

/** Tables of the job queue in the order in which they are restored. The others are rebuilt at startup. */
const JOB_TABLES = ['queue', 'schedule', 'job'];

interface Source {
  url: string;
  /** The folder with the stored files, or null to leave them out. */
  files: string | null;
}

/** Writes to a draft folder and renames it to `folder` when the backup is complete. */
export async function writeBackup({ url, files }: Source, folder: string): Promise<Manifest> {
  const draft = `${folder}.partial`;
  if ((await readdir(folder).catch(() => [])).length > 0) throw new Error(`${folder} is not empty`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(join(draft, 'tables'), { recursive: true, mode: 0o700 });
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await client.query(`begin isolation level repeatable read read only; set local timezone = 'UTC'`);
    const head = await readHead(client);
    const tables: Table[] = [];
    for (const table of await listTables(client)) tables.push(await writeTable(client, table, draft));
    // Files never change, so copying them after the snapshot is safe even if some are added or deleted meanwhile.
    const stored = files === null ? null : await copyFiles(files, join(draft, 'files'));
    const manifest: Manifest = { format: 1, ...head, tables, files: stored };
    await writeFile(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function readHead(client: pg.Client): Promise<Omit<Manifest, 'format' | 'tables' | 'files'>> {
  const { rows } = await client.query<{ epoch: number; identity: string; has_jobs: boolean }>(
    `select epoch, identity, to_regclass('pgboss.version') is not null as has_jobs from database_epoch`,
  );
  const { epoch, identity, has_jobs } = rows[0]!;
  const migrations = await client.query<{ name: string }>('select name from migrations order by name');
  const jobs = has_jobs
    ? (await client.query<{ version: number }>('select version from pgboss.version')).rows[0]
    : null;
  return {
    ...{ create_date: new Date().toISOString(), epoch, identity },
    migrations: migrations.rows.map(({ name }) => name),
    jobs_version: jobs?.version ?? null,
  };
}

const listTables = async (client: pg.Client): Promise<Pick<Table, 'name' | 'columns'>[]> =>
  (
    await client.query<Pick<Table, 'name' | 'columns'>>({
      text: `
        select n.nspname || '.' || c.relname as name,
          array_agg(a.attname::text order by a.attnum) as columns
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        where (n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition)
          or (n.nspname = 'pgboss' and c.relname = any($1))
        group by n.nspname, c.relname order by array_position($1, c.relname::text) nulls first, 1`,
      values: [JOB_TABLES],
    })
  ).rows;

async function writeTable(
  client: pg.Client,
  { name, columns }: Pick<Table, 'name' | 'columns'>,
  folder: string,
): Promise<Table> {
  const file = join('tables', `${name}.copy.gz`);
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const rows = client.query(copyTo(`copy (select ${list} from ${quoteTable(name)}) to stdout`));
  await pipeline(rows, createGzip({ level: 3 }), createWriteStream(join(folder, file), { mode: 0o600 }));
  return { name, columns, rows: rows.rowCount, file, ...(await hashFile(join(folder, file))) };
}

export const quoteTable = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');

async function copyFiles(from: string, to: string): Promise<StoredFile[]> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(() => []);
  const stored: StoredFile[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const path = relative(from, source);
    await mkdir(dirname(join(to, path)), { recursive: true });
    const isCopied = await copyFile(source, join(to, path)).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
    if (isCopied) stored.push({ path, ...(await hashFile(join(to, path))) });
  }
  return stored;
}

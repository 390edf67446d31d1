/**
 * Restores a backup into an empty database, in one transaction: either completely or not at all. The restored database
 * has a different identity than the one in the backup, so sending is held when Parley starts.
 */
import { createReadStream } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { getConstructionPlans } from 'pg-boss';
import { from as copyFrom } from 'pg-copy-streams';
import { MIGRATIONS, migrate } from '../kernel/db/migrate.ts';
import { findDamage, type Manifest, readManifest, type Table } from './manifest.ts';
import { quoteTable } from './write.ts';

interface Target {
  url: string;
  /** The folder for the stored files, or null if they are not restored. */
  files: string | null;
  /** Deletes the contents of the database. */
  replace: boolean;
}

/** Reads the manifest and all checksums. Throws if a file is damaged. */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const damaged = await findDamage(folder, manifest);
  if (damaged.length > 0)
    throw new Error(`${folder} is damaged: ${damaged.slice(0, 5).join(', ')} (${damaged.length} in total)`);
  return manifest;
}

export async function restoreBackup(target: Target, folder: string): Promise<Manifest> {
  const manifest = await verifyBackup(folder);
  const known = new Set((await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')));
  const unknown = manifest.migrations.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new Error(`the backup was made by a newer release, with ${unknown.join(', ')}. Restore it with that release`);
  const client = new pg.Client({ connectionString: target.url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await requireEmptyDatabase(client, target.replace);
    await migrate(target.url, { only: manifest.migrations });
    await client.query('begin');
    if (manifest.jobs_version !== null) await createJobs(client, manifest.jobs_version);
    await loadTables(client, folder, manifest.tables);
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end().catch(() => {});
  }
  if (target.files !== null && manifest.files !== null) {
    await mkdir(target.files, { recursive: true });
    await cp(join(folder, 'files'), target.files, { recursive: true, force: true });
  }
  return manifest;
}

async function requireEmptyDatabase(client: pg.Client, replace: boolean): Promise<void> {
  const { rows } = await client.query<{ tables: number; has_workers: boolean }>(
    `select count(*)::int as tables, to_regclass('public.workers') is not null as has_workers
     from pg_tables where schemaname in ('public', 'pgboss')`,
  );
  const { tables, has_workers } = rows[0]!;
  if (tables === 0) return;
  if (has_workers) {
    const live = await client.query('select from workers where lease_until > now()');
    if (live.rowCount) throw new Error('Parley is running on this database. Stop it first');
  }
  if (!replace)
    throw new Error('the database is not empty. Restore into an empty one, or delete its contents with --replace');
  await client.query('drop schema if exists pgboss cascade; drop schema public cascade; create schema public');
}

async function createJobs(client: pg.Client, version: number): Promise<void> {
  const text = getConstructionPlans('pgboss');
  // The text contains a transaction of its own. Its statements run in this transaction instead.
  await client.query(text.replace(/^\s*BEGIN;/i, '').replace(/COMMIT;\s*$/i, ''));
  await client.query('set local idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query<{ version: number }>('select version from pgboss.version');
  if (rows[0]?.version !== version)
    throw new Error('the backup has another version of the job queue. Restore it with the release that made it');
}

/** Foreign keys are dropped during the load and added again, which checks them. */
async function loadTables(client: pg.Client, folder: string, tables: readonly Table[]): Promise<void> {
  const { rows: keys } = await client.query<{ name: string; table: string; definition: string }>(
    `select quote_ident(conname) as name, conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { name, table } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  // Migrations insert rows into some tables. The tables of the job queue are empty.
  const own = tables.flatMap(({ name }) => (name.startsWith('public.') ? [quoteTable(name)] : []));
  for (const name of own) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${own.join(', ')}`);
  for (const table of tables) await loadTable(client, folder, table);
  for (const name of own) await client.query(`alter table ${name} enable trigger user`);
  for (const { name, table, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
}

async function loadTable(client: pg.Client, folder: string, table: Table): Promise<void> {
  const list = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const into = client.query(copyFrom(`copy ${quoteTable(table.name)} (${list}) from stdin`));
  await pipeline(createReadStream(join(folder, table.file)), createGunzip(), into);
  if (into.rowCount !== table.rows)
    throw new Error(`${table.name}: ${into.rowCount} rows were restored, but the backup has ${table.rows}`);
}

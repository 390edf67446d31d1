/**
 * Applies this release's migrations, which are numbered SQL files. Each runs once, in its own transaction, and only one
 * process applies them at a time.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
const LOCK = 7_301_002;

/** `only` limits the migrations to those of a backup, which may be older than this release. */
export async function migrate(url: string, { only }: { only?: readonly string[] } = {}): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from migrations');
    const applied = new Set(rows.map((row) => row.name));
    const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql') && !applied.has(name)).sort();
    const waiting = only ? files.filter((name) => only.includes(name)) : files;
    for (const name of waiting) {
      const text = await readFile(join(MIGRATIONS, name), 'utf8');
      await client.query('begin');
      try {
        await client.query(text);
        await client.query('insert into migrations (name) values ($1)', [name]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error });
      }
    }
    return waiting;
  } finally {
    await client.end();
  }
}

/** Returns the names of the migrations that have not been applied to the database yet. */
export async function missingMigrations(rows: (text: string) => Promise<{ name: string }[]>): Promise<string[]> {
  const applied = new Set((await rows('select name from migrations')).map((row) => row.name));
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql') && !applied.has(name));
}

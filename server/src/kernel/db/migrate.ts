/**
 * Applies this release's migrations, which are numbered SQL files. Each runs once, and only one process applies them at
 * a time. A file runs in one transaction, unless it begins with the line `-- no transaction`. Decision 30 states the
 * rules for migrations.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { splitStatements, withoutComments } from './sql_text.ts';

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
const LOCK = 7_301_002;
const LOCK_POLL_MS = 200;

interface Patience {
  /** The time that a statement can wait for a lock. Other statements on the table wait behind it in the meantime. */
  lock_ms: number;
  attempts: number;
  pause_ms: number;
}
const PATIENCE: Patience = { lock_ms: 2_000, attempts: 30, pause_ms: 3_000 };

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: lock_not_available and deadlock_detected */
const RETRIED = ['55P03', '40P01'];

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

interface MigrateOptions extends Partial<Patience> {
  folder?: string;
  /** Limits the migrations to those of a backup, which may be older than this release. */
  only?: readonly string[];
}

/** Applies all pending migrations and returns their names. */
export async function migrate(
  url: string,
  { folder = MIGRATIONS, only, ...patience }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await lock(client);
    await prepareTable(client);
    const migrations = (await readMigrations(folder)).filter(({ name }) => !only || only.includes(name));
    const waiting = await listPendingMigrations(client, migrations);
    for (const migration of waiting)
      await apply(client, migration, { ...PATIENCE, ...patience }).catch((error: Error) => {
        throw new Error(`migration ${migration.name}: ${error.message}`, { cause: error });
      });
    return waiting.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

// The process polls instead of waiting in a statement: `create index concurrently` in the process that has the lock
// would wait for that statement to end.
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK]);
    if (rows[0]?.locked) return;
    await wait(LOCK_POLL_MS);
  }
}

async function prepareTable(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists migrations
       (name text primary key, applied_at timestamptz not null default now(), checksum text)`,
  );
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'checksum'`,
  );
  if (rowCount === 0) await client.query('alter table migrations add column checksum text');
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      // A checkout on Windows may have different line endings.
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Refuses files that do not match the database. Applied migrations that this release does not have are from a newer
 * release, which may run at the same time.
 */
async function listPendingMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string | null }>(
    'select name, checksum from migrations',
  );
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (!applied.has(name)) continue;
    const recorded = applied.get(name);
    // Releases without checksums recorded none, so the current checksum is stored.
    if (recorded === null) await client.query('update migrations set checksum = $2 where name = $1', [name, checksum]);
    else if (recorded !== checksum)
      throw new Error(`migration ${name} was changed after it was applied. Restore the file of the release`);
  }
  const pending = migrations.filter(({ name }) => !applied.has(name));
  const last = [...applied.keys()].sort().at(-1);
  const late = last && pending.find(({ name }) => name < last);
  if (late)
    throw new Error(
      `migration ${late.name} is new but comes before ${last}, which was applied. Give it a higher number`,
    );
  return pending;
}

async function apply(client: pg.Client, migration: Migration, patience: Patience): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (isOutsideTransaction(migration.text)) await applySteps(client, migration);
      else await applyAtOnce(client, migration, patience.lock_ms);
      return;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (!RETRIED.includes(code ?? '')) throw error;
      if (attempt >= patience.attempts)
        throw new Error(`${message}. Long transactions use the table: end them, or start again when there are none`);
      await wait(patience.pause_ms);
    }
  }
}

async function applyAtOnce(client: pg.Client, migration: Migration, lock_ms: number): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${lock_ms}`);
  try {
    await client.query(migration.text);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

const record = (client: pg.Client, { name, checksum }: Migration) =>
  client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);

export const isOutsideTransaction = (text: string): boolean => /^-- no transaction$/m.test(text.split(/^(?!--)/m)[0]!);

/** Statements that do not block writes and are safe to repeat after a crash. */
const REPEATABLE = [
  /^create (unique )?index concurrently if not exists /i,
  /^drop index concurrently if exists /i,
  /^alter table \S+ validate constraint \S+$/i,
  /^analyze /i,
];

async function applySteps(client: pg.Client, migration: Migration): Promise<void> {
  const statements = splitStatements(migration.text);
  const other = statements.map(withoutComments).find((text) => !REPEATABLE.some((pattern) => pattern.test(text)));
  if (other) throw new Error(`this statement needs a transaction, or is not safe to repeat: ${other}`);
  for (const statement of statements) {
    await dropUnfinishedIndex(client, withoutComments(statement));
    await client.query(statement);
  }
  await record(client, migration);
}

/** Drops the invalid index that a crash leaves behind. `if not exists` would keep it. */
async function dropUnfinishedIndex(client: pg.Client, statement: string): Promise<void> {
  const name = /^create (?:unique )?index concurrently if not exists (\S+)/i.exec(statement)?.[1];
  if (!name) return;
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  if (rowCount) await client.query(`drop index concurrently if exists ${name}`);
}

/**
 * Returns the names of the migrations that have not been applied to the database yet. A newer release may have applied
 * more: its schema also fits this release.
 */
export async function listMissingMigrations(rows: (text: string) => Promise<{ name: string }[]>): Promise<string[]> {
  const applied = new Set((await rows('select name from migrations')).map((row) => row.name));
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql') && !applied.has(name));
}

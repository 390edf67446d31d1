import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasEnded, isAlive } from '../../kernel/process.ts';
import { type Embedded, startEmbedded } from './embedded.ts';

let folder: string;
const running: Embedded[] = [];

async function start(): Promise<Embedded> {
  const postgres = await startEmbedded({ folder, throwaway: true });
  running.push(postgres);
  return postgres;
}

async function query<T>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-embedded-'));
});
afterAll(async () => {
  for (const postgres of running) await postgres.stop();
  expect(running.filter(({ pid }) => isAlive(pid))).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

test('an embedded database keeps its rows after a clean shutdown and after every kind of kill', async () => {
  // An interrupted initdb left this folder behind.
  await mkdir(join(folder, 'postgres.new'));
  await writeFile(join(folder, 'postgres.new', 'PG_VERSION'), '18\n');

  const first = await start();
  expect(
    await query(first.url, 'select current_user::text as name, rolsuper from pg_roles where rolname = current_user'),
  ).toEqual([{ name: 'parley', rolsuper: false }]);
  await query(first.url, `create table kept (text text collate "default"); insert into kept values ('Ülle'), ('zoe')`);
  expect(await query(first.url, `select lower(text) as text from kept where text ilike 'ü%'`)).toEqual([
    { text: 'ülle' },
  ]);
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);

  const second = await start();
  expect(await query(second.url, 'select count(*)::int as rows from kept')).toEqual([{ rows: 2 }]);
  process.kill(second.pid, 'SIGKILL');
  await second.ended;

  const third = await start();
  expect(await query(third.url, 'select count(*)::int as rows from kept')).toEqual([{ rows: 2 }]);

  // The Parley process died but PostgreSQL did not. The next start ends PostgreSQL and takes over.
  const fourth = await start();
  expect(await hasEnded(third.pid, 1_000)).toBe(true);
  expect(await query(fourth.url, 'select count(*)::int as rows from kept')).toEqual([{ rows: 2 }]);
  process.kill(fourth.pid, 'SIGKILL');
  await fourth.ended;

  // The pid in the lock file now belongs to another process.
  const lock = join(folder, 'postgres', 'postmaster.pid');
  const lines = (await readFile(lock, 'utf8')).split('\n');
  await writeFile(lock, [String(process.pid), ...lines.slice(1)].join('\n'));
  const fifth = await start();
  expect(await query(fifth.url, 'select count(*)::int as rows from kept')).toEqual([{ rows: 2 }]);
  await fifth.stop();
});

test('the password file is readable only by its owner, and a wrong password is reported on one line', async () => {
  const path = join(folder, 'postgres-password');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const password = await readFile(path, 'utf8');
  await writeFile(path, `${'x'.repeat(64)}\n`);
  await expect(start()).rejects.toThrow(/password in DATA_DIR does not match the database/);
  await writeFile(path, password);
});

test('a database from a different PostgreSQL release is rejected', async () => {
  const version = join(folder, 'postgres', 'PG_VERSION');
  await writeFile(version, '15\n');
  await expect(start()).rejects.toThrow(/created by PostgreSQL 15, but this release contains 18/);
  await writeFile(version, '18\n');
});

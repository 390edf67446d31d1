/** Tests which migrations the runner applies, retries, and refuses. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Clone, cloneDatabase } from '../../test/database/clone.ts';
import { listMissingMigrations, migrate } from './migrate.ts';
import { splitStatements } from './sql_text.ts';

let clone: Clone;
let client: pg.Client;
let folder: string;

beforeEach(async () => {
  clone = await cloneDatabase();
  client = new pg.Client({ connectionString: clone.url });
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'));
});
afterEach(async () => {
  await client.end();
  await clone.drop();
  await rm(folder, { recursive: true, force: true });
});

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const run = (patience = {}) => migrate(clone.url, { folder, ...patience });
/** Starts from a database with no migrations of this folder. */
const forget = () => client.query('delete from migrations');

test('the runner names and rejects a migration when it was changed after it was applied', async () => {
  await forget();
  await write('0001_one.sql', 'create table one (id int);');
  await write('0002_two.sql', 'create table two (id int);');
  expect(await run()).toEqual(['0001_one.sql', '0002_two.sql']);
  await write('0001_one.sql', 'create table one (id int);\r\n'.replace('\r\n', ''));
  expect(await run()).toEqual([]);
  await write('0001_one.sql', 'create table one (id bigint);');
  await expect(run()).rejects.toThrow('migration 0001_one.sql was changed after it was applied');
});

test('the runner records the checksum of a migration when an older release applied it', async () => {
  await client.query('alter table migrations drop column checksum');
  await forget();
  await client.query(`insert into migrations (name) values ('0001_one.sql')`);
  await write('0001_one.sql', 'select 1;');
  expect(await run()).toEqual([]);
  await write('0001_one.sql', 'select 2;');
  await expect(run()).rejects.toThrow('0001_one.sql was changed');
});

test('the runner refuses a new migration when its number is below an applied one', async () => {
  await forget();
  await write('0002_two.sql', 'select 1;');
  await run();
  await write('0001_one.sql', 'select 1;');
  await expect(run()).rejects.toThrow('migration 0001_one.sql is new but comes before 0002_two.sql');
});

test('an older release accepts the schema when a newer release has added migrations', async () => {
  await client.query(`insert into migrations (name, checksum) values ('9999_newer.sql', 'x')`);
  const rows = async (text: string) => (await client.query(text)).rows;
  expect(await listMissingMigrations(rows)).toEqual([]);
  expect(await migrate(clone.url)).toEqual([]);
});

test('a migration gives up its lock request and retries when another transaction has locked the table', async () => {
  await forget();
  await write('0001_one.sql', 'alter table messages add column extra text;');
  await client.query('begin; lock table messages in access share mode');
  await expect(run({ lock_ms: 50, attempts: 2, pause_ms: 10 })).rejects.toThrow(
    'migration 0001_one.sql: canceling statement due to lock timeout',
  );
  const waiting = run({ lock_ms: 50, attempts: 1_000, pause_ms: 10 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await client.query('commit');
  expect(await waiting).toEqual(['0001_one.sql']);
});

test('a migration without a transaction completes when the first process to run it was killed', async () => {
  await forget();
  await client.query('create table one (id int); insert into one values (1), (1)');
  await write(
    '0001_one.sql',
    `-- Finds rows.
-- no transaction
create unique index concurrently if not exists one_id on one (id);
analyze one;`,
  );
  // The duplicate stops the statement halfway, as a crash would, and an invalid index remains.
  await expect(run()).rejects.toThrow('migration 0001_one.sql: could not create unique index');
  const isValid = `select indisvalid from pg_index where indexrelid = 'one_id'::regclass`;
  expect((await client.query(isValid)).rows).toEqual([{ indisvalid: false }]);
  await client.query('delete from one');
  expect(await run()).toEqual(['0001_one.sql']);
  expect((await client.query(isValid)).rows).toEqual([{ indisvalid: true }]);
});

test('two processes build an index concurrently when both start at the same time', async () => {
  await forget();
  await client.query('create table one (id int)');
  await write('0001_one.sql', '-- no transaction\ncreate index concurrently if not exists one_id on one (id);');
  expect((await Promise.all([run(), run()])).flat()).toEqual(['0001_one.sql']);
});

test('the runner refuses a statement outside a transaction when it is not safe to repeat', async () => {
  await forget();
  await write('0001_one.sql', '-- no transaction\ncreate index concurrently one_id on accounts (id);');
  await expect(run()).rejects.toThrow('migration 0001_one.sql: this statement needs a transaction, or is not safe');
});

test('a migration is split at semicolons when they are outside strings, names, and comments', () => {
  const first = `create function f() returns text language sql as $x$ select ';'; $x$`;
  const text = `-- one; two\n${first};\n/* ; */ select 'it''s;', "a;b";\n-- end;\n`;
  expect(splitStatements(text)).toEqual([`-- one; two\n${first}`, `/* ; */ select 'it''s;', "a;b"`]);
});

/**
 * Tests that no migration blocks a large table for long: a plain index on five million messages would stop all sending
 * for ten seconds. Decision 30 states the rule and how to meet it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { MIGRATIONS } from '../../kernel/db/migrate.ts';
import { type Clone, cloneDatabase } from '../database/clone.ts';
import { blockingStatements, fillLargeTables } from './locks.ts';

/** The rule applies to later migrations. These and earlier ones were written before large installations existed. */
const LAST_EXEMPT = '0038_import_bytes.sql';
/** Later migrations that break the rule, with the reason why the table is small or empty when they run. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '0049_event_positions.sql': 'replaces the table of events with an empty one',
};

let clone: Clone;
let client: pg.Client;
let watcher: pg.Client;

beforeAll(async () => {
  clone = await cloneDatabase();
  const url = new URL(inject('maintenance_url'));
  url.pathname = new URL(clone.url).pathname;
  client = new pg.Client({ connectionString: url.href });
  watcher = new pg.Client({ connectionString: url.href });
  await Promise.all([client.connect(), watcher.connect()]);
  await client.query(`set time zone 'UTC'; drop schema public cascade; create schema public`);
});
afterAll(async () => {
  await Promise.all([client.end(), watcher.end()]);
  await clone.drop();
});

test('no new migration blocks a large table for long', async () => {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  const findings: string[] = [];
  await client.query('create table migrations (name text primary key, applied_at timestamptz, checksum text)');
  for (const name of names) {
    const text = await readFile(join(MIGRATIONS, name), 'utf8');
    if (name <= LAST_EXEMPT) await client.query(text);
    else {
      const blocking = await blockingStatements(client, watcher, text);
      if (!(name in EXCEPTIONS)) findings.push(...blocking.map((line) => `${name} ${line}`));
    }
    if (name === LAST_EXEMPT) await fillLargeTables(client);
  }
  expect(findings).toEqual([]);
});

test.each([
  ['create index late on messages (account_id, mccmnc)', /^reads all of messages while it locks messages:/],
  ['alter table ledger add check (amount_micros < 1000)', /^reads all of ledger while it locks ledger:/],
  ['alter table contacts add column token uuid default gen_random_uuid()', /rewrites contacts/],
  [`update messages set payload = ''`, /^changes rows of messages:/],
  [
    'lock table conversations in exclusive mode; select count(*) from messages',
    /^reads all of messages while it locks conversations/,
  ],
])('the check reports a migration when it contains %s', async (text, expected) => {
  const findings = await blockingStatements(client, watcher, text);
  expect(findings).toEqual([expect.stringMatching(expected)]);
});

test.each([
  'alter table messages add column note text; comment on column messages.note is $$a; b$$',
  `alter table messages add column kind text not null default 'x'`,
  'alter table ledger add constraint later check (amount_micros > 0) not valid',
  'create table message_notes (account_id uuid, id uuid); create index on message_notes (id)',
  '-- no transaction\ncreate index concurrently if not exists free on messages (account_id, country);',
])('the check accepts a migration when it contains %s', async (text) => {
  expect(await blockingStatements(client, watcher, text)).toEqual([]);
});

/** Tests that the renames in 0024_terms.sql keep the data in a database that was created before them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clone, cloneDatabase } from '../../test/database/clone.ts';
import { MIGRATIONS, migrate } from './migrate.ts';

const TERMS = '0024_terms.sql';
const ACCOUNT = '0197a5f0-0000-7000-8000-000000000001';
const ID = '0197a5f0-0000-7000-8000-000000000002';
const DATE = '2026-01-02 03:04:05+00';

let clone: Clone;
let client: pg.Client;
let applied: string[];

beforeAll(async () => {
  clone = await cloneDatabase();
  client = new pg.Client({ connectionString: clone.url });
  await client.connect();
  await client.query(`set time zone 'UTC'; drop schema public cascade; create schema public`);
  await applyEarlier();
  await insertRows();
  applied = await migrate(clone.url);
});
afterAll(async () => {
  await client.end();
  await clone.drop();
});

async function applyEarlier(): Promise<void> {
  await client.query('create table migrations (name text primary key, applied_at timestamptz not null default now())');
  for (const name of (await readdir(MIGRATIONS)).sort().filter((file) => file < TERMS)) {
    await client.query(await readFile(join(MIGRATIONS, name), 'utf8'));
    await client.query('insert into migrations (name) values ($1)', [name]);
  }
}

const insertRows = () =>
  client.query(`
    insert into accounts (id, company_name) values ('${ACCOUNT}', 'Harbour');
    insert into senders (account_id, id, name, code, channel, type, status, lent_from)
      values ('${ACCOUNT}', '${ID}', 'Harbour', '447700900001', 'SMS', 'mobile', 'available', '${ID}');
    insert into sender_members (account_id, sender_id, pool_id, weight, create_date)
      values ('${ACCOUNT}', '${ID}', '${ID}', 7, '${DATE}');
    insert into sender_pairs (account_id, pool_id, number, sender_id)
      values ('${ACCOUNT}', '${ID}', '447700900002', '${ID}');
    insert into sender_member_days (account_id, pool_id, sender_id, day, messages)
      values ('${ACCOUNT}', '${ID}', '${ID}', '2026-01-02', 12);
    insert into lent_answers (channel, address, number, account_id, sender_id, create_date)
      values ('SMS', '447700900001', '447700900002', '${ACCOUNT}', '${ID}', '${DATE}');
    insert into sender_requests (account_id, id, sender_id, kind, status, asked, form, create_date, expected_date,
        refused_name, refused_code, refused_countries)
      values ('${ACCOUNT}', '${ID}', '${ID}', 'sender_id', 'IN_PROCESS', true, '{}', '${DATE}', '${DATE}',
        'Old name', 'OLD', '{GB}');
    insert into sender_profiles (account_id, sender_id, revision, taken) values ('${ACCOUNT}', '${ID}', 4, 3);
    insert into request_looks (request_id, user_id, user_name, start_date, look_date)
      values ('${ID}', '${ID}', 'Ada', '${DATE}', '${DATE}');
    insert into request_mails (told_date) values ('${DATE}');
    insert into fallbacks (account_id, message_id, legs, priority)
      values ('${ACCOUNT}', '${ID}', '[{"leg": 1}]', 5);
    insert into dispatch (account_id, message_id, channel, expire_date, number, sender_address, line_id)
      values ('${ACCOUNT}', '${ID}', 'SMS', '${DATE}', '447700900002', '447700900001', '${ID}');
    insert into connections (id, name, adapter, channel, settings) values ('${ID}', 'Carrier', 'smpp', 'SMS', '{}');
    insert into workers (id, process, lease_until) values ('${ID}', 'worker', '${DATE}');
    insert into binds (connection_id, slot, worker_id, state, line_window, lease_until)
      values ('${ID}', 1, '${ID}', 'bound', 40, '${DATE}');
    insert into inbound_seen (connection_id, digest, session, create_date) values ('${ID}', 'abc', '${ID}', '${DATE}');
    insert into media (account_id, id, type, file_name, content_type, wanted_width, wanted_height)
      values ('${ACCOUNT}', '${ID}', 'image', 'logo.png', 'image/png', 640, 480);
    insert into sign_up_tries (email, password_hash, create_date) values ('ada@example.com', 'hash', '${DATE}')`);

test('only pending migrations run', () => {
  expect(applied[0]).toBe(TERMS);
});

test.each<[string, string, Record<string, unknown>]>([
  ['senders', 'shared_from', { shared_from: ID }],
  ['number_pool_members', 'sender_id, pool_id, weight', { sender_id: ID, pool_id: ID, weight: 7 }],
  ['number_pool_contacts', 'number, sender_id', { number: '447700900002', sender_id: ID }],
  ['number_pool_days', 'day::text, messages', { day: '2026-01-02', messages: 12 }],
  ['shared_sender_replies', 'number, account_id', { number: '447700900002', account_id: ACCOUNT }],
  [
    'sender_requests',
    'info_requested, rejected_name, rejected_code, rejected_countries',
    { info_requested: true, rejected_name: 'Old name', rejected_code: 'OLD', rejected_countries: ['GB'] },
  ],
  ['sender_profiles', 'revision, synced_revision', { revision: 4, synced_revision: 3 }],
  ['request_presence', 'user_name, seen_date', { user_name: 'Ada', seen_date: new Date(DATE) }],
  ['request_mails', 'notified_date', { notified_date: new Date(DATE) }],
  ['fallbacks', 'steps', { steps: [{ leg: 1 }] }],
  ['dispatch', 'bind_id', { bind_id: ID }],
  ['binds', 'window_size', { window_size: 40 }],
  ['inbound_digests', 'session', { session: ID }],
  ['media', 'declared_width, declared_height', { declared_width: 640, declared_height: 480 }],
  ['sign_up_passwords', 'email, password_hash', { email: 'ada@example.com', password_hash: 'hash' }],
])('the table %s keeps its rows', async (table, columns, row) => {
  expect((await client.query(`select ${columns} from ${table}`)).rows).toEqual([row]);
});

test('no table, column, index, or constraint keeps an old name', async () => {
  // A line of an import's file is called a line, and so is a phone line.
  const { rows } = await client.query(`
    select name from (
      select relname as name from pg_class where relnamespace = 'public'::regnamespace
      union all select conname from pg_constraint where connamespace = 'public'::regnamespace
        and conname <> 'import_rows_line_not_null'
      union all select attname from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
          and (c.relname, attname) not in (('import_rows', 'line'), ('number_lookups', 'line_type'))
    ) names
    where name ~ '^(sender_(members|pairs|member_days)|lent_|senders_lent|request_looks|inbound_seen|sign_up_tries)'
      or name ~ '(^|_)(asked|told|look|legs|line|lent|wanted|taken|refused_(name|code|countries))(_|$)'`);
  expect(rows).toEqual([]);
});

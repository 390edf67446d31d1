import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clone, cloneDatabase } from '../../test/database/clone.ts';
import { type Remarks, readRemarks } from './schema_remarks.ts';
import { renderSchema } from './schema_text.ts';

let clone: Clone;
let client: pg.Client;
let remarks: Remarks;

beforeAll(async () => {
  clone = await cloneDatabase();
  client = new pg.Client({ connectionString: clone.url });
  await client.connect();
  remarks = await readRemarks();
});
afterAll(async () => {
  await client.end();
  await clone.drop();
});

test('server/schema.sql matches the schema that the migrations create', async () => {
  const committed = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  expect(committed, 'server/schema.sql is stale: run `npm run schema` and commit it').toBe(
    await renderSchema(client, remarks),
  );
});

test('the generated SQL recreates the same schema', async () => {
  const text = await renderSchema(client, remarks);
  await client.query('create schema again; set search_path = again');
  await client.query(text);
  expect(await renderSchema(client, remarks, 'again')).toBe(text);
});

test('the generated SQL contains the comments from the migrations and the catalog', async () => {
  await client.query(`
    create schema small; set search_path = small;
    create table notes (account_id uuid, number bigint generated always as identity,
      text text not null check (text in ('a', 'it''s')),
      length integer generated always as (length(text)) stored, "From" text[] default '{}',
      constraint notes_number primary key (account_id, number));
    create index on notes (lower(text)) where text <> 'NULL';
    create statistics notes_starts (ndistinct) on number, (lower(text)) from notes;
    comment on table notes is 'Notes of users.';
    create view short_notes as select text from notes where length < 10;
    create function mark() returns trigger language plpgsql as 'begin return new; end';
    create trigger marked before insert on notes for each row execute function mark();
    create table t2 (id uuid primary key);
    alter table notes add foreign key (account_id) references t2 on delete cascade;`);
  const notes: Remarks = new Map([
    ['notes.text', ['Never longer than a page.']],
    ['section notes', ['Notes']],
    ['notes_lower_idx', ['Case does not matter.']],
  ]);
  const text = await renderSchema(client, notes, 'small');
  expect(text.replace(/^-- The schema.*\n/, '').replace(/-{9,}/, '---')).toMatchInlineSnapshot(`
    "
    set check_function_bodies = off;

    create function mark() returns trigger language plpgsql as $function$begin return new; end$function$;

    -- Notes ---

    -- Notes of users.
    create table notes (
      account_id uuid not null,
      number bigint generated always as identity,
      -- Never longer than a page.
      text text not null check (text in ('a', 'it''s')),
      length integer generated always as (length(text)) stored,
      "From" text[] default '{}',
      constraint notes_number primary key (account_id, number)
    );
    -- Case does not matter.
    create index notes_lower_idx on notes (lower(text)) where text <> 'NULL';
    create trigger marked before insert on notes for each row execute function mark();
    create statistics notes_starts (ndistinct) on number, lower(text) from notes;

    create view short_notes as
     SELECT text
       FROM notes
      WHERE length < 10;

    create table t2 (
      id uuid primary key
    );

    alter table notes add constraint notes_account_id_fkey foreign key (account_id) references t2(id) on delete cascade;
    "
  `);
  await client.query('create schema small_again; set search_path = small_again');
  await client.query(`${text}; comment on table notes is 'Notes of users.'`);
  expect(await renderSchema(client, notes, 'small_again')).toBe(text);
});

test('an error names the object when its kind is not supported', async () => {
  await client.query(
    `create schema strange; set search_path = strange; create table parts (id uuid) partition by hash (id)`,
  );
  await expect(renderSchema(client, remarks, 'strange')).rejects.toThrow(/cannot write parts$/);
});

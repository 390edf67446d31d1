/**
 * The schema stays fit to be distributed by account: what belongs to a customer carries the account first in its key, and everything else is
 * on a list with its reason. See docs/operations.md.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clone, cloneDatabase } from './clone.ts';

/** Tables that belong to the installation. */
const SHARED: Readonly<Record<string, string>> = {
  migrations: 'the schema itself',
  accounts: 'the accounts themselves: their key is the account',
  logins: 'persons, who may belong to several accounts',
  recovery_codes: 'of a person',
  passkeys: 'of a person',
  passkey_challenges: 'asked before anybody is known',
  social_networks: 'of a person',
  sign_up_tries: 'of a mailbox, before anybody is known',
  social_tickets: 'asked before anybody is known',
  verifications: 'of a person, or of nobody',
  code_sends: 'counted by what was typed',
  code_stops: 'of ranges of numbers, whoever asks for codes to them',
  sign_in_attempts: 'counted by what was typed, before any account is known',
  event_position: 'where the one sequencer stands',
  mails: 'outbox; mails before sign-up have no account',
  networks: 'reference data',
  network_prefixes: 'reference data',
  rates: 'list prices; an account is named only where it has a price of its own',
  ledger_checks: 'one look at all ledgers',
  doctor_runs: 'looks at the whole database',
  price_revision: 'tells the price caches of all processes',
  numbers: 'the operators’ stock; an account is named while it has the number',
  number_prices: 'list prices',
  connections: 'carriers are the operators’',
  connection_syncs: 'carriers are the operators’',
  carrier_pins: 'of a number, whoever has it',
  request_looks: 'operators at work, forgotten after a minute',
  request_mails: 'what operators have been told of',
  routes: 'carriers are the operators’',
  workers: 'processes',
  binds: 'processes and carriers',
  unmatched_reports: 'nobody knows yet whose they are',
  inbound_seen: 'known by the carrier’s id, before the account is',
  inbound_parts: 'known by the carrier’s id, before the account is',
};
/** Directories: found by something that is not the account, and lead to it. */
const DIRECTORIES: Readonly<Record<string, string>> = {
  sessions: 'by token',
  auth_sessions: 'by its secret',
  inbound_addresses: 'by channel and address',
  lent_answers: 'by the address and the phone that answers',
  submissions: 'by the carrier’s id',
};
/** Unique across all accounts, because people sign in and callers authenticate without naming theirs. */
const UNIQUE: Readonly<Record<string, string>> = {
  invitations_token: 'a link finds its account',
  api_keys_hash: 'a key finds its account',
  events_seq: 'one order of all events; kept on the coordinator',
};

let clone: Clone;
let client: pg.Client;
const ask = async <T>(text: string): Promise<T[]> => (await client.query(text)).rows as T[];

beforeAll(async () => {
  clone = await cloneDatabase();
  client = new pg.Client({ connectionString: clone.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await clone.drop();
});

interface Table {
  name: string;
  account_required: boolean | null;
  key: string[];
}

const tables = () =>
  ask<Table>(`
    select c.relname as name,
      (select a.attnotnull from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id') as account_required,
      coalesce((
        select array_agg(a.attname::text order by k.place)
        from pg_index i cross join unnest(i.indkey) with ordinality as k(number, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
        where i.indrelid = c.oid and i.indisprimary), '{}') as key
    from pg_class c where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by 1`);

test('every table of a customer has the account first in its key; the others are listed', async () => {
  const all = await tables();
  expect(all.length).toBeGreaterThan(20);
  const listed = (name: string) => name in SHARED || name in DIRECTORIES;
  const wrong = all.filter(
    ({ name, key, account_required }) => !listed(name) && (key[0] !== 'account_id' || !account_required),
  );
  expect(wrong).toEqual([]);
  const gone = [...Object.keys(SHARED), ...Object.keys(DIRECTORIES)].filter(
    (name) => !all.some((table) => table.name === name),
  );
  expect(gone, 'listed but not there').toEqual([]);
  const aimless = all.filter(({ name, account_required }) => name in DIRECTORIES && account_required !== true);
  expect(aimless, 'a directory leads to an account').toEqual([]);
});

test('what is unique to a customer is unique within the account; the exceptions are listed', async () => {
  const rows = await ask<{ table: string; name: string; columns: string[] }>(`
    select c.relname as table, x.relname as name, array_agg(coalesce(a.attname::text, '')) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
    cross join unnest(i.indkey) as k(number)
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
    where i.indisunique and not c.relispartition and c.relnamespace = 'public'::regnamespace
    group by 1, 2 order by 1, 2`);
  const customers = rows.filter(({ table }) => !(table in SHARED) && !(table in DIRECTORIES));
  expect(customers.length).toBeGreaterThan(15);
  expect(customers.filter(({ name, columns }) => !columns.includes('account_id') && !(name in UNIQUE))).toEqual([]);
  expect(
    Object.keys(UNIQUE).filter((name) => !rows.some((row) => row.name === name)),
    'listed but not there',
  ).toEqual([]);
});

test('a reference between two tables of customers carries the account', async () => {
  const rows = await ask<{ name: string; from: string; to: string; columns: string[] }>(`
    select o.conname as name, o.conrelid::regclass::text as from, o.confrelid::regclass::text as to,
      (select array_agg(a.attname::text) from unnest(o.conkey) as k(number)
       join pg_attribute a on a.attrelid = o.conrelid and a.attnum = k.number) as columns
    from pg_constraint o where o.contype = 'f' and o.connamespace = 'public'::regnamespace`);
  const wrong = rows.filter(
    ({ from, to, columns }) => !(from in SHARED) && !(to in SHARED) && !columns.includes('account_id'),
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
});

test('enumerations are text with a check, money is whole micro-units, times know their zone', async () => {
  expect(
    await ask(`select typname from pg_type where typtype = 'e' and typnamespace = 'public'::regnamespace`),
  ).toEqual([]);
  expect(
    await ask(`
      select table_name, column_name, data_type from information_schema.columns
      where table_schema = 'public' and (
        column_name like '%micros' and data_type <> 'bigint'
        or data_type in ('real', 'double precision', 'money', 'timestamp without time zone', 'character varying'))`),
  ).toEqual([]);
});

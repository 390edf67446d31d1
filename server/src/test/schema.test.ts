/**
 * Keeps the schema ready for distribution by account: the key of every customer table must start with the account. All
 * other tables are listed with the reason. See docs/operations.md.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clone, cloneDatabase } from './database/clone.ts';

/** Tables that belong to the whole installation, with the reason why they have no account. */
const SHARED: Readonly<Record<string, string>> = {
  migrations: 'the schema itself',
  accounts: 'the account is its key',
  logins: 'belongs to a person, who may be in several accounts',
  recovery_codes: 'belongs to a person',
  passkeys: 'belongs to a person',
  passkey_challenges: 'used before the user is known',
  social_networks: 'belongs to a person',
  sign_up_passwords: 'belongs to a mailbox before the user is known',
  social_tickets: 'used before the user is known',
  verifications: 'belongs to a person, or used before the user is known',
  code_sends: 'counted per entered address',
  code_stops: 'belongs to number ranges across accounts',
  conversation_episode_marks: 'how far a job has walked through all accounts',
  assistance_provider: 'the language model of the installation',
  push_keys: 'the keys of the installation',
  push_position: 'the last event from which notifications were created',
  sign_in_attempts: 'counted per entered address, before any account is known',
  event_position: 'position of the only sequencer',
  webhook_position: 'position of the only reader that creates deliveries',
  smpp_position: 'position of the only reader that creates deliveries for SMPP accounts',
  crm_position: 'position of the only reader that logs messages at CRMs',
  mails: 'outbox; emails before sign-up have no account',
  click_batches: 'clicks of all accounts for a moment, in the order of their recording',
  networks: 'reference data',
  network_prefixes: 'reference data',
  rates: 'list prices; an account is set only for custom prices',
  price_imports: 'list prices',
  price_changes: 'list prices',
  price_plans: 'list prices',
  planned_prices: 'list prices',
  volume_prices: 'list prices; an account is set only for its own steps',
  margin_start: 'the day from which margins are complete',
  carrier_statements: 'statements of carriers about all accounts',
  carrier_statement_lines: 'statements of carriers about all accounts',
  dunning_settings: 'setting of the installation',
  reconciliations: 'comparisons of all payments with the payment provider',
  payment_differences: 'found by operators; the account of a payment can be unknown',
  brands: 'the account is its key; the brand of the installation has the zero UUID',
  code_sender: 'setting of the installation',
  currencies: 'offered by the installation',
  ledger_checks: 'one check of all ledgers',
  doctor_runs: 'checks of the whole database',
  health_samples: 'figures of the whole installation',
  price_revision: 'invalidates the price caches of all processes',
  numbers: 'inventory of the operators; an account is set while it rents the number',
  number_prices: 'list prices',
  invoice_entities: 'the companies that issue invoices',
  database_epoch: 'one history of the whole database',
  sending_holds: 'carriers belong to the operators',
  connections: 'carriers belong to the operators',
  connection_syncs: 'carriers belong to the operators',
  carrier_pins: 'belongs to a number across accounts',
  request_presence: 'presence of operators; expires after a minute',
  request_mails: 'notifications sent to operators',
  review_mails: 'notifications sent to operators',
  content_rules: 'rules of the operators for all accounts',
  routes: 'carriers belong to the operators',
  workers: 'processes',
  binds: 'processes and carriers',
  connection_days: 'counted per connection',
  connection_minutes: 'counted per connection',
  connection_tests: 'carriers belong to the operators',
  unmatched_reports: 'their account is not known yet',
  inbound_digests: 'found by the carrier’s ID, before the account is known',
  inbound_parts: 'found by the carrier’s ID, before the account is known',
};
/** Directory tables. Their rows are found by a key other than the account, and identify the account. */
const DIRECTORIES: Readonly<Record<string, string>> = {
  demo_company: 'the only demo of the installation',
  sessions: 'by token',
  auth_sessions: 'by its secret',
  inbound_addresses: 'by channel and address',
  shared_sender_replies: 'by the address and the replying phone',
  submissions: 'by the carrier’s ID',
  event_queue: 'in the order of the only sequencer',
  brand_images: 'by the ID in the public address of an image',
  link_codes: 'by the code in a short URL',
  opt_in_form_codes: 'by the code in the address of a form',
  crm_companies: 'by the ID of the company in the CRM',
  crm_sessions: 'by token',
};
/** Indexes that are unique across accounts, because users and API callers authenticate without naming their account. */
const UNIQUE: Readonly<Record<string, string>> = {
  invitations_token: 'a link finds its account',
  api_keys_hash: 'a key finds its account',
  event_positions_seq: 'a single order of all events, assigned by the coordinator',
  link_domains_host: 'the domain of a short URL finds its account',
  smpp_accounts_system_id: 'a bind finds its account',
  api_keys_previous: 'a rotated key finds its account',
};

let clone: Clone;
let client: pg.Client;
const query = async <T>(text: string): Promise<T[]> => (await client.query(text)).rows as T[];

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
  query<Table>(`
    select c.relname as name,
      (select a.attnotnull from pg_attribute a
       where a.attrelid = c.oid and a.attname = 'account_id') as account_required,
      coalesce((
        select array_agg(a.attname::text order by k.place)
        from pg_index i cross join unnest(i.indkey) with ordinality as k(number, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
        where i.indrelid = c.oid and i.indisprimary), '{}') as key
    from pg_class c where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by 1`);

test('the primary key of every customer table starts with the account, and shared tables are listed', async () => {
  const all = await tables();
  expect(all.length).toBeGreaterThan(20);
  const listed = (name: string) => name in SHARED || name in DIRECTORIES;
  const mismatches = all.filter(
    ({ name, key, account_required }) => !listed(name) && (key[0] !== 'account_id' || !account_required),
  );
  expect(mismatches).toEqual([]);
  const missing = [...Object.keys(SHARED), ...Object.keys(DIRECTORIES)].filter(
    (name) => !all.some((table) => table.name === name),
  );
  expect(missing, 'listed but missing').toEqual([]);
  const withoutAccount = all.filter(({ name, account_required }) => name in DIRECTORIES && account_required !== true);
  expect(withoutAccount, 'every row of a directory needs an account').toEqual([]);
});

test('unique indexes on customer tables contain the account, and exceptions are listed', async () => {
  const rows = await query<{ table: string; name: string; columns: string[] }>(`
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
    'listed but missing',
  ).toEqual([]);
});

test('a foreign key between customer tables contains the account', async () => {
  const rows = await query<{ name: string; from: string; to: string; columns: string[] }>(`
    select o.conname as name, o.conrelid::regclass::text as from, o.confrelid::regclass::text as to,
      (select array_agg(a.attname::text) from unnest(o.conkey) as k(number)
       join pg_attribute a on a.attrelid = o.conrelid and a.attnum = k.number) as columns
    from pg_constraint o where o.contype = 'f' and o.connamespace = 'public'::regnamespace`);
  const mismatches = rows.filter(
    ({ from, to, columns }) => !(from in SHARED) && !(to in SHARED) && !columns.includes('account_id'),
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(mismatches).toEqual([]);
});

test('enumerations are text with a check, money is bigint micros, and times have a time zone', async () => {
  expect(
    await query(`select typname from pg_type where typtype = 'e' and typnamespace = 'public'::regnamespace`),
  ).toEqual([]);
  expect(
    await query(`
      select table_name, column_name, data_type from information_schema.columns
      where table_schema = 'public' and (
        column_name like '%micros' and data_type <> 'bigint'
        or data_type in ('real', 'double precision', 'money', 'timestamp without time zone', 'character varying'))`),
  ).toEqual([]);
});

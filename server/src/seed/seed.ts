/**
 * Seeds the demo once: a verified company with a balance, senders, contacts, and an API key, and the operators'
 * account. It never runs in production. Every start updates the carrier connection to the sandbox's current port.
 */
import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allPermissions } from '@parley/contract/permission.ts';
import { ROLES } from '@parley/contract/team/team.ts';
import { hashPassword, hashToken, plantTotp } from '../auth/auth.ts';
import { credit } from '../billing/billing.ts';
import { sealSecrets } from '../connections/connections.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Config, sandboxPorts } from '../kernel/settings/config.ts';
import { seedApplicant } from './applicant.ts';
import { seedChatConnections, seedChatSenders } from './channels.ts';
import { seedChatPrices } from './chat_prices.ts';
import { noteDemoCompany } from './demo/demo_row.ts';
import { DEMO_USERS, OPERATOR, OPERATOR_TOTP_SECRET, PASSWORD } from './demo_users.ts';
import { seedHistory } from './history/history.ts';
import { seedNumbers } from './numbers.ts';
import { seedPastTrial } from './past_trial.ts';
import { PEOPLE } from './people.ts';
import { NETWORKS, RATES } from './rates.ts';

const BRAND = 'Harbour Coffee';
export const START_BALANCE = 5_000_000_000;

export async function seed(kernel: Kernel): Promise<void> {
  if (kernel.config.MODE === 'production') throw new Error('Demo data cannot be seeded in production');
  const api_key = await readOrCreateKey(kernel);
  const hashes = await Promise.all(DEMO_USERS.map(() => hashPassword(PASSWORD)));
  await kernel.db.tx(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(7301003)`);
    const connection = await seedConnection(tx, kernel);
    await seedChatConnections(tx, kernel);
    await seedNumbers(tx);
    await seedChatPrices(tx);
    await seedAssistance(tx, kernel);
    const existing = await tx.maybeOne(sql`select 1 from logins where lower(email) = ${DEMO_USERS[0].email}`);
    if (existing) {
      await seedOperatorSender(tx);
      await noteDemoCompany(tx, DEMO_USERS[0].email);
      return seedOperatorFactor(tx, kernel);
    }
    await seedPrices(tx);
    await tx.run(sql`
      insert into routes (id, channel, connection_id, priority, cost_micros, cost_currency)
      values (${newId()}, 'SMS', ${connection}, 10, 24000, 'USD')`);
    await seedOperators(tx, hashes[2]!);
    await seedOperatorFactor(tx, kernel);
    await seedOperatorSender(tx);
    await seedCompany(tx, kernel.config, [hashes[0]!, hashes[1]!], api_key);
    await noteDemoCompany(tx, DEMO_USERS[0].email);
    await seedApplicant(tx);
    await seedPastTrial(tx, hashes[0]!);
  });
}

/** The file with the demo's API key, which every start prints. */
export const keyFile = (config: Pick<Config, 'DATA_DIR'>): string => join(config.DATA_DIR, 'demo-api-key');

// The key is created once per installation and kept in a file, so that every start can print it.
async function readOrCreateKey(kernel: Kernel): Promise<string> {
  const file = keyFile(kernel.config);
  const existing = await readFile(file, 'utf8').catch(() => '');
  if (/^[0-9a-f]{32}$/.test(existing)) return existing;
  const key = randomBytes(16).toString('hex');
  await writeFile(file, key, { mode: 0o600 });
  await chmod(file, 0o600);
  return key;
}

async function seedConnection(tx: Tx, kernel: Kernel): Promise<string> {
  const port = sandboxPorts(kernel.config).smpp;
  const id = newId();
  const settings = {
    host: '127.0.0.1',
    port,
    tls: false,
    tls_insecure: false,
    system_id: 'parley',
    password: 'sandbox',
    system_type: '',
    bind_mode: 'transceiver',
    binds: 1,
    window: 100,
    throughput: null,
    response_timeout_ms: 10_000,
    enquire_link_ms: 15_000,
    multipart: 'udh8',
    default_alphabet: 'gsm7',
    id_format: 'text',
    short_code_ton: 3,
    echoes_reference: true,
  };
  // The sandbox never loses a message or a receipt. If there is no evidence of a message after the grace period, it has
  // not arrived, so it is resent.
  const row = await tx.one<{ id: string }>(sql`
    insert into connections as c (id, name, adapter, channel, settings, unknown_policy, unknown_grace_seconds)
    values (${id}, 'Sandbox', 'smpp', 'SMS', ${JSON.stringify(sealSecrets(kernel, id, 'smpp', settings))}::jsonb,
            'resend', 15)
    on conflict (name) do update set
      settings = c.settings || jsonb_build_object('host', '127.0.0.1', 'port', ${port}::int),
      update_date = case when (c.settings->>'port')::int = ${port} then c.update_date else now() end
    returning id`);
  return row.id;
}

/** Operators have set up the sandbox as the language model. The owner of each account still has to turn it on. */
const seedAssistance = (tx: Tx, kernel: Kernel) => {
  const url = `http://127.0.0.1:${sandboxPorts(kernel.config).http}/assistance/v1`;
  return tx.run(sql`
    insert into assistance_provider as p (enabled, url, api_key, model, input_price_micros, output_price_micros,
                                          timeout_seconds, account_cap_micros)
    values (true, ${url}, ${kernel.seals.seal('sandbox', { table: 'assistance_provider', row: 'provider' })},
            'sandbox-text-rules', 150, 600, 30, 5000000)
    on conflict (singleton) do update set
      url = case when p.model = 'sandbox-text-rules' then excluded.url else p.url end`);
};

async function seedPrices(tx: Tx): Promise<void> {
  await tx.run(sql`
    insert into networks (mccmnc, name, country)
    select * from unnest(${NETWORKS.map((network) => network.mccmnc)}::text[],
                         ${NETWORKS.map((network) => network.name)}::text[],
                         ${NETWORKS.map((network) => network.country)}::text[])`);
  const prefixes = NETWORKS.flatMap((network) =>
    network.prefixes.map((prefix) => ({ prefix, mccmnc: network.mccmnc })),
  );
  await tx.run(sql`
    insert into network_prefixes (prefix, mccmnc)
    select * from unnest(${prefixes.map((row) => row.prefix)}::text[], ${prefixes.map((row) => row.mccmnc)}::text[])`);
  const rates = [
    ...Object.entries(RATES).map(([country, micros]) => ({ country, mccmnc: null as string | null, micros })),
    ...NETWORKS.filter((network) => network.micros).map(({ country, mccmnc, micros }) => ({
      country,
      mccmnc,
      micros: micros!,
    })),
  ];
  await tx.run(sql`
    insert into rates (id, channel, country, mccmnc, price_micros, currency)
    select id, 'SMS', country, mccmnc, micros, 'USD'
    from unnest(${rates.map(() => newId())}::uuid[], ${rates.map((row) => row.country)}::text[],
                ${rates.map((row) => row.mccmnc)}::text[], ${rates.map((row) => row.micros)}::bigint[])
      as r(id, country, mccmnc, micros)`);
}

async function insertUser(
  tx: Tx,
  user: {
    account_id: string;
    email: string;
    password_hash: string;
    first_name: string;
    last_name: string;
    phone_number: string | null;
    position: string;
    is_owner: boolean;
    permissions: Record<string, number>;
  },
): Promise<string> {
  const id = newId();
  await tx.run(sql`
    insert into logins (id, email, password_hash, phone_number, status)
    values (${id}, ${user.email}, ${user.password_hash}, ${user.phone_number}, 'PHONE_VERIFIED')`);
  await tx.run(sql`
    insert into users (account_id, id, login_id, email, first_name, last_name, position, permissions, is_owner)
    values (${user.account_id}, ${id}, ${id}, ${user.email}, ${user.first_name}, ${user.last_name}, ${user.position},
            ${JSON.stringify(user.permissions)}::jsonb, ${user.is_owner})`);
  return id;
}

async function seedOperators(tx: Tx, password_hash: string): Promise<void> {
  const account_id = newId();
  await tx.run(sql`
    insert into accounts (id, kind, company_name, country_code, currency, status, timezone, channels)
    values (${account_id}, 'OPERATOR', 'Operators', 'GB', 'USD', 'VERIFIED', 'Europe/London', '{}')`);
  await insertUser(tx, {
    account_id,
    email: DEMO_USERS[2].email,
    password_hash,
    first_name: 'Olive',
    last_name: 'Marlow',
    phone_number: null,
    position: 'Operations',
    is_owner: true,
    permissions: allPermissions(),
  });
}

// Adds the second factor for operators who have none, even in an existing data folder. They could not sign in
// otherwise.
async function seedOperatorFactor(tx: Tx, kernel: Kernel): Promise<void> {
  const incomplete = await tx.maybeOne<{ id: string }>(sql`
    select id from logins l where lower(email) = ${OPERATOR} and totp_secret is null
      and not exists (select 1 from passkeys p where p.login_id = l.id)`);
  if (incomplete) await plantTotp(tx, kernel, incomplete.id, OPERATOR_TOTP_SECRET);
}

// The operators' account sends verification codes, so it needs a sender and a balance, even in an existing data folder.
async function seedOperatorSender(tx: Tx): Promise<void> {
  const incomplete = await tx.maybeOne<{ id: string }>(sql`
    select id from accounts a
    where kind = 'OPERATOR' and not exists (select 1 from balances b where b.account_id = a.id)
    order by id limit 1`);
  if (!incomplete) return;
  await tx.run(sql`insert into balances (account_id, currency) values (${incomplete.id}, 'USD')`);
  await credit(tx, {
    account_id: incomplete.id,
    amount_micros: START_BALANCE,
    kind: 'bonus',
    key: 'demo',
    note: 'Demo balance',
  });
  await tx.run(sql`
    insert into senders (account_id, id, name, code, channel, type, status, countries, brand)
    values (${incomplete.id}, ${newId()}, 'Codes', 'Parley', 'SMS', 'alphanumeric', 'available', '{}', 'Parley')`);
}

async function seedCompany(
  tx: Tx,
  { DEMO_HISTORY }: Pick<Config, 'DEMO_HISTORY'>,
  [ownerHash, agentHash]: [string, string],
  api_key: string,
): Promise<void> {
  const account_id = newId();
  await tx.run(sql`
    insert into accounts (id, company_name, country_code, currency, status, timezone, channels, industry_id)
    values (${account_id}, ${BRAND}, 'DE', 'USD', 'VERIFIED', 'Europe/Berlin', '{SMS,VIBER}', 22)`);
  await insertUser(tx, {
    account_id,
    email: DEMO_USERS[0].email,
    password_hash: ownerHash,
    first_name: 'Dana',
    last_name: 'Quill',
    phone_number: '4917604069077',
    position: 'Owner',
    is_owner: true,
    permissions: allPermissions(),
  });
  await insertUser(tx, {
    account_id,
    email: DEMO_USERS[1].email,
    password_hash: agentHash,
    first_name: 'Sam',
    last_name: 'Ridley',
    phone_number: '4917604069078',
    position: 'Support',
    is_owner: false,
    permissions: { ...ROLES.agent!.permissions },
  });
  await tx.run(sql`
    insert into api_keys (account_id, id, name, key_hash, hint, permissions)
    values (${account_id}, ${newId()}, 'Demo key', ${hashToken(api_key)}, ${api_key.slice(-4)},
            ${JSON.stringify({ ...allPermissions(), KEYS: 0, USERS: 0, PAYMENTS: 1, INVOICES: 1 })}::jsonb)`);
  await tx.run(sql`insert into balances (account_id, currency) values (${account_id}, 'USD')`);
  await seedSenders(tx, account_id);
  await seedChatSenders(tx, account_id);
  if (DEMO_HISTORY) await seedHistory(tx, account_id);
  await credit(tx, { account_id, amount_micros: START_BALANCE, kind: 'bonus', key: 'demo', note: 'Demo balance' });
  await seedAudience(tx, account_id);
}

export async function seedSenders(tx: Tx, account_id: string): Promise<void> {
  const senders = [
    { name: 'Harbour Hamburg', code: '4917139200000', type: 'mobile', countries: [] as string[], two_way: true },
    { name: 'Harbour US', code: '18005550142', type: 'toll_free', countries: ['US', 'CA'], two_way: true },
    { name: 'Harbour short code', code: '63420', type: 'short_code', countries: ['DE'], two_way: true },
    { name: 'HarbourCafe', code: 'HarbourCafe', type: 'alphanumeric', countries: [] as string[], two_way: false },
  ];
  for (const sender of senders) {
    const id = newId();
    await tx.run(sql`
      insert into senders (account_id, id, name, code, channel, type, status, countries, brand)
      values (${account_id}, ${id}, ${sender.name}, ${sender.code}, 'SMS', ${sender.type}, 'available',
              ${sender.countries}, ${BRAND})`);
    if (sender.two_way)
      await tx.run(sql`
        insert into inbound_addresses (channel, address, account_id, sender_id)
        values ('SMS', ${sender.code}, ${account_id}, ${id})`);
  }
}

export async function seedAudience(tx: Tx, account_id: string): Promise<void> {
  const audience_id = newId();
  await tx.run(sql`
    insert into audiences (account_id, id, name, channel, contacts_count)
    values (${account_id}, ${audience_id}, 'Regulars', 'SMS', ${PEOPLE.length})`);
  await tx.run(sql`
    insert into contacts (account_id, audience_id, id, number, country, first_name, last_name, custom1, custom2)
    select ${account_id}, ${audience_id}, id, number, country, first_name, last_name, custom1, custom2
    from jsonb_to_recordset(${JSON.stringify(PEOPLE.map((person) => ({ ...person, id: newId() })))}::jsonb)
      as p(id uuid, number text, country text, first_name text, last_name text, custom1 text, custom2 text)`);
}

/**
 * Inserts companies, users, senders, and audiences for tests. A test uses the API to create the objects that it
 * actually tests.
 */
import { allPermissions, type Permissions } from '@parley/contract/permission.ts';
import { hashToken, openSession } from '../auth/auth.ts';
import { credit } from '../billing/billing.ts';
import { newId, secret } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { LONG } from './grace.ts';

export interface Company {
  account_id: string;
  user_id: string;
  /** The owner's session token. */
  token: string;
}

export async function makeCompany(
  kernel: Kernel,
  options: {
    status?: 'VERIFIED' | 'UNVERIFIED' | 'BLOCKED';
    balance_micros?: number;
    credit_limit_micros?: number;
    operator?: boolean;
    country?: string;
    timezone?: string;
  } = {},
): Promise<Company> {
  const account_id = newId();
  await kernel.db.tx(async (tx) => {
    await tx.run(sql`
      insert into accounts (id, kind, company_name, country_code, currency, status, timezone)
      values (${account_id}, ${options.operator ? 'OPERATOR' : 'CUSTOMER'}, ${`Company ${account_id.slice(-6)}`},
              ${options.country ?? 'GB'}, 'USD', ${options.status ?? 'VERIFIED'}, ${options.timezone ?? 'UTC'})`);
    await tx.run(sql`
      insert into balances (account_id, currency, credit_limit_micros)
      values (${account_id}, 'USD', ${options.credit_limit_micros ?? 0})`);
    const amount_micros = options.balance_micros ?? 100_000_000;
    if (amount_micros > 0) await credit(tx, { account_id, amount_micros, kind: 'top_up', key: 'make', note: 'Test' });
  });
  const owner = await makeUser(kernel, account_id, { owner: true });
  return { account_id, ...owner };
}

/** Creates a user with a session. Operators must have 2FA, so they get an authenticator without known codes. */
export async function makeUser(
  kernel: Kernel,
  account_id: string,
  options: { owner?: boolean; permissions?: Permissions; status?: string; first_name?: string } = {},
): Promise<{ user_id: string; token: string }> {
  const user_id = newId();
  return kernel.db.tx(async (tx) => {
    const email = `${user_id}@test.localhost`;
    const status = options.status ?? 'PHONE_VERIFIED';
    await tx.run(sql`
      insert into logins (id, email, password_hash, status, totp_secret, totp_date)
      select ${user_id}, ${email}, '$argon2id$none', ${status === 'BLOCKED' ? 'PHONE_VERIFIED' : status},
             case when kind = 'OPERATOR' then 'none' end, case when kind = 'OPERATOR' then now() end
      from accounts where id = ${account_id}`);
    await tx.run(sql`
      insert into users (account_id, id, login_id, email, first_name, last_name, blocked, permissions, is_owner)
      values (${account_id}, ${user_id}, ${user_id}, ${email}, ${options.first_name ?? 'Test'}, 'Person',
              ${status === 'BLOCKED'}, ${JSON.stringify(options.permissions ?? {})}::jsonb,
              ${options.owner ?? false})`);
    const session = await openSession(tx, { account_id, user_id }, { address: '127.0.0.1', agent: 'test' });
    await tx.run(sql`
      update sessions set second_factor = true
      where account_id = ${account_id} and user_id = ${user_id}
        and exists (select 1 from logins where id = ${user_id} and totp_date is not null)`);
    return { user_id, token: session.access_token };
  });
}

export async function makeKey(
  kernel: Kernel,
  account_id: string,
  permissions: Permissions = allPermissions(),
  test = false,
): Promise<string> {
  const key = secret();
  await kernel.db.run(sql`
    insert into api_keys (account_id, id, name, key_hash, hint, permissions, test)
    values (${account_id}, ${newId()}, 'Test', ${hashToken(key)}, ${key.slice(-4)},
            ${JSON.stringify(permissions)}::jsonb, ${test})`);
  return key;
}

// Increases, so that two senders in one world never share a number.
let nextNumber = Math.floor(Math.random() * 1e5);

export async function makeSender(
  kernel: Kernel,
  account_id: string,
  options: {
    code?: string;
    name?: string;
    status?: string;
    countries?: string[];
    two_way?: boolean;
    type?: string;
    channel?: string;
  } = {},
): Promise<{ sender_id: string; code: string }> {
  const sender_id = newId();
  const { channel = 'SMS' } = options;
  const code = options.code ?? `4477009${String(nextNumber++ % 1e5).padStart(5, '0')}`;
  await kernel.db.run(sql`
    insert into senders (account_id, id, name, code, channel, type, status, countries, brand)
    values (${account_id}, ${sender_id}, ${options.name ?? `Sender ${code}`}, ${code}, ${channel},
            ${options.type ?? 'mobile'}, ${options.status ?? 'available'}, ${options.countries ?? []}, 'Brand')`);
  if (options.two_way ?? true)
    await kernel.db.run(sql`
      insert into inbound_addresses (channel, address, account_id, sender_id)
      values (${channel}, ${code}, ${account_id}, ${sender_id})`);
  return { sender_id, code };
}

/** Creates prices, a connection, and a route to it. Without `port`, the connection is unreachable. */
export async function makeCarrier(
  kernel: Kernel,
  options: {
    port?: number;
    name?: string;
    settings?: Record<string, unknown>;
    unknown_policy?: string;
    grace_seconds?: number;
    countries?: string[];
  } = {},
): Promise<{ connection_id: string }> {
  const connection_id = newId();
  const settings = {
    host: '127.0.0.1',
    port: options.port ?? 9,
    tls: false,
    tls_insecure: false,
    system_id: 'parley',
    password: 'sandbox',
    system_type: '',
    bind_mode: 'transceiver',
    binds: 1,
    window: 50,
    throughput: null,
    response_timeout_ms: 5_000,
    enquire_link_ms: 5_000,
    multipart: 'udh8',
    default_alphabet: 'gsm7',
    id_format: 'text',
    short_code_ton: 3,
    echoes_reference: true,
    ...options.settings,
  };
  await kernel.db.run(sql`
    insert into connections (id, name, adapter, channel, settings, unknown_policy, unknown_grace_seconds)
    values (${connection_id}, ${options.name ?? `Carrier ${connection_id.slice(-6)}`}, 'smpp', 'SMS',
            ${JSON.stringify(settings)}::jsonb, ${options.unknown_policy ?? 'resend'},
            ${options.grace_seconds ?? LONG})`);
  await makeRoute(kernel, 'SMS', connection_id, options.countries ?? ['GB', 'US', 'DE']);
  return { connection_id };
}

/** Routes the channel's messages over this connection, at one price in these countries. */
export async function makeRoute(
  kernel: Kernel,
  channel: string,
  connection_id: string,
  countries: readonly string[],
): Promise<void> {
  await kernel.db.tx(async (tx) => {
    await tx.run(
      sql`insert into routes (id, channel, connection_id) values (${newId()}, ${channel}, ${connection_id})`,
    );
    for (const country of countries)
      await tx.run(sql`
        insert into rates (id, channel, country, price_micros, currency)
        values (${newId()}, ${channel}, ${country}, 40000, 'USD')
        on conflict do nothing`);
  });
}

export async function makeAudience(
  kernel: Kernel,
  account_id: string,
  people: readonly { number: string; country?: string; first_name?: string; last_name?: string; custom1?: string }[],
  name = `Audience ${newId().slice(-8)}`,
): Promise<string> {
  const audience_id = newId();
  await kernel.db.tx(async (tx) => {
    await tx.run(sql`
      insert into audiences (account_id, id, name, contacts_count)
      values (${account_id}, ${audience_id}, ${name}, ${people.length})`);
    await tx.run(sql`
      insert into contacts (account_id, audience_id, id, number, country, first_name, last_name, custom1)
      select ${account_id}, ${audience_id}, id, number, country, first_name, last_name, custom1
      from unnest(
        ${people.map(() => newId())}::uuid[], ${people.map((p) => p.number)}::text[],
        ${people.map((p) => p.country ?? 'GB')}::text[], ${people.map((p) => p.first_name ?? '')}::text[],
        ${people.map((p) => p.last_name ?? '')}::text[], ${people.map((p) => p.custom1 ?? '')}::text[]
      ) as c(id, number, country, first_name, last_name, custom1)`);
  });
  return audience_id;
}

/** Returns an unassigned British number. */
export const testNumber = (index: number): string => `4474${String(10_000_000 + index)}`;

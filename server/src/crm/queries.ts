import type { CrmName, CrmUser } from '@parley/contract/crm/crm.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';

export interface CrmUserRow {
  account_id: string;
  provider: CrmName;
  id: string;
  user_id: string;
  name: string;
  email: string;
  api_url: string;
  access_token: string;
  refresh_token: string;
  token_expire_date: Date;
  state: 'active' | 'broken';
}

export interface ConnectionRow {
  account_id: string;
  provider: CrmName;
  company_id: string;
  company_name: string;
  company_url: string;
  sender_id: string | null;
  logs_messages: boolean;
  activity_type: string | null;
  last_error: string | null;
  create_date: string;
  update_date: string;
}

export const findCrmUser = async (db: Queryable, account_id: string, provider: CrmName, id: string) => {
  const row = await db.maybeOne<Omit<CrmUserRow, 'token_expire_date'> & { expire_ms: number }>(sql`
    select account_id, provider, id, user_id, name, email, api_url, access_token, refresh_token, state,
      (extract(epoch from token_expire_date) * 1000)::float8 as expire_ms
    from crm_users where account_id = ${account_id} and provider = ${provider} and id = ${id}`);
  return row && { ...row, token_expire_date: new Date(row.expire_ms) };
};

export const listActiveTokens = (db: Queryable, account_id: string, provider: CrmName) =>
  db.rows<Pick<CrmUserRow, 'account_id' | 'provider' | 'id' | 'refresh_token'>>(sql`
    select account_id, provider, id, refresh_token from crm_users
    where account_id = ${account_id} and provider = ${provider} and state = 'active'`);

/** The person who logs a message: the given one if they are connected, otherwise the first one. */
export const findActiveUser = (db: Queryable, account_id: string, provider: CrmName, preferred: string | null) =>
  db.maybeOne<{ id: string }>(sql`
    select id from crm_users where account_id = ${account_id} and provider = ${provider} and state = 'active'
    order by id is distinct from ${preferred}, create_date, id limit 1`);

/** The connected login of a user, otherwise the first one. */
export const findLogin = (db: Queryable, account_id: string, provider: CrmName, user_id: string | null) =>
  db.maybeOne<{ id: string }>(sql`
    select id from crm_users where account_id = ${account_id} and provider = ${provider} and state = 'active'
    order by user_id is distinct from ${user_id}::uuid, create_date, id limit 1`);

export const listConnections = (db: Queryable, account_id: string) =>
  db.rows<ConnectionRow>(sql`
    select account_id, provider, company_id, company_name, company_url, sender_id, logs_messages, activity_type,
      last_error, create_date, update_date
    from crm_connections where account_id = ${account_id}`);

export const findConnection = async (db: Queryable, account_id: string, provider: CrmName) =>
  (await listConnections(db, account_id)).find((row) => row.provider === provider) ?? null;

export const listCompanyUsers = (db: Queryable, account_id: string, provider: CrmName) =>
  db.rows<CrmUser>(sql`
    select c.id, c.name, c.email, c.state, coalesce(concat_ws(' ', u.first_name, u.last_name), '') as user_name
    from crm_users c left join users u on u.account_id = c.account_id and u.id = c.user_id
    where c.account_id = ${account_id} and c.provider = ${provider} order by c.create_date, c.id`);

export const countLogs = (db: Queryable, account_id: string, provider: CrmName) =>
  db.one<{ logged_count: number; waiting_count: number; failed_count: number }>(sql`
    select count(*) filter (where status = 'done')::int as logged_count,
      count(*) filter (where status in ('pending', 'submitting'))::int as waiting_count,
      count(*) filter (where status = 'failed')::int as failed_count
    from crm_logs
    where account_id = ${account_id} and provider = ${provider} and create_date > now() - interval '30 days'`);

/** Returns the account that the company belongs to now. */
export const claimCompany = (tx: Tx, provider: CrmName, company_id: string, account_id: string) =>
  tx.one<{ account_id: string }>(sql`
    insert into crm_companies as c (provider, company_id, account_id)
    values (${provider}, ${company_id}, ${account_id})
    on conflict (provider, company_id) do update set account_id = c.account_id
    returning account_id`);

export const findCompanyAccount = (db: Queryable, provider: CrmName, company_id: string) =>
  db.maybeOne<{ account_id: string }>(
    sql`select account_id from crm_companies where provider = ${provider} and company_id = ${company_id}`,
  );

export const upsertConnection = (
  tx: Tx,
  row: Pick<ConnectionRow, 'account_id' | 'provider' | 'company_id' | 'company_name' | 'company_url' | 'activity_type'>,
) =>
  tx.run(sql`
    insert into crm_connections (account_id, provider, company_id, company_name, company_url, activity_type)
    values (${row.account_id}, ${row.provider}, ${row.company_id}, ${row.company_name}, ${row.company_url},
            ${row.activity_type})
    on conflict (account_id, provider) do update set company_name = excluded.company_name,
      company_url = excluded.company_url, activity_type = excluded.activity_type, last_error = null,
      update_date = ${tx.now}`);

export const upsertUser = (tx: Tx, row: Omit<CrmUserRow, 'state'>) =>
  tx.run(sql`
    insert into crm_users (account_id, provider, id, user_id, name, email, api_url, access_token, refresh_token,
                           token_expire_date)
    values (${row.account_id}, ${row.provider}, ${row.id}, ${row.user_id}, ${row.name}, ${row.email}, ${row.api_url},
            ${row.access_token}, ${row.refresh_token}, ${row.token_expire_date})
    on conflict (account_id, provider, id) do update set user_id = excluded.user_id, name = excluded.name,
      email = excluded.email, api_url = excluded.api_url, access_token = excluded.access_token,
      refresh_token = excluded.refresh_token, token_expire_date = excluded.token_expire_date, state = 'active',
      update_date = ${tx.now}`);

export const updateConnection = (
  tx: Tx,
  row: Pick<ConnectionRow, 'account_id' | 'provider' | 'sender_id' | 'logs_messages'>,
) =>
  tx.run(sql`
    update crm_connections set sender_id = ${row.sender_id}, logs_messages = ${row.logs_messages},
      update_date = ${tx.now}
    where account_id = ${row.account_id} and provider = ${row.provider}`);

export const setLastError = (db: Queryable, account_id: string, provider: CrmName, error: string | null) =>
  db.run(sql`
    update crm_connections set last_error = ${error}
    where account_id = ${account_id} and provider = ${provider} and last_error is distinct from ${error}`);

/** Removes the webhooks from the sync, and returns them. */
export const takeHooks = async (db: Queryable, account_id: string, provider: CrmName): Promise<string[]> =>
  (
    await db.maybeOne<{ hook_ids: string[] }>(sql`
      with before as (
        select hook_ids from crm_syncs where account_id = ${account_id} and provider = ${provider})
      update crm_syncs s set hook_ids = '{}' from before
      where s.account_id = ${account_id} and s.provider = ${provider} returning before.hook_ids`)
  )?.hook_ids ?? [];

/** Deletes a person’s tokens and panels. */
export async function deleteUser(tx: Tx, account_id: string, provider: CrmName, id: string): Promise<number> {
  await tx.run(sql`
    delete from crm_sessions
    where account_id = ${account_id} and provider = ${provider} and crm_user_id = ${id}`);
  return tx.run(sql`delete from crm_users where account_id = ${account_id} and provider = ${provider} and id = ${id}`);
}

export async function deleteConnection(tx: Tx, account_id: string, provider: CrmName): Promise<void> {
  const own = sql`account_id = ${account_id} and provider = ${provider}`;
  await tx.run(sql`delete from crm_sessions where ${own}`);
  await tx.run(sql`delete from crm_users where ${own}`);
  await tx.run(sql`delete from crm_people where ${own}`);
  await tx.run(sql`delete from crm_logs where ${own}`);
  await tx.run(sql`delete from crm_trigger_runs where ${own}`);
  await tx.run(sql`delete from crm_triggers where ${own}`);
  await tx.run(sql`delete from crm_changes where ${own}`);
  await tx.run(sql`delete from crm_links where ${own}`);
  await tx.run(sql`delete from crm_syncs where ${own}`);
  await tx.run(sql`
    delete from crm_companies
    where provider = ${provider} and account_id = ${account_id}
      and company_id = (select company_id from crm_connections where ${own})`);
  await tx.run(sql`delete from crm_connections where ${own}`);
}

import type { AssistanceAction } from '@parley/contract/assistance/actions.ts';
import type { AssistanceRequest } from '@parley/contract/assistance/assistance.ts';
import { and, type Db, type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { afterKey, CAP, type Page } from '../kernel/db/list.ts';

export interface ProviderRow {
  enabled: boolean;
  url: string;
  /** Sealed. */
  api_key: string | null;
  model: string;
  input_price_micros: number;
  output_price_micros: number;
  timeout_seconds: number;
  account_cap_micros: number;
}

export const findProvider = (db: Queryable) =>
  db.maybeOne<ProviderRow>(sql`
    select enabled, url, api_key, model, input_price_micros, output_price_micros, timeout_seconds, account_cap_micros
    from assistance_provider`);

export const putProvider = (tx: Tx, row: ProviderRow) =>
  tx.run(sql`
    insert into assistance_provider (enabled, url, api_key, model, input_price_micros, output_price_micros,
                                     timeout_seconds, account_cap_micros, update_date)
    values (${row.enabled}, ${row.url}, ${row.api_key}, ${row.model}, ${row.input_price_micros},
            ${row.output_price_micros}, ${row.timeout_seconds}, ${row.account_cap_micros}, ${tx.now})
    on conflict (singleton) do update set
      enabled = excluded.enabled, url = excluded.url, api_key = excluded.api_key, model = excluded.model,
      input_price_micros = excluded.input_price_micros, output_price_micros = excluded.output_price_micros,
      timeout_seconds = excluded.timeout_seconds, account_cap_micros = excluded.account_cap_micros,
      update_date = excluded.update_date`);

export interface SettingsRow {
  enabled: boolean;
  masks_personal_data: boolean;
  monthly_cap_micros: number | null;
  retention_days: number;
}

export const findSettings = (db: Queryable, account_id: string) =>
  db.maybeOne<SettingsRow>(sql`
    select enabled, masks_personal_data, monthly_cap_micros, retention_days
    from assistance_settings where account_id = ${account_id}`);

export const putSettings = (tx: Tx, account_id: string, row: SettingsRow) =>
  tx.run(sql`
    insert into assistance_settings (account_id, enabled, masks_personal_data, monthly_cap_micros, retention_days,
                                     update_date)
    values (${account_id}, ${row.enabled}, ${row.masks_personal_data}, ${row.monthly_cap_micros},
            ${row.retention_days}, ${tx.now})
    on conflict (account_id) do update set
      enabled = excluded.enabled, masks_personal_data = excluded.masks_personal_data,
      monthly_cap_micros = excluded.monthly_cap_micros, retention_days = excluded.retention_days,
      update_date = excluded.update_date`);

export const isOwner = async (db: Queryable, account_id: string, user_id: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from users where account_id = ${account_id} and id = ${user_id} and is_owner and remove_date is null`)) !==
  null;

/** The month of a time, in UTC. */
const monthStart = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

export const readSpend = async (db: Queryable, account_id: string, at: Date): Promise<number> =>
  (
    await db.maybeOne<{ cost_micros: number }>(sql`
      select cost_micros from assistance_months
      where account_id = ${account_id} and month = ${monthStart(at)}::date`)
  )?.cost_micros ?? 0;

/** Adds the cost to the month, unless it then exceeds the limit. Returns whether it was added. */
export async function reserve(tx: Tx, account_id: string, cost: number, cap: number): Promise<boolean> {
  if (cost > cap) return false;
  const row = await tx.maybeOne(sql`
    insert into assistance_months as m (account_id, month, cost_micros)
    values (${account_id}, ${monthStart(tx.now)}::date, ${cost})
    on conflict (account_id, month) do update set cost_micros = m.cost_micros + excluded.cost_micros
      where m.cost_micros + excluded.cost_micros <= ${cap}
    returning 1`);
  return row !== null;
}

export interface StartedRow {
  account_id: string;
  id: string;
  conversation_id: string;
  user_id: string;
  action: AssistanceAction;
  language: string | null;
  model: string;
  prompt: string;
  cost_micros: number;
}

export const insertRequest = (tx: Tx, row: StartedRow) =>
  tx.run(sql`
    insert into assistance_requests (account_id, id, conversation_id, user_id, action, language, model, prompt,
                                     cost_micros, create_date)
    values (${row.account_id}, ${row.id}, ${row.conversation_id}, ${row.user_id}, ${row.action}, ${row.language},
            ${row.model}, ${row.prompt}, ${row.cost_micros}, ${tx.now})`);

export interface Ending {
  status: 'completed' | 'failed' | 'canceled';
  response: string;
  error: string | null;
  input_tokens: number;
  output_tokens: number;
  cost_micros: number;
  duration_ms: number;
}

/** Replaces the reserved cost with the actual one. Returns false if the request has already ended. */
export async function endRequest(tx: Tx, account_id: string, id: string, end: Ending): Promise<boolean> {
  const row = await tx.maybeOne<{ reserved: number; month: string }>(sql`
    update assistance_requests r
    set status = ${end.status}, response = ${end.response}, error = ${end.error}, input_tokens = ${end.input_tokens},
        output_tokens = ${end.output_tokens}, cost_micros = ${end.cost_micros}, duration_ms = ${end.duration_ms}
    from (select cost_micros, create_date from assistance_requests
          where account_id = ${account_id} and id = ${id} and status = 'running' for update) before
    where r.account_id = ${account_id} and r.id = ${id}
    returning before.cost_micros as reserved,
              to_char(date_trunc('month', before.create_date at time zone 'UTC'), 'YYYY-MM-DD') as month`);
  if (!row) return false;
  await tx.run(sql`
    update assistance_months set cost_micros = greatest(0, cost_micros + ${end.cost_micros - row.reserved}::bigint)
    where account_id = ${account_id} and month = ${row.month}::date`);
  return true;
}

interface LogFilter {
  account_id: string;
  actions?: readonly string[] | undefined;
  statuses?: readonly string[] | undefined;
}

const matches = ({ account_id, actions, statuses }: LogFilter): Sql =>
  and([
    sql`r.account_id = ${account_id}`,
    actions?.length && sql`r.action = any(${actions}::text[])`,
    statuses?.length && sql`r.status = any(${statuses}::text[])`,
  ]);

export const listRequestRows = (db: Queryable, filter: LogFilter, page: Page) =>
  db.rows<AssistanceRequest>(sql`
    select r.id, r.account_id, r.conversation_id, r.action, r.language, r.status, r.model, r.prompt, r.response,
           r.error, r.input_tokens, r.output_tokens, r.cost_micros, r.duration_ms, r.create_date,
           coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email, '') as user_name
    from assistance_requests r left join users u on u.account_id = r.account_id and u.id = r.user_id
    where ${matches(filter)} and ${afterKey(page, 'r.id')}
    order by r.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countRequests = async (db: Queryable, filter: LogFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count
      from (select 1 from assistance_requests r where ${matches(filter)} limit ${CAP + 1}) capped`)
  ).count;

export const listAccountsWithSettings = (db: Db) =>
  db.rows<{ account_id: string; retention_days: number }>(sql`
    select account_id, retention_days from assistance_settings`);

/** Deletes old requests in batches. The IDs are in the order of creation. */
export const pruneRequests = (db: Db, account_id: string, before: Date, limit: number) =>
  db.run(sql`
    delete from assistance_requests where account_id = ${account_id} and id in (
      select id from (
        select id, create_date from assistance_requests where account_id = ${account_id} order by id limit ${limit}
      ) oldest where create_date < ${before})`);

/** Ends the requests whose process died. Their cost is unknown, so the most that they can cost stays counted. */
export const endInterrupted = (db: Db, account_id: string, before: Date) =>
  db.run(sql`
    update assistance_requests set status = 'failed', error = 'The server stopped during the request'
    where account_id = ${account_id} and status = 'running' and create_date < ${before}`);

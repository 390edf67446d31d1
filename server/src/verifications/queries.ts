import type { Parsed } from '@parley/contract/endpoint.ts';
import type { listSentCodes, SentCode } from '@parley/contract/verifications/verifications.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { afterKey, CAP, type Page } from '../kernel/db/list.ts';

const columns = raw(`
  c.id, c.account_id, c.message_id, c.phone, c.channel, c.country, c.status, c.attempts,
  to_char(c.create_date, 'YYYY-MM-DD HH24:MI:SS') as create_date,
  to_char(c.expire_date, 'YYYY-MM-DD HH24:MI:SS') as expire_date,
  to_char(c.verify_date, 'YYYY-MM-DD HH24:MI:SS') as verify_date`);

/** The codes of test keys have their own table. */
export const TABLES = { live: raw('sent_codes'), test: raw('test_codes') } as const;
export type CodeTable = (typeof TABLES)[keyof typeof TABLES];

export interface NewTestCode {
  readonly account_id: string;
  readonly id: string;
  readonly message_id: string;
  readonly channel: string;
  readonly phone: string;
  readonly country: string;
  readonly code_hash: Buffer;
  readonly expire_date: Date;
}

export interface NewCode extends NewTestCode {
  readonly range: string;
  readonly neighbors: string;
  readonly own_code: boolean;
  readonly address: string | null;
  readonly network: string | null;
  readonly user_id: string | null;
  readonly key_id: string | null;
  readonly form_id: string | null;
}

export const insertCode = (tx: Tx, code: NewCode): Promise<SentCode> =>
  tx.one<SentCode>(sql`
    insert into sent_codes as c (account_id, id, message_id, channel, phone, country, range, neighbors, code_hash,
                                 own_code, address, network, user_id, key_id, form_id, create_date,
                                 expire_date)
    values (${code.account_id}, ${code.id}, ${code.message_id}, ${code.channel}, ${code.phone}, ${code.country},
            ${code.range}, ${code.neighbors}, ${code.code_hash}, ${code.own_code}, ${code.address}, ${code.network},
            ${code.user_id}::uuid, ${code.key_id}::uuid, ${code.form_id}::uuid, ${tx.now}, ${code.expire_date})
    returning ${columns}`);

/** One test code to a phone at a time. Codes of live keys have the lock of limits.ts. */
export const lockTestPhone = (tx: Tx, account_id: string, phone: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} ${phone}`}, 7307))`);

export const insertTestCode = (tx: Tx, code: NewTestCode): Promise<SentCode> =>
  tx.one<SentCode>(sql`
    insert into test_codes as c (account_id, id, message_id, channel, phone, country, code_hash, create_date,
                                 expire_date)
    values (${code.account_id}, ${code.id}, ${code.message_id}, ${code.channel}, ${code.phone}, ${code.country},
            ${code.code_hash}, ${tx.now}, ${code.expire_date})
    returning ${columns}`);

/** Codes of the API and codes of each opt-in form are separate: none replaces another, or is entered for another. */
const isFor = (table: CodeTable, form_id: string | null): Sql =>
  table === TABLES.test ? sql`true` : form_id === null ? sql`form_id is null` : sql`form_id = ${form_id}`;

/** Closes the open code of a phone, which a new one replaces. */
export const replaceOpen = (
  tx: Tx,
  table: CodeTable,
  { account_id, phone, form_id = null }: { account_id: string; phone: string; form_id?: string | null },
): Promise<SentCode[]> =>
  tx.rows<SentCode>(sql`
    update ${table} c set status = case when expire_date <= ${tx.now} then 'expired' else 'replaced' end
    where account_id = ${account_id} and phone = ${phone} and status = 'pending' and ${isFor(table, form_id)}
    returning ${columns}`);

export interface OpenCode {
  readonly id: string;
  readonly code_hash: Buffer;
  readonly country: string;
  readonly channel: string;
  readonly is_expired: boolean;
  /** The hour in which the code was sent. */
  readonly hour: Date;
}

export const lockOpen = (
  tx: Tx,
  table: CodeTable,
  { account_id, phone, form_id = null }: { account_id: string; phone: string; form_id?: string | null },
): Promise<OpenCode | null> =>
  tx.maybeOne<OpenCode>(sql`
    select id, code_hash, country, channel, expire_date <= ${tx.now} as is_expired, create_date as hour
    from ${table} where account_id = ${account_id} and phone = ${phone} and status = 'pending'
      and ${isFor(table, form_id)} for update`);

export const closeCode = (
  tx: Tx,
  table: CodeTable,
  account_id: string,
  id: string,
  { status, attempts }: { status: SentCode['status']; attempts: number },
): Promise<SentCode> =>
  tx.one<SentCode>(sql`
    update ${table} c set status = ${status}, attempts = attempts + ${attempts},
      verify_date = case when ${status} = 'verified' then ${tx.now}::timestamptz end
    where account_id = ${account_id} and id = ${id} returning ${columns}`);

export const countAttempt = (tx: Tx, table: CodeTable, account_id: string, id: string): Promise<{ attempts: number }> =>
  tx.one<{ attempts: number }>(sql`
    update ${table} set attempts = attempts + 1 where account_id = ${account_id} and id = ${id} returning attempts`);

/** The codes that expired without being entered, of all accounts. */
export const expireCodes = (tx: Tx, table: CodeTable, limit: number): Promise<SentCode[]> =>
  tx.rows<SentCode>(sql`
    update ${table} c set status = 'expired'
    where (c.account_id, c.id) in (
      select account_id, id from ${table} where status = 'pending' and expire_date <= ${tx.now}
      order by expire_date limit ${limit} for update skip locked)
    returning ${columns}`);

type LogFilter = Parsed<typeof listSentCodes>['query']['filter'];

const matches = (account_id: string, filter: LogFilter): Sql =>
  and([
    sql`c.account_id = ${account_id}`,
    filter?.phone && sql`c.phone = ${filter.phone.replace(/\D/g, '')}`,
    filter?.statuses?.length && sql`c.status = any(${filter.statuses}::text[])`,
    filter?.countries?.length && sql`c.country = any(${filter.countries}::text[])`,
    filter?.channel && sql`c.channel = ${filter.channel}`,
  ]);

export const listCodes = (
  db: Queryable,
  table: CodeTable,
  account_id: string,
  filter: LogFilter,
  page: Page,
): Promise<SentCode[]> =>
  db.rows<SentCode>(sql`
    select ${columns} from ${table} c where ${matches(account_id, filter)} and ${afterKey(page, 'c.id')}
    order by c.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countCodes = async (
  db: Queryable,
  table: CodeTable,
  account_id: string,
  filter: LogFilter,
): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from (
        select 1 from ${table} c where ${matches(account_id, filter)} limit ${CAP + 1}) capped`)
  ).count;

/** The number without its last six digits. */
export const toRange = (phone: string): string => phone.slice(0, -6);

interface Place {
  readonly account_id: string;
  readonly phone: string;
  readonly country: string;
  readonly channel: string;
  readonly hour: Date;
}

/** Counts a code that is sent, or one that is entered. */
export const addCount = (tx: Tx, { account_id, phone, country, channel, hour }: Place, what: 'sent' | 'verified') =>
  tx.run(sql`
    insert into code_counts as c (account_id, kind, place, hour, channel, sent, verified)
    select ${account_id}::uuid, kind, place, date_trunc('hour', ${hour}::timestamptz, 'UTC'), ${channel},
           ${what === 'sent' ? 1 : 0}, ${what === 'verified' ? 1 : 0}
    from unnest(array['country', 'range'], ${[country, toRange(phone)]}::text[]) as t(kind, place)
    on conflict (account_id, kind, place, hour, channel)
    do update set sent = c.sent + excluded.sent, verified = c.verified + excluded.verified`);

/** The codes of the last days, by one column of `code_counts`. */
const grouped = (account_id: string, since: Date, column: Sql, order: Sql): Sql => sql`
  select ${column} as name, sum(sent)::int as sent, sum(verified)::int as verified from code_counts
  where account_id = ${account_id} and kind = 'country' and hour >= ${since}
  group by 1 order by ${order}`;

type Row = { name: string; sent: number; verified: number };
export const readConversion = (
  db: Queryable,
  account_id: string,
  since: Date,
  by: 'day' | 'country' | 'channel',
): Promise<Row[]> => {
  const column = {
    day: raw(`to_char(hour at time zone 'UTC', 'YYYY-MM-DD')`),
    country: raw('place'),
    channel: raw('channel'),
  };
  const order = by === 'day' ? raw('1') : raw('2 desc, 1 limit 100');
  return db.rows<Row>(grouped(account_id, since, column[by], order));
};

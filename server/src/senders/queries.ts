import type { Sender } from '@parley/contract/senders.ts';
import { and, type Queryable, type Sql, sql } from '../kernel/db.ts';
import { CAP, likePattern, type Page } from '../kernel/list.ts';

const columns: Sql = sql`
  s.id, s.account_id, s.name, s.code, s.channel, s.type, s.status, s.countries, s.type <> 'alphanumeric' as two_way,
  s.create_date, s.update_date`;

export interface SenderFilter {
  account_id: string;
  channel?: string | undefined;
  type?: string | undefined;
  /** Part of the name or the code. */
  name?: string | undefined;
  status?: string | undefined;
  statuses?: readonly string[] | undefined;
}

const conditions = (filter: SenderFilter): Sql =>
  and([
    sql`s.account_id = ${filter.account_id}`,
    filter.channel && sql`s.channel = ${filter.channel.toUpperCase()}`,
    filter.type && sql`s.type = ${filter.type.toLowerCase()}`,
    filter.name && sql`s.name || ' ' || s.code ilike ${likePattern(filter.name)}`,
    filter.status && sql`s.status = ${filter.status.toLowerCase()}`,
    filter.statuses?.length && sql`s.status = any(${filter.statuses.map((status) => status.toLowerCase())}::text[])`,
  ]);

export const senderPage = (db: Queryable, filter: SenderFilter, page: Page) =>
  db.rows<Sender>(sql`
    select ${columns} from senders s where ${conditions(filter)}
    order by s.name, s.id limit ${page.size + 1} offset ${page.offset}`);

export const countSenders = async (db: Queryable, filter: SenderFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from senders s where ${conditions(filter)} limit ${CAP + 1}) capped`)
  ).count;

export const senderById = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<Sender>(sql`select ${columns} from senders s where s.account_id = ${account_id} and s.id = ${id}`);

/** A code may be written with a plus. */
export const sendersCalled = (db: Queryable, account_id: string, channel: string, from: string) =>
  db.rows<Sender>(sql`
    select ${columns} from senders s
    where s.account_id = ${account_id} and s.channel = ${channel}
      and (${from}::text in (s.name, s.code, '+' || s.code) or s.id::text = ${from.toLowerCase()})
    order by s.create_date, s.id`);

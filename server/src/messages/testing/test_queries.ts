import type { Parsed } from '@parley/contract/endpoint.ts';
import type { TimelineEntry } from '@parley/contract/messages/details.ts';
import type { listMessages, Message } from '@parley/contract/messages/messages.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { afterKey, orderBy, type Page, prefixPattern } from '../../kernel/db/list.ts';

export interface TestMessageRow {
  message: Message;
  payload: string | null;
  timeline: TimelineEntry[];
  key_id: string;
  key_name: string | null;
}

type Filter = NonNullable<Parsed<typeof listMessages>['query']['filter']>;

const columns = sql`
  t.message || jsonb_build_object('status', t.status,
    'update_date', to_char(t.update_date at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) as message,
  t.payload, t.timeline, t.key_id,
  (select k.name from api_keys k where k.account_id = t.account_id and k.id = t.key_id) as key_name`;

const digits = (text: string): string => text.replace(/[\s()+.-]/g, '');
const matchesAny = (field: string, values: readonly string[] | undefined): Sql | false =>
  values !== undefined && values.length > 0 && sql`t.message ->> ${field} = any(${values}::text[])`;
const is = (field: string, value: string | undefined): Sql | false =>
  value !== undefined && value !== '' && sql`t.message ->> ${field} = ${value}`;

const matches = (account_id: string, filter: Filter): Sql =>
  and([
    sql`t.account_id = ${account_id}`,
    filter.statuses?.length && sql`t.status = any(${filter.statuses}::text[])`,
    filter.channel && sql`t.channel = ${filter.channel}`,
    filter.from && sql`t."from" = ${filter.from}`,
    filter.to && sql`t."to" = ${digits(filter.to)}`,
    filter.to_prefix && sql`t."to" like ${prefixPattern(digits(filter.to_prefix))}`,
    filter.key_ids?.length && sql`t.key_id = any(${filter.key_ids}::uuid[])`,
    matchesAny('country', filter.countries),
    matchesAny('sender_id', filter.sender_ids),
    matchesAny('template_id', filter.template_ids),
    matchesAny('failure', filter.failures),
    matchesAny('user_id', filter.user_ids),
    filter.campaign_ids?.length && sql`t.campaign_id = any(${filter.campaign_ids}::uuid[])`,
    filter.networks?.length && sql`coalesce(t.message ->> 'mccmnc', 'unknown') = any(${filter.networks}::text[])`,
    is('direction', filter.direction),
    is('source', filter.source),
    is('charge', filter.charge),
    // Test messages have neither.
    (filter.wa_categories?.length || filter.verification_statuses?.length) && sql`false`,
    filter.created_date_start && sql`t.create_date >= ${filter.created_date_start}::timestamp at time zone 'UTC'`,
    filter.created_date_end &&
      sql`t.create_date < ${filter.created_date_end}::timestamp at time zone 'UTC' + interval '1 second'`,
  ]);

export const listTestMessageRows = (db: Queryable, account_id: string, filter: Filter, page: Page) =>
  db.rows<TestMessageRow>(sql`
    select ${columns} from test_messages t where ${matches(account_id, filter)} and ${afterKey(page, 't.id')}
    order by ${orderBy(page, { create_date: 't.id' }, 't.id', 't.id desc')}
    limit ${page.size + 1} offset ${page.offset}`);

/** Counts to the limit, or to the end if the limit is null. */
export async function countTestMessages(
  db: Queryable,
  account_id: string,
  filter: Filter,
  limit: number | null,
): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) as count from (
      select 1 from test_messages t where ${matches(account_id, filter)} limit ${limit}) capped`);
  return count;
}

export const findTestMessage = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<TestMessageRow>(sql`
    select ${columns} from test_messages t where t.account_id = ${account_id} and t.id = ${id}`);

/** The messages that have not ended, locked. */
export const lockTestMessages = (tx: Tx, account_id: string, ids: readonly string[]) =>
  tx.rows<TestMessageRow>(sql`
    select ${columns} from test_messages t
    where t.account_id = ${account_id} and t.id = any(${ids}::uuid[]) and t.status in ('scheduled', 'enroute')
    order by t.id for update`);

export const insertTestMessages = (
  tx: Tx,
  messages: readonly Message[],
  rest: { key_id: string; payload: string | null; timeline: readonly TimelineEntry[] },
) =>
  tx.run(sql`
    insert into test_messages (account_id, id, key_id, status, channel, "from", "to", message, payload, timeline,
      campaign_id, create_date, update_date)
    select (m ->> 'account_id')::uuid, (m ->> 'id')::uuid, ${rest.key_id}, m ->> 'status', m ->> 'channel',
      m ->> 'from', m ->> 'to', m, ${rest.payload}, ${JSON.stringify(rest.timeline)}::jsonb,
      (m ->> 'campaign_id')::uuid, ${tx.now}, ${tx.now}
    from jsonb_array_elements(${JSON.stringify(messages)}::jsonb) as m`);

export const updateTestMessage = (
  tx: Tx,
  { account_id, id, status }: Pick<Message, 'account_id' | 'id' | 'status'>,
  change: { timeline: readonly TimelineEntry[]; fields: Partial<Message> },
) =>
  tx.run(sql`
    update test_messages set status = ${status}, update_date = ${tx.now},
      timeline = timeline || ${JSON.stringify(change.timeline)}::jsonb,
      message = message || ${JSON.stringify(change.fields)}::jsonb
    where account_id = ${account_id} and id = ${id}`);

/** The account after this one that has test messages, in the order of their IDs. */
export const nextAccount = (db: Queryable, after: string | null) =>
  db.maybeOne<{ account_id: string }>(sql`
    select account_id from test_messages
    where ${after === null ? sql`true` : sql`account_id > ${after}`} order by account_id limit 1`);

/** Deletes up to `limit` messages from before the ID, and returns how many it deleted. */
export const deleteTestMessages = (db: Queryable, account_id: string, before: string, limit: number): Promise<number> =>
  db.run(sql`
    delete from test_messages where account_id = ${account_id} and id in (
      select id from test_messages where account_id = ${account_id} and id < ${before}::uuid
      order by id limit ${limit})`);

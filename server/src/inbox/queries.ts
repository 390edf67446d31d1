import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Bucket, Conversation, ConversationMessage, InboxSender } from '@parley/contract/inbox/inbox.ts';
import type { MessageFields } from '@parley/contract/inbox/message_fields.ts';
import type { ConversationStatus } from '@parley/contract/inbox/statuses.ts';
import type { DueState } from '@parley/contract/inbox/targets.ts';
import { and, customPlan, join, type Queryable, type Sql, sql } from '../kernel/db/db.ts';
import { CAP, likePattern, numberRange, type Page, prefixPattern } from '../kernel/db/list.ts';
import { conversationSelect, messageColumns, threadIds, threadRows } from '../messages/messages.ts';
import { hasLabel } from './label_queries.ts';
import { mentionedIn } from './mention_queries.ts';
import { dueIn } from './targets/target_queries.ts';

export interface Scope {
  account_id: string;
  user_id: string | null;
  buckets: readonly Bucket[];
  search?: string | undefined;
  channels?: readonly string[] | undefined;
  sender_id?: string | undefined;
  assignee_id?: string | undefined;
  unread?: boolean | undefined;
  mentioned?: boolean | undefined;
  label_id?: string | undefined;
  status?: readonly string[] | undefined;
  due?: DueState | undefined;
}

/** A row's bucket for this user. Needs `conversations c`. */
export const bucketCase = (user_id: string | null): Sql =>
  sql`case when c.assignee_id is null then 'none' when c.assignee_id = ${user_id}::uuid then 'self' else 'others' end`;

/**
 * Whether the full name or the last name of a contact with the number of `c` begins with the text. The numbers of at
 * most `limit` contacts per index are collected once. If there are more, the last number is null, so that `in` stays
 * undecided for other numbers, and their conversations look up their own contacts.
 */
function isContactNamed(account_id: string, prefix: string, limit: number): Sql {
  const full = sql`k.first_name <> '' and lower(k.first_name || ' ' || k.last_name) like ${prefix}`;
  const last = sql`k.last_name <> '' and lower(k.last_name) like ${prefix}`;
  const numbers = (name: Sql): Sql => sql`
    (select case when row_number() over () <= ${limit} then k.number end from contacts k
     where k.account_id = ${account_id} and ${name} limit ${limit + 1})`;
  // The database would replace "exists" by a hash table of the contacts of all accounts.
  return sql`coalesce(c.number in (${numbers(full)} union all ${numbers(last)}), (
    select true from contacts k
    where k.account_id = c.account_id and k.number = c.number and ((${full}) or (${last})) limit 1), false)`;
}

/** A page is filled quickly if a name is common; a count reads all conversations, so it collects more numbers. */
const NAMES = { page: 500, count: 20_000 } as const;

/** The conditions on `conversations c` of a list. */
export function selectConditions(scope: Scope, read: keyof typeof NAMES): Sql {
  const digits = scope.search?.replace(/\D/g, '') ?? '';
  return and([
    sql`c.account_id = ${scope.account_id}`,
    sql`c.delete_date is null`,
    scope.buckets.length < 3 && sql`${bucketCase(scope.user_id)} = any(${scope.buckets}::text[])`,
    scope.channels?.length && sql`c.channel = any(${scope.channels}::text[])`,
    scope.sender_id && sql`c.sender_id::text = ${scope.sender_id}`,
    scope.assignee_id && sql`c.assignee_id = ${scope.assignee_id}`,
    scope.unread && sql`c.unread_count > 0`,
    scope.mentioned && sql`c.id = any(array(${mentionedIn(scope)}))`,
    scope.due && sql`c.id = any(array(${dueIn(scope.account_id, scope.due)}))`,
    scope.label_id && hasLabel(scope.label_id),
    scope.status?.length && sql`c.status = any(${scope.status}::text[])`,
    scope.search &&
      (digits.length === scope.search.replace(/[\s+()-]/g, '').length
        ? numberRange(sql`c.number`, digits)
        : sql`(c.profile_name ilike ${likePattern(scope.search)} or c.alias ilike ${likePattern(scope.search)}
          or ${isContactNamed(scope.account_id, prefixPattern(scope.search.toLowerCase()), NAMES[read])})`),
  ]);
}

/** Without the value of a search, the database cannot use the indexes of names. */
const planned = (scope: Scope, query: Sql): Sql => (scope.search ? customPlan(query) : query);

/** The page is selected before its columns are computed, so that each skipped row costs only an index step. */
export const listConversationRows = (db: Queryable, scope: Scope, page: Page) =>
  db.rows<Conversation>(
    planned(
      scope,
      sql`
    ${conversationSelect}
    where c.account_id = ${scope.account_id} and c.id = any(array(
      select c.id from conversations c where ${selectConditions(scope, 'page')}
      order by c.timestamp desc, c.id desc limit ${page.size + 1} offset ${page.offset}))
    order by c.timestamp desc, c.id desc limit ${page.size + 1}`,
    ),
  );

export const listSenders = (db: Queryable, account_id: string) =>
  db.rows<InboxSender>(sql`
    select coalesce(nullif(s.business_name, ''), s.name) as label, s.id as value, s.channel
    from senders s
    where s.account_id = ${account_id} and exists (
      select from conversations c where c.account_id = s.account_id and c.sender_id = s.id)
    order by lower(coalesce(nullif(s.business_name, ''), s.name)), s.id`);

export const countConversations = async (db: Queryable, scope: Scope, page: Page): Promise<number> =>
  (
    await db.one<{ count: number }>(
      planned(
        scope,
        sql`
      select count(*) from (
        select 1 from conversations c where ${selectConditions(scope, 'count')} limit ${page.count_limit}) capped`,
      ),
    )
  ).count;

/** The conversations and the unread ones of each scope, counted up to `max`. */
export const countEach = (db: Queryable, scopes: readonly Scope[], max: number) => {
  const counted = (scope: Scope): Sql => sql`
    (select count(*) from (
      select 1 from conversations c where ${selectConditions(scope, 'count')} limit ${max}) capped)`;
  const rows = scopes.map(
    (scope, n) => sql`select ${n}::int as n, ${counted(scope)} as conversations,
      ${counted({ ...scope, unread: true })} as unread`,
  );
  return db.rows<{ n: number; conversations: number; unread: number }>(customPlan(join(rows, ' union all ')));
};

export const findConversation = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<Conversation>(sql`
    ${conversationSelect}
    where c.account_id = ${account_id} and c.id = ${id} and c.delete_date is null`);

interface Key {
  sender_id: string;
  number: string;
}

export interface LockedConversation extends Key {
  id: string;
  channel: ChannelName;
  assignee_id: string | null;
  status: ConversationStatus;
}

export const findConversationBetween = (
  db: Queryable,
  { account_id, sender_id, number }: Key & { account_id: string },
) =>
  db.maybeOne<{ assignee_id: string | null }>(sql`
    select assignee_id from conversations
    where account_id = ${account_id} and sender_id = ${sender_id} and number = ${number} and delete_date is null`);

export const lockConversation = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<LockedConversation>(sql`
    select id, channel, sender_id, number, assignee_id, status from conversations
    where account_id = ${account_id} and id = ${id} and delete_date is null for update`);

/** The caller has locked the conversation, so no message can arrive between the count and the move of the pointer. */
export const moveReadPointer = (db: Queryable, account_id: string, id: string, until: string) =>
  db.run(sql`
    update conversations c
    set last_read_timestamp = pointer.at,
        unread_count = (
          select count(*) from messages m
          where m.account_id = c.account_id and m.sender_id = c.sender_id and m.number = c.number
            and m.direction = 'MO' and m.create_date > pointer.at)
    from (select least(${until}::timestamp at time zone 'UTC', clock_timestamp()) as at) pointer
    where c.account_id = ${account_id} and c.id = ${id}
      and (c.last_read_timestamp is null or c.last_read_timestamp < pointer.at)
      and (c.unread_count > 0 or c.last_read_timestamp is null)`);

/** Moves the read pointer back to the second before the last inbound message. Returns 0 if there is none. */
export const markUnread = (db: Queryable, account_id: string, id: string) =>
  db.run(sql`
    update conversations c
    set last_read_timestamp = pointer.at,
        unread_count = (
          select count(*) from messages m
          where m.account_id = c.account_id and m.sender_id = c.sender_id and m.number = c.number
            and m.direction = 'MO' and m.create_date > pointer.at)
    from (
      select m.create_date - interval '1 second' as at
      from conversations o join messages m
        on m.account_id = o.account_id and m.sender_id = o.sender_id and m.number = o.number and m.direction = 'MO'
      where o.account_id = ${account_id} and o.id = ${id}
      order by m.id desc limit 1) pointer
    where c.account_id = ${account_id} and c.id = ${id}`);

export const hideConversation = (db: Queryable, account_id: string, id: string) =>
  db.run(sql`
    update conversations set delete_date = now(), unread_count = 0, last_read_timestamp = clock_timestamp()
    where account_id = ${account_id} and id = ${id}`);

export type ThreadRow = Omit<ConversationMessage, keyof MessageFields | 'timestamp' | 'thumbnail_url'>;

/**
 * Selects every message between this sender and this number, including campaign messages, just as the person sees them.
 */
export const thread = (db: Queryable, key: Key & { account_id: string; id: string }, page: Page) =>
  db.rows<ThreadRow>(sql`
    select ${messageColumns}, ${key.id} as conversation_id, m.passed_on,
           nullif(concat_ws(' ', u.first_name, u.last_name), '') as user_name,
           (select nullif(concat_ws(' ', p.first_name, p.last_name), '')
            from conversation_assignments a join users p on p.account_id = a.account_id and p.id = a.to_user_id
            where a.account_id = ${key.account_id} and a.id = (
              select l.id from conversation_assignments l
              where l.account_id = ${key.account_id} and l.conversation_id = ${key.id}
                and l.create_date <= m.create_date
              order by l.id desc limit 1)) as assignee_name
    from (${threadRows(key, page.after, page.offset + page.size + 1)}) m
    left join users u on u.account_id = m.account_id and u.id = m.user_id
    order by m.id desc
    limit ${page.size + 1} offset ${page.offset}`);

export const countThread = async (db: Queryable, key: Key & { account_id: string }): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from (${threadIds(key)}) messages limit ${CAP + 1}) capped`)
  ).count;

const inBucket = (bucket: Bucket, user_id: string | null): Sql =>
  bucket === 'none'
    ? sql`c.assignee_id is null`
    : bucket === 'self'
      ? sql`c.assignee_id = ${user_id}::uuid`
      : sql`c.assignee_id is not null and c.assignee_id is distinct from ${user_id}::uuid`;

export const countByBucket = (
  db: Queryable,
  account_id: string,
  user_id: string | null,
  buckets: readonly Bucket[],
): Promise<{ bucket: Bucket; conversations: number; unread: number; total: number }[]> =>
  buckets.length === 0
    ? Promise.resolve([])
    : db.rows(
        join(
          buckets.map((bucket) => {
            const mine = sql`
              c.account_id = ${account_id} and c.delete_date is null and c.status = 'open'
              and ${inBucket(bucket, user_id)}`;
            return sql`
              select ${bucket}::text as bucket, unread.conversations, unread.messages as unread, total.count as total
              from (select count(*) as conversations, coalesce(sum(c.unread_count), 0)::bigint as messages
                    from conversations c where ${mine} and c.unread_count > 0) unread
              cross join (select count(*) from (select 1 from conversations c where ${mine} limit ${CAP}) c) total`;
          }),
          ' union all ',
        ),
      );

/** Includes hidden conversations, because they reappear when the person writes again. */
export const unassign = async (db: Queryable, account_id: string, user_id: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`
      update conversations set assignee_id = null
      where account_id = ${account_id} and id in (
        select id from conversations where account_id = ${account_id} and assignee_id = ${user_id} order by id
        limit ${limit} for update)
      returning id`)
  ).map((row) => row.id);

export const listConversationsById = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<Conversation>(sql`
    ${conversationSelect}
    where c.account_id = ${account_id} and c.id = any(${ids}::uuid[]) and c.delete_date is null`);

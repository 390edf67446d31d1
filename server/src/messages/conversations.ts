/**
 * Conversations follow the messages: one for each (account, sender, number), moved in the transaction that stores the message. Only a person
 * makes one — somebody who wrote to us, or one of us who wrote by hand; campaigns and programs merely move those that exist.
 */
import { type Conversation, conversationCreated, conversationUpdated } from '@parley/contract/inbox.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db.ts';
import { emit } from '../kernel/events.ts';

export interface TouchingMessage {
  account_id: string;
  id: string;
  channel: string;
  sender_id: string;
  number: string;
  direction: 'MT' | 'MO';
  text: string;
  status: string;
  create_date: string | Date;
  source: string;
}

interface Touch {
  account_id: string;
  channel: string;
  sender_id: string;
  number: string;
  /** The latest message. */
  id: string;
  create_date: string | Date;
  unread: number;
  opens: boolean;
}

const opens = (message: TouchingMessage) =>
  message.direction === 'MO' || message.source === 'inbox' || message.source === 'reply';

const keyOf = (message: { account_id: string; sender_id: string; number: string }) =>
  `${message.account_id} ${message.sender_id} ${message.number}`;

/** Which conversation each of the messages belongs to; messages without one are missing. Emits conversation.created or .updated. */
export async function touchConversation(tx: Tx, messages: readonly TouchingMessage[]): Promise<Map<string, string>> {
  const touches = new Map<string, Touch>();
  for (const message of messages) {
    const { account_id, channel, sender_id, number, id, create_date } = message;
    const touch = touches.get(keyOf(message)) ?? {
      account_id,
      channel,
      sender_id,
      number,
      id,
      create_date,
      unread: 0,
      opens: false,
    };
    if (id > touch.id) Object.assign(touch, { id, create_date });
    if (message.direction === 'MO') touch.unread++;
    touch.opens ||= opens(message);
    touches.set(keyOf(message), touch);
  }
  // Always in the same order, so that two batches that share conversations cannot wait for each other.
  const ordered = [...touches].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, touch]) => touch);
  const [opening, following] = [ordered.filter((touch) => touch.opens), ordered.filter((touch) => !touch.opens)];
  const touched = [
    ...(opening.length > 0 ? await openConversations(tx, opening) : []),
    ...(following.length > 0 ? await moveConversations(tx, following) : []),
  ];
  await announce(tx, touched);
  const ids = new Map(touched.map((row) => [keyOf(row), row.id]));
  return new Map(
    messages.flatMap((message) => {
      const id = ids.get(keyOf(message));
      return id === undefined ? [] : [[message.id, id] as const];
    }),
  );
}

interface Touched {
  account_id: string;
  sender_id: string;
  number: string;
  id: string;
  created: boolean;
}

const columns = (touches: readonly Touch[]): Sql => sql`
  unnest(
    ${touches.map((touch) => touch.account_id)}::uuid[], ${touches.map((touch) => touch.channel)}::text[],
    ${touches.map((touch) => touch.sender_id)}::uuid[], ${touches.map((touch) => touch.number)}::text[],
    ${touches.map((touch) => touch.id)}::uuid[], ${touches.map((touch) => touch.create_date)}::timestamptz[],
    ${touches.map((touch) => touch.unread)}::int[], ${touches.map(() => newId())}::uuid[]
  ) as t(account_id, channel, sender_id, number, last_message_id, timestamp, unread, id)`;

// An older message never becomes the last one, whatever order the batches commit in: ids are ordered by time.
const moved: Sql = sql`
  last_message_id = greatest(c.last_message_id, t.last_message_id),
  timestamp = greatest(c.timestamp, t.timestamp)`;

const openConversations = (tx: Tx, touches: readonly Touch[]) =>
  tx.rows<Touched>(sql`
    insert into conversations as c (account_id, id, channel, sender_id, number, unread_count, timestamp, last_message_id)
    select account_id, id, channel, sender_id, number, unread, timestamp, last_message_id from ${columns(touches)}
    on conflict (account_id, sender_id, number) do update set
      last_message_id = greatest(c.last_message_id, excluded.last_message_id),
      timestamp = greatest(c.timestamp, excluded.timestamp),
      unread_count = c.unread_count + excluded.unread_count,
      delete_date = null
    returning account_id, sender_id, number, id, xmax = 0 as created`);

const moveConversations = (tx: Tx, touches: readonly Touch[]) =>
  tx.rows<Touched>(sql`
    update conversations c set ${moved}
    from ${columns(touches)}
    where c.account_id = t.account_id and c.sender_id = t.sender_id and c.number = t.number and c.delete_date is null
    returning c.account_id, c.sender_id, c.number, c.id, false as created`);

async function announce(tx: Tx, touched: readonly Touched[]): Promise<void> {
  if (touched.length === 0) return;
  const created = new Set(touched.filter((row) => row.created).map((row) => row.id));
  const rows = await tx.rows<Conversation>(sql`
    ${conversationSelect}
    where (c.account_id, c.id) in (
      select * from unnest(${touched.map((row) => row.account_id)}::uuid[], ${touched.map((row) => row.id)}::uuid[]))`);
  for (const row of rows) {
    emit(tx, created.has(row.id) ? conversationCreated : conversationUpdated, row.account_id, row);
  }
}

/**
 * The public shape of a conversation; the caller adds `where` (and `c.account_id`), order and limit. The contact's name is looked up audience
 * by audience because that is how contacts are indexed.
 */
export const conversationSelect: Sql = sql`
  select c.id, c.account_id, c.channel, c.sender_id, s.code as sender, s.name as sender_name, c.number,
         coalesce(m.country, '') as country, coalesce(contact.name, '') as contact_name,
         c.assignee_id, nullif(concat_ws(' ', u.first_name, u.last_name), '') as assignee_name,
         c.unread_count, c.last_read_timestamp, c.timestamp,
         case when m.id is not null then
           jsonb_build_object('id', m.id, 'text', m.text, 'direction', m.direction, 'status', m.status)
         end as last_message,
         exists (select 1 from stop_list l
                 where l.account_id = c.account_id and l.number = c.number
                   and (l.sender_id is null or l.sender_id = c.sender_id)) as stopped
  from conversations c
  join senders s on s.account_id = c.account_id and s.id = c.sender_id
  left join users u on u.account_id = c.account_id and u.id = c.assignee_id
  left join messages m on m.account_id = c.account_id and m.id = c.last_message_id
  left join lateral (
    select concat_ws(' ', nullif(k.first_name, ''), nullif(k.last_name, '')) as name
    from audiences a join contacts k on k.account_id = a.account_id and k.audience_id = a.id
    where a.account_id = c.account_id and k.number = c.number and (k.first_name <> '' or k.last_name <> '')
    order by k.update_date desc limit 1
  ) contact on true`;

export const conversationRows = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<Conversation>(sql`
    ${conversationSelect}
    where c.account_id = ${account_id} and c.id = any(${ids}::uuid[])`);

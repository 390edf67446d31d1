/**
 * Conversations follow the messages: one for each (account, sender, number), moved in the transaction that stores the message. Only a person
 * makes one — somebody who wrote to us, or one of us who wrote by hand; campaigns and programs merely move those that exist.
 */
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import type { Content } from '@parley/contract/content.ts';
import { type Conversation, conversationCreated, conversationUpdated } from '@parley/contract/inbox.ts';
import { newId } from '../kernel/clock.ts';
import { join, type Queryable, type Sql, sql, type Tx } from '../kernel/db.ts';
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
  content?: Pick<Content, 'purpose'> | null;
  /** Of the person, where the channel tells them. */
  alias?: string | null;
  profile_name?: string;
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
  /** The person has written: what was sent before counts no more. */
  written: boolean;
  /** Ours within a session, since then. */
  sent: number;
  alias: string | null;
  profile_name: string;
}

const opens = (message: TouchingMessage) =>
  message.direction === 'MO' || message.source === 'inbox' || message.source === 'reply';

const countsInSession = ({ content }: TouchingMessage): boolean =>
  content?.purpose === 'session' || content?.purpose === 'service';

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
      written: false,
      sent: 0,
      alias: null,
      profile_name: '',
    };
    if (id > touch.id) Object.assign(touch, { id, create_date });
    if (message.direction === 'MO') {
      touch.unread++;
      touch.written = true;
      touch.sent = 0;
      touch.alias = message.alias ?? touch.alias;
      touch.profile_name = message.profile_name || touch.profile_name;
    } else if (countsInSession(message)) touch.sent++;
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
    ${touches.map((touch) => touch.unread)}::int[], ${touches.map(() => newId())}::uuid[], ${touches.map((touch) => touch.written)}::boolean[],
    ${touches.map((touch) => touch.sent)}::int[], ${touches.map((touch) => touch.alias)}::text[],
    ${touches.map((touch) => touch.profile_name)}::text[]
  ) as t(account_id, channel, sender_id, number, last_message_id, timestamp, unread, id, written, sent, alias, profile_name)`;

// An older message never becomes the last one, whatever order the batches commit in: ids are ordered by time.
const moved: Sql = sql`
  last_message_id = greatest(c.last_message_id, t.last_message_id),
  timestamp = greatest(c.timestamp, t.timestamp), session_sent = c.session_sent + t.sent`;

/** Of a person's message at `timestamp`: until when we may write freely. Null where anybody may be written to at any time. */
const sessionOf = (channel: Sql, before: Sql): Sql =>
  sql`case ${channel} ${join(
    ALL_CHANNELS.flatMap(({ name, session }) => {
      if (!session) return [];
      const until = sql`t.timestamp + ${session.hours} * interval '1 hour'`;
      const kept = session.renewed
        ? sql`greatest(${before}, ${until})`
        : sql`case when ${before} > t.timestamp then ${before} else ${until} end`;
      return [sql`when ${name} then ${kept}`];
    }),
    ' ',
  )} end`;

// A name somebody else has here already is not given to a second one.
const openConversations = (tx: Tx, touches: readonly Touch[]) =>
  tx.rows<Touched>(sql`
    with t as materialized (select * from ${columns(touches)})
    insert into conversations as c (account_id, id, channel, sender_id, number, unread_count, timestamp, last_message_id, session_until,
                                    session_sent, alias, profile_name)
    select t.account_id, t.id, t.channel, t.sender_id, t.number, t.unread, t.timestamp, t.last_message_id,
           case when t.written then ${sessionOf(sql`t.channel`, sql`k.session_until`)} end, t.sent,
           case when not exists (
             select from conversations o
             where o.account_id = t.account_id and o.sender_id = t.sender_id and o.alias = t.alias and o.number <> t.number) then t.alias end,
           t.profile_name
    from t left join conversations k on k.account_id = t.account_id and k.sender_id = t.sender_id and k.number = t.number
    on conflict (account_id, sender_id, number) do update set
      last_message_id = greatest(c.last_message_id, excluded.last_message_id),
      timestamp = greatest(c.timestamp, excluded.timestamp),
      unread_count = c.unread_count + excluded.unread_count,
      session_until = greatest(c.session_until, excluded.session_until),
      session_sent = case when excluded.session_until is null then c.session_sent else 0 end + excluded.session_sent,
      alias = coalesce(c.alias, excluded.alias),
      profile_name = coalesce(nullif(excluded.profile_name, ''), c.profile_name),
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

const WITH_SESSIONS = ALL_CHANNELS.flatMap(({ name, session }) =>
  session ? [{ name, in_a_row: session.in_a_row }] : [],
);

/** Of `conversations c` and `senders s`. */
const session: Sql = sql`
  case when c.channel = any(${WITH_SESSIONS.map(({ name }) => name)}::text[]) then
    jsonb_build_object(
      'open', coalesce(c.session_until > now(), false) and not limited.reached,
      'until', to_char(c.session_until, 'YYYY-MM-DD HH24:MI:SS'), 'limit_reached', limited.reached)
  end`;

/** So many in a row as agreed with the carrier, else as usual. */
const limited: Sql = sql`
  select coalesce(c.session_until > now() and c.session_sent >= coalesce(
    (select (k.settings->>'in_a_row')::int from connections k where k.id = s.connection_id),
    case c.channel ${join(
      WITH_SESSIONS.map(({ name, in_a_row }) => sql`when ${name} then ${in_a_row}::int`),
      ' ',
    )} end), false) as reached`;

/**
 * The public shape of a conversation; the caller adds `where` (and `c.account_id`), order and limit. The contact's name is looked up audience
 * by audience because that is how contacts are indexed.
 */
export const conversationSelect: Sql = sql`
  select c.id, c.account_id, c.channel, c.sender_id, s.code as sender, s.name as sender_name, c.number,
         coalesce(m.country, '') as country, coalesce(contact.name, '') as contact_name, c.profile_name, c.alias,
         ${session} as session,
         c.assignee_id, nullif(concat_ws(' ', u.first_name, u.last_name), '') as assignee_name,
         c.unread_count, c.last_read_timestamp, c.timestamp,
         case when m.id is not null then
           jsonb_build_object('id', m.id, 'text', m.text, 'type', m.type, 'direction', m.direction, 'status', m.status)
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
  ) contact on true
  cross join lateral (${limited}) limited`;

export const conversationRows = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<Conversation>(sql`
    ${conversationSelect}
    where c.account_id = ${account_id} and c.id = any(${ids}::uuid[])`);

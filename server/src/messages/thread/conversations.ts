/**
 * Keeps one conversation per account, sender, and number up to date, in the transaction that stores the message. Only
 * an inbound message or a message written by a user creates a conversation. Campaigns and API calls only update
 * existing ones.
 */
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import { type Conversation, conversationCreated, conversationUpdated } from '@parley/contract/inbox/inbox.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import { newId } from '../../kernel/clock.ts';
import { join, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { LATE_MS } from '../model/reported_time.ts';
import { selectConversations } from './conversation_select.ts';
import { recordReplies, withdrawReply } from './episodes.ts';
import { startRules } from './rules_start.ts';
import { writeTexts } from './search_texts.ts';
import { type Pair, threadIds } from './thread_select.ts';

interface ThreadMessage {
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
  /** The user who wrote the message, and when it is sent. */
  user_id?: string | null;
  schedule?: string | null;
  /** The person's alias and profile name, if the channel reports them. */
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
  /** True if the person has written, which resets the session counters. */
  inbound: boolean;
  /** The time of the first inbound message that none of our messages answers. */
  waiting_since: string | Date | null;
  /** The number of our messages in the session since then. */
  sent: number;
  alias: string | null;
  profile_name: string;
}

const opens = (message: ThreadMessage) =>
  message.direction === 'MO' || message.source === 'inbox' || message.source === 'reply';

/** True if a user wrote the message in the inbox or in the app on the business phone. */
const isWritten = ({ direction, source }: ThreadMessage): boolean => direction === 'MT' && source === 'inbox';

const countsInSession = ({ content }: ThreadMessage): boolean =>
  content?.purpose === 'session' || content?.purpose === 'service';

const pairKey = (message: { account_id: string; sender_id: string; number: string }) =>
  `${message.account_id} ${message.sender_id} ${message.number}`;

/**
 * Returns the conversation of each message; messages without a conversation are missing. Emits conversation.created or
 * conversation.updated.
 */
export async function touchConversations(tx: Tx, messages: readonly ThreadMessage[]): Promise<Map<string, string>> {
  const touches = new Map<string, Touch>();
  for (const message of messages) {
    const { account_id, channel, sender_id, number, id, create_date } = message;
    const touch = touches.get(pairKey(message)) ?? {
      account_id,
      channel,
      sender_id,
      number,
      id,
      create_date,
      unread: 0,
      opens: false,
      inbound: false,
      waiting_since: null,
      sent: 0,
      alias: null,
      profile_name: '',
    };
    if (id > touch.id) Object.assign(touch, { id, create_date });
    if (message.direction === 'MO') {
      touch.unread++;
      touch.inbound = true;
      touch.waiting_since ??= create_date;
      touch.sent = 0;
      touch.alias = message.alias ?? touch.alias;
      touch.profile_name = message.profile_name || touch.profile_name;
    } else if (countsInSession(message)) touch.sent++;
    if (message.direction === 'MT' && opens(message)) touch.waiting_since = null;
    touch.opens ||= opens(message);
    touches.set(pairKey(message), touch);
  }
  // A fixed order prevents deadlocks between batches that share conversations.
  const ordered = [...touches].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, touch]) => touch);
  const [opening, following] = [ordered.filter((touch) => touch.opens), ordered.filter((touch) => !touch.opens)];
  const touched = [
    ...(opening.length > 0 ? await upsertConversations(tx, opening) : []),
    ...(following.length > 0 ? await updateConversations(tx, following) : []),
  ];
  await startRules(
    tx,
    touched.filter((row) => row.opened_message_id === touches.get(pairKey(row))?.id),
  );
  const ids = new Map(touched.map((row) => [pairKey(row), row.id]));
  await recordReplies(
    tx,
    messages.filter(isWritten).flatMap((message) => {
      const conversation_id = ids.get(pairKey(message));
      if (conversation_id === undefined) return [];
      const { account_id, id, user_id = null, schedule, create_date } = message;
      return [{ account_id, conversation_id, message_id: id, user_id, date: schedule ?? create_date }];
    }),
  );
  // After the replies, which stop clocks.
  await announce(tx, touched);
  await writeTexts(
    tx,
    'message',
    messages.filter((message) => ids.has(pairKey(message))),
  );
  return new Map(
    messages.flatMap((message) => {
      const id = ids.get(pairKey(message));
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
  /** The last message of the contact that created the conversation, or opened it after it was closed. */
  opened_message_id?: string | null;
}

const touchRows = (touches: readonly Touch[]): Sql => sql`
  unnest(
    ${touches.map((touch) => touch.account_id)}::uuid[], ${touches.map((touch) => touch.channel)}::text[],
    ${touches.map((touch) => touch.sender_id)}::uuid[], ${touches.map((touch) => touch.number)}::text[],
    ${touches.map((touch) => touch.id)}::uuid[], ${touches.map((touch) => touch.create_date)}::timestamptz[],
    ${touches.map((touch) => touch.unread)}::int[], ${touches.map(() => newId())}::uuid[],
    ${touches.map((touch) => touch.inbound)}::boolean[], ${touches.map((touch) => touch.sent)}::int[],
    ${touches.map((touch) => touch.alias)}::text[], ${touches.map((touch) => touch.profile_name)}::text[],
    ${touches.map((touch) => touch.waiting_since)}::timestamptz[]
  ) as t(account_id, channel, sender_id, number, last_message_id, timestamp, unread, id, inbound, sent, alias,
  profile_name, waiting_since)`;

/**
 * Ids are ordered by time, so an older message never becomes the last one, no matter in which order the transactions
 * commit.
 */
const movedColumns: Sql = sql`
  last_message_id = greatest(c.last_message_id, t.last_message_id),
  timestamp = greatest(c.timestamp, t.timestamp), session_sent = c.session_sent + t.sent,
  session_sent_all = c.session_sent_all + t.sent`;

/**
 * Returns the end of the session opened by an inbound message at `timestamp`, or null for channels without sessions.
 */
const sessionEnd = (channel: Sql, before: Sql): Sql =>
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

const OPENS_AGAIN: Sql = sql`excluded.waiting_since is not null or c.delete_date is not null`;

/** If another conversation of the sender already has the alias, the alias is not stored twice. */
const upsertConversations = (tx: Tx, touches: readonly Touch[]) =>
  tx.rows<Touched>(sql`
    with t as materialized (select * from ${touchRows(touches)})
    insert into conversations as c (account_id, id, channel, sender_id, number, unread_count, timestamp,
                                    last_message_id, session_until, session_sent, session_sent_all, alias, profile_name,
                                    waiting_since, opened_message_id)
    select t.account_id, t.id, t.channel, t.sender_id, t.number, t.unread, t.timestamp, t.last_message_id,
           case when t.inbound then ${sessionEnd(sql`t.channel`, sql`k.session_until`)} end, t.sent, t.sent,
           case when not exists (
             select from conversations o
             where o.account_id = t.account_id and o.sender_id = t.sender_id and o.alias = t.alias
               and o.number <> t.number) then t.alias end,
           t.profile_name, t.waiting_since, case when t.inbound then t.last_message_id end
    from t left join conversations k on k.account_id = t.account_id and k.sender_id = t.sender_id
      and k.number = t.number
    on conflict (account_id, sender_id, number) do update set
      last_message_id = greatest(c.last_message_id, excluded.last_message_id),
      timestamp = greatest(c.timestamp, excluded.timestamp),
      unread_count = c.unread_count + excluded.unread_count,
      session_until = greatest(c.session_until, excluded.session_until),
      -- A message that was written earlier and arrives late answers none of ours.
      session_sent = excluded.session_sent + case
        when excluded.session_until is null or excluded.timestamp < c.timestamp - ${LATE_MS} * interval '1 millisecond'
          then c.session_sent else 0 end,
      session_sent_all = excluded.session_sent_all + case
        when excluded.session_until > coalesce(c.session_until, '-infinity') then 0 else c.session_sent_all end,
      alias = coalesce(c.alias, excluded.alias),
      profile_name = coalesce(nullif(excluded.profile_name, ''), c.profile_name),
      -- An inbound message opens the conversation, and any other message here is a reply to it.
      waiting_since = case when excluded.waiting_since is not null
        then coalesce(c.waiting_since, excluded.waiting_since) end,
      status = case when ${OPENS_AGAIN} then 'open' else c.status end,
      snooze_until = case when ${OPENS_AGAIN} then null else c.snooze_until end,
      -- The message may answer a campaign.
      texts_due = c.texts_due or excluded.waiting_since is not null,
      delete_date = null,
      opened_message_id = case when excluded.opened_message_id is not null
          and (c.status = 'closed' or c.delete_date is not null or c.opened_message_id is null and c.unread_count = 0
               and c.waiting_since is null and c.assignee_id is null)
        then excluded.opened_message_id else c.opened_message_id end
    returning account_id, sender_id, number, id, xmax = 0 as created, opened_message_id`);

const updateConversations = (tx: Tx, touches: readonly Touch[]) =>
  tx.rows<Touched>(sql`
    update conversations c set ${movedColumns}
    from ${touchRows(touches)}
    where c.account_id = t.account_id and c.sender_id = t.sender_id and c.number = t.number and c.delete_date is null
    returning c.account_id, c.sender_id, c.number, c.id, false as created`);

/**
 * Ends the sessions in which the carrier refused these messages, unless the person has written since. Call it before
 * any balance changes, because writers lock conversations first.
 */
export async function closeSessions(
  tx: Tx,
  messages: readonly { account_id: string; message_id: string }[],
): Promise<void> {
  if (messages.length === 0) return;
  const ended = await tx.rows<Touched>(sql`
    with over as (
      select c.account_id, c.id
      from unnest(${messages.map((message) => message.account_id)}::uuid[],
        ${messages.map((message) => message.message_id)}::uuid[])
        as t(account_id, id)
      join messages m on m.account_id = t.account_id and m.id = t.id
      join conversations c on c.account_id = m.account_id and c.sender_id = m.sender_id and c.number = m.number
      where c.session_until > ${tx.now}
        and c.session_until <= m.create_date + ${LONGEST_SESSION_HOURS} * interval '1 hour'
      order by c.id for update of c
    )
    update conversations c set session_until = ${tx.now} from over
    where c.account_id = over.account_id and c.id = over.id
    returning c.account_id, c.sender_id, c.number, c.id, false as created`);
  await announce(tx, ended);
}

/**
 * Removes a message from the conversation of an earlier fallback step. If that step was never sent, the conversation
 * looks as if the message had never been part of it.
 */
export async function leaveConversation(tx: Tx, pair: Pair, message_id: string): Promise<void> {
  const left = await tx.rows<Touched>(sql`
    update conversations c set
      last_message_id = case when latest.here then c.last_message_id else latest.id end,
      timestamp = case when latest.here then c.timestamp else coalesce(latest.create_date, c.create_date) end,
      waiting_since = case when latest.here then c.waiting_since else (
        select min(m.create_date) from messages m
        where m.account_id = c.account_id and m.sender_id = c.sender_id and m.number = c.number
          and m.direction = 'MO' and m.id > coalesce((
            select o.id from messages o
            where o.account_id = c.account_id and o.sender_id = c.sender_id and o.number = c.number
              and o.direction = 'MT' order by o.id desc limit 1), '00000000-0000-0000-0000-000000000000'))
        end
    from (
      select coalesce(bool_or(t.id = ${message_id}), false) as here, (array_agg(t.id order by t.id desc))[1] as id,
             (array_agg(t.create_date order by t.id desc))[1] as create_date
      from (${threadIds(pair)} order by id desc limit 1) t
    ) latest
    where c.account_id = ${pair.account_id} and c.sender_id = ${pair.sender_id} and c.number = ${pair.number}
      and c.last_message_id = ${message_id}
    returning c.account_id, c.sender_id, c.number, c.id, false as created`);
  await announce(tx, left);
}

export const lockPair = (tx: Tx, { account_id, sender_id, number }: Pair): Promise<number> =>
  tx.run(sql`
    select from conversations
    where account_id = ${account_id} and sender_id = ${sender_id} and number = ${number} for update`);

/** The last message before the canceled ones. Reads few rows more than there are canceled messages at the end. */
const lastKept: Sql = sql`
  select m.id, m.create_date from messages m
  where m.account_id = t.account_id and m.sender_id = t.sender_id and m.number = t.number and m.status <> 'canceled'
  order by m.id desc limit 1`;

/**
 * Shows the conversation as if a message had never been written: it was canceled before it was sent. The contact waits
 * again for a reply if no other message has answered.
 */
export async function withdrawMessage(tx: Tx, pair: Pair, message_id: string): Promise<void> {
  const left = await tx.rows<Touched>(sql`
    update conversations c set
      last_message_id = kept.id, timestamp = kept.create_date,
      waiting_since = case when c.status = 'closed' then null else (
        select min(m.create_date) from messages m
        where m.account_id = c.account_id and m.sender_id = c.sender_id and m.number = c.number
          and m.direction = 'MO' and m.id > coalesce((
            select o.id from messages o
            where o.account_id = c.account_id and o.sender_id = c.sender_id and o.number = c.number
              and o.direction = 'MT' and o.status <> 'canceled' order by o.id desc limit 1),
            '00000000-0000-0000-0000-000000000000')) end
    from conversations t cross join lateral (${lastKept}) kept
    where c.account_id = ${pair.account_id} and c.sender_id = ${pair.sender_id} and c.number = ${pair.number}
      and t.account_id = c.account_id and t.id = c.id and c.last_message_id = ${message_id}
    returning c.account_id, c.sender_id, c.number, c.id, false as created`);
  await withdrawReply(tx, pair, message_id);
  await announce(tx, left);
}

/** Publishes an event for the conversation whose last message has changed. */
export async function announceLast(tx: Tx, pair: Pair, message_id: string): Promise<void> {
  await announce(
    tx,
    await tx.rows<Touched>(sql`
      select c.account_id, c.sender_id, c.number, c.id, false as created from conversations c
      where c.account_id = ${pair.account_id} and c.sender_id = ${pair.sender_id} and c.number = ${pair.number}
        and c.last_message_id = ${message_id} and c.delete_date is null`),
  );
}

/** Publishes an event for one conversation that has changed. */
export const announceConversation = (tx: Tx, row: Omit<Touched, 'created'>): Promise<void> =>
  announce(tx, [{ ...row, created: false }]);

const LONGEST_SESSION_HOURS = Math.max(...ALL_CHANNELS.map(({ session }) => session?.hours ?? 0));

async function announce(tx: Tx, touched: readonly Touched[]): Promise<void> {
  if (touched.length === 0) return;
  const created = new Set(touched.filter((row) => row.created).map((row) => row.id));
  // Starts from the few conversations of the batch. If the tables are joined in the order in which they are written, a
  // condition on their ids would be checked last, after all conversations of all accounts have been read.
  const rows = await tx.rows<Conversation>(
    selectConversations(sql`
      unnest(${touched.map((row) => row.account_id)}::uuid[], ${touched.map((row) => row.id)}::uuid[])
        as touched(account_id, id)
      join conversations c on c.account_id = touched.account_id and c.id = touched.id`),
  );
  for (const row of rows) {
    emit(tx, created.has(row.id) ? conversationCreated : conversationUpdated, row.account_id, row);
  }
}

/**
 * The first reply of a user in each episode of a conversation (`conversation_episodes`). A trigger keeps everything
 * else about episodes. Replies are stored in the transaction that stores the message.
 */
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Pair } from './thread_select.ts';

interface Reply {
  account_id: string;
  conversation_id: string;
  message_id: string;
  user_id: string | null;
  /** When the message is sent. */
  date: string | Date;
}

/** Replies of rules and keywords do not count, and neither do later replies. */
export async function recordReplies(tx: Tx, replies: readonly Reply[]): Promise<void> {
  if (replies.length === 0) return;
  await tx.run(sql`
    update conversation_episodes e
    set reply_date = greatest(r.date, e.waiting_date), reply_user_id = r.user_id, reply_message_id = r.message_id
    from unnest(${replies.map((reply) => reply.account_id)}::uuid[],
                ${replies.map((reply) => reply.conversation_id)}::uuid[],
                ${replies.map((reply) => reply.message_id)}::uuid[], ${replies.map((reply) => reply.user_id)}::uuid[],
                ${replies.map((reply) => reply.date)}::timestamptz[])
      as r(account_id, conversation_id, message_id, user_id, date)
    where e.account_id = r.account_id and e.conversation_id = r.conversation_id and e.close_date is null
      and e.waiting_date is not null and e.reply_date is null`);
}

/** The time of a scheduled reply changed. */
export const moveReply = (tx: Tx, pair: Pair, message_id: string, date: Date) =>
  tx.run(sql`
    update conversation_episodes e set reply_date = greatest(${date}::timestamptz, e.waiting_date)
    from conversations c
    where c.account_id = ${pair.account_id} and c.sender_id = ${pair.sender_id} and c.number = ${pair.number}
      and e.account_id = c.account_id and e.conversation_id = c.id and e.reply_message_id = ${message_id}`);

/** A canceled message is no reply: the next message of a user is, if there is one. */
export const withdrawReply = (tx: Tx, pair: Pair, message_id: string) =>
  tx.run(sql`
    update conversation_episodes e
    set reply_date = n.date, reply_user_id = n.user_id, reply_message_id = n.id
    from conversations c
    left join lateral (
      select m.id, m.user_id, greatest(m.create_date, m.schedule) as date from messages m
      where m.account_id = c.account_id and m.number = c.number and m.sender_id = c.sender_id and m.id > ${message_id}
        and m.direction = 'MT' and m.source in ('inbox', 'phone_app') and m.status <> 'canceled'
      order by m.id limit 1) n on true
    where c.account_id = ${pair.account_id} and c.sender_id = ${pair.sender_id} and c.number = ${pair.number}
      and e.account_id = c.account_id and e.conversation_id = c.id and e.reply_message_id = ${message_id}`);

/**
 * Shows users who else has a conversation open and who types in it, so that they do not answer twice. It locks nothing.
 * A page reports when its user arrives, begins or stops typing, and leaves, and a few times a minute in between, never
 * with each key. Events reach the pages of all server processes.
 */
import type { ConversationEntry } from '@parley/contract/inbox/entries.ts';
import {
  PRESENCE_SECONDS,
  type PresenceState,
  type PresentUser,
  presenceChanged,
} from '@parley/contract/inbox/presence.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Db, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { addEntry } from '../entries.ts';
import { getConversation, lockVisible } from '../inbox.ts';

const NAME: Sql = sql`coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email)`;
const fresh = (tx: Tx): Sql => sql`seen_date > ${tx.now}::timestamptz - ${PRESENCE_SECONDS} * interval '1 second'`;

/** Emits an event if the state has changed. */
export async function reportPresence(
  tx: Tx,
  actor: Actor,
  conversation_id: string,
  state: PresenceState,
): Promise<{ others: PresentUser[] }> {
  const { account_id } = actor;
  const user_id = actor.user_id!;
  const { assignee_id } = await getConversation(tx, actor, conversation_id);
  const key = sql`account_id = ${account_id} and conversation_id = ${conversation_id} and user_id = ${user_id}`;
  const before = await tx.maybeOne<{ is_typing: boolean; is_fresh: boolean }>(sql`
    select is_typing, ${fresh(tx)} as is_fresh from conversation_presence where ${key} for update`);
  const earlier = !before?.is_fresh ? 'away' : before.is_typing ? 'typing' : 'viewing';
  if (state === 'away') await tx.run(sql`delete from conversation_presence where ${key}`);
  else
    await tx.run(sql`
      insert into conversation_presence (account_id, conversation_id, user_id, is_typing, start_date, seen_date)
      values (${account_id}, ${conversation_id}, ${user_id}, ${state === 'typing'}, ${tx.now}, ${tx.now})
      on conflict (account_id, conversation_id, user_id)
      do update set is_typing = excluded.is_typing, seen_date = excluded.seen_date`);
  if (state !== earlier) {
    const { full_name } = await tx.one<{ full_name: string }>(sql`
      select ${NAME} as full_name from users u where u.account_id = ${account_id} and u.id = ${user_id}`);
    emit(tx, presenceChanged, account_id, { id: conversation_id, assignee_id, user_id, full_name, state });
  }
  return {
    others: await tx.rows<PresentUser>(sql`
      select p.user_id, ${NAME} as full_name, case when p.is_typing then 'typing' else 'viewing' end as state
      from conversation_presence p join users u on u.account_id = p.account_id and u.id = p.user_id
      where p.account_id = ${account_id} and p.conversation_id = ${conversation_id} and p.user_id <> ${user_id}
        and ${fresh(tx)}
      order by p.start_date, p.user_id limit 20`),
  };
}

/** Removes the rows of pages that were closed without a report. */
export const prunePresence = (db: Db) =>
  db.run(sql`
    delete from conversation_presence where seen_date < now() - ${2 * PRESENCE_SECONDS} * interval '1 second'`);

/** Records who had already replied, in the thread. */
export async function logCollision(
  tx: Tx,
  actor: Actor,
  conversation_id: string,
  message_id: string,
): Promise<ConversationEntry> {
  const { account_id, user_id } = actor;
  const conversation = await lockVisible(tx, actor, conversation_id);
  const answered = await tx.maybeOne<{ id: string; full_name: string }>(sql`
    select u.id, ${NAME} as full_name
    from messages m join users u on u.account_id = m.account_id and u.id = m.user_id
    where m.account_id = ${account_id} and m.id = ${message_id} and m.direction = 'MT' and m.source = 'inbox'
      and m.sender_id = ${conversation.sender_id} and m.number = ${conversation.number}
      and m.user_id is distinct from ${user_id}`);
  if (!answered) throw new Problem('REPLY_NOT_FOUND');
  return addEntry(tx, account_id, conversation, { kind: 'collision', user_id, detail: { answered } });
}

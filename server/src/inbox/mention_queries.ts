import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP } from '../kernel/db/list.ts';

/** The mentions that a list of conversations is searched for, newest first. */
const RECENT_MENTIONS = 1_000;

/** The IDs of the conversations that mention the user. */
export const mentionedIn = ({ account_id, user_id }: { account_id: string; user_id: string | null }): Sql => sql`
  select t.conversation_id from conversation_mentions t
  where t.account_id = ${account_id} and t.user_id = ${user_id}
  order by t.entry_id desc limit ${RECENT_MENTIONS}`;

export const insertMentions = (
  tx: Tx,
  account_id: string,
  note: { id: string; conversation_id: string },
  user_ids: readonly string[],
) =>
  tx.run(sql`
    insert into conversation_mentions (account_id, user_id, entry_id, conversation_id)
    select ${account_id}, t.id, ${note.id}, ${note.conversation_id} from unnest(${user_ids}::uuid[]) as t(id)`);

export const deleteMentions = (tx: Tx, account_id: string, entry_id: string, user_ids: readonly string[]) =>
  tx.run(sql`
    delete from conversation_mentions
    where account_id = ${account_id} and user_id = any(${user_ids}::uuid[]) and entry_id = ${entry_id}`);

/** Deletes the mentions of a user who left. */
export const deleteAllMentions = (tx: Tx, account_id: string, user_id: string) =>
  tx.run(sql`delete from conversation_mentions where account_id = ${account_id} and user_id = ${user_id}`);

export const markMentionsSeen = (tx: Tx, account_id: string, user_id: string, conversation_id: string) =>
  tx.run(sql`
    update conversation_mentions set seen_date = ${tx.now}
    where account_id = ${account_id} and user_id = ${user_id} and conversation_id = ${conversation_id}
      and seen_date is null`);

/** Counts conversations, not mentions. */
export const countUnseen = async (
  db: Queryable,
  scope: { account_id: string; user_id: string; buckets: readonly Bucket[] },
  bucket: Sql,
): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select distinct t.conversation_id from conversation_mentions t
        where t.account_id = ${scope.account_id} and t.user_id = ${scope.user_id} and t.seen_date is null
        limit ${CAP + 1}) unseen
      join conversations c on c.account_id = ${scope.account_id} and c.id = unseen.conversation_id
      where c.delete_date is null and ${bucket} = any(${scope.buckets}::text[])`)
  ).count;

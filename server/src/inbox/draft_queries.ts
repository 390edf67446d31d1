import {
  type ConversationDraft,
  DRAFT_EXCERPT,
  DRAFTS_LISTED,
  type ListedDraft,
} from '@parley/contract/inbox/drafts.ts';
import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';

export interface DraftKey {
  account_id: string;
  user_id: string;
  conversation_id: string;
}

const ofKey = ({ account_id, user_id, conversation_id }: DraftKey): Sql => sql`
  account_id = ${account_id} and user_id = ${user_id} and conversation_id = ${conversation_id}`;

export const draft = (db: Queryable, key: DraftKey) =>
  db.maybeOne<ConversationDraft>(sql`select reply, note from conversation_drafts where ${ofKey(key)}`);

/** Serializes the changes of a draft, so that a reply and a note saved at the same time are both kept. */
export const lockDraft = (tx: Tx, { account_id, user_id, conversation_id }: DraftKey) =>
  tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${`${account_id} ${user_id} ${conversation_id} draft`}, 7304))`);

export const putDraft = (tx: Tx, key: DraftKey, { reply, note }: ConversationDraft) =>
  tx.run(sql`
    insert into conversation_drafts (account_id, user_id, conversation_id, reply, note, update_date)
    values (${key.account_id}, ${key.user_id}, ${key.conversation_id}, ${reply}, ${note}, ${tx.now})
    on conflict (account_id, user_id, conversation_id) do update
      set reply = excluded.reply, note = excluded.note, update_date = excluded.update_date`);

export const deleteDraft = (tx: Tx, key: DraftKey) => tx.run(sql`delete from conversation_drafts where ${ofKey(key)}`);

/** Deletes the drafts of a user who left. */
export const deleteAllDrafts = (tx: Tx, account_id: string, user_id: string) =>
  tx.run(sql`delete from conversation_drafts where account_id = ${account_id} and user_id = ${user_id}`);

/** `bucket` is the bucket of a conversation `c` for the user. */
export const listDraftRows = (
  db: Queryable,
  { account_id, user_id, buckets }: { account_id: string; user_id: string; buckets: readonly Bucket[] },
  bucket: Sql,
) =>
  db.rows<ListedDraft>(sql`
    select d.conversation_id, case when d.reply <> '' then 'reply' else 'note' end as kind,
           left(case when d.reply <> '' then d.reply else d.note end, ${DRAFT_EXCERPT}) as text
    from conversation_drafts d join conversations c on c.account_id = d.account_id and c.id = d.conversation_id
    where d.account_id = ${account_id} and d.user_id = ${user_id} and c.delete_date is null
      and ${bucket} = any(${buckets}::text[])
    order by d.update_date desc limit ${DRAFTS_LISTED}`);

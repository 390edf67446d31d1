/** Mentions of users in notes: who has not read theirs yet. */
import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import { mentionsChanged } from '@parley/contract/inbox/notes.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './mention_queries.ts';
import { bucketCase } from './queries.ts';

/** Records that the caller has read the mentions in a conversation. */
export async function seeMentions(tx: Tx, { account_id, user_id }: Actor, conversation_id: string): Promise<void> {
  if (user_id === null || (await queries.markMentionsSeen(tx, account_id, user_id, conversation_id)) === 0) return;
  emit(tx, mentionsChanged, account_id, { user_ids: [user_id] });
}

/** The number of conversations, in the given buckets, with unread mentions of the caller. */
export async function countUnseenMentions(
  db: Queryable,
  { account_id, user_id }: Actor,
  buckets: readonly Bucket[],
): Promise<number> {
  if (user_id === null || buckets.length === 0) return 0;
  return queries.countUnseen(db, { account_id, user_id, buckets }, bucketCase(user_id));
}

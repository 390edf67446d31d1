/** Drafts of users in conversations. A user reads only their own, and only while they can view the conversation. */
import { type ConversationDraft, draftChanged, type ListedDraft } from '@parley/contract/inbox/drafts.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './draft_queries.ts';
import { getConversation, visibleBuckets } from './inbox.ts';
import { bucketCase } from './queries.ts';

const NONE: ConversationDraft = { reply: '', note: '' };

export async function listDrafts(db: Queryable, actor: Actor): Promise<ListedDraft[]> {
  const { account_id, user_id } = actor;
  const buckets = visibleBuckets(actor);
  if (user_id === null || buckets.length === 0) return [];
  return queries.listDraftRows(db, { account_id, user_id, buckets }, bucketCase(user_id));
}

export async function getDraft(db: Queryable, actor: Actor, id: string): Promise<ConversationDraft> {
  return (await queries.draft(db, await requireKey(db, actor, id))) ?? NONE;
}

/** Blank texts count as empty. */
export async function saveDraft(
  tx: Tx,
  actor: Actor,
  id: string,
  change: { [K in keyof ConversationDraft]?: string | undefined },
): Promise<ConversationDraft> {
  const key = await requireKey(tx, actor, id);
  await queries.lockDraft(tx, key);
  const before = (await queries.draft(tx, key)) ?? NONE;
  const draft = { reply: keep(change.reply ?? before.reply), note: keep(change.note ?? before.note) };
  if (draft.reply === before.reply && draft.note === before.note) return draft;
  if (draft.reply === '' && draft.note === '') await queries.deleteDraft(tx, key);
  else await queries.putDraft(tx, key, draft);
  emit(tx, draftChanged, actor.account_id, { conversation_id: id, user_id: key.user_id });
  return draft;
}

const keep = (text: string): string => (text.trim() === '' ? '' : text);

async function requireKey(db: Queryable, actor: Actor, id: string): Promise<queries.DraftKey> {
  const { account_id, user_id } = actor;
  if (user_id === null) throw new Problem('PERMISSION_REQUIRED');
  await getConversation(db, actor, id);
  return { account_id, user_id, conversation_id: id };
}

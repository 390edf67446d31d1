/**
 * Reads and clears conversations. A conversation's bucket (own, unassigned, or others') determines who may see it.
 * Every query and every live event applies the same contract function. Replies go through the gate of the messages
 * module.
 */

import { channelRules } from '@parley/contract/channels/index.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import {
  type Badges,
  BUCKETS,
  type Bucket,
  type Conversation,
  type ConversationMessage,
  canViewBucket,
  conversationBucket,
  conversationDeleted,
  conversationUpdated,
} from '@parley/contract/inbox/inbox.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { markReadSoon } from '../messages/messages.ts';
import * as queries from './queries.ts';

interface ConversationFilter {
  search?: string | undefined;
  channels?: string[] | undefined;
  sender_id?: string | undefined;
  bucket?: Bucket | undefined;
  unread?: boolean | undefined;
}

const visibleBuckets = (actor: Actor): Bucket[] =>
  BUCKETS.filter((bucket) => canViewBucket(bucket, { user_id: actor.user_id, permissions: actor.permissions }));

export async function listConversations(
  db: Queryable,
  actor: Actor,
  query: { filter?: ConversationFilter; page?: number; page_size?: number; page_token?: string },
): Promise<Paged<Conversation>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const visible = visibleBuckets(actor);
  const buckets = filter.bucket ? visible.filter((bucket) => bucket === filter.bucket) : visible;
  const scope = { account_id: actor.account_id, user_id: actor.user_id, buckets, ...filter };
  const rows = await queries.conversations(db, scope, page);
  // The last page shows how many there are.
  const isLast = rows.length <= page.size && (rows.length > 0 || page.offset === 0);
  return paged(page, rows, isLast ? page.offset + rows.length : await queries.countConversations(db, scope));
}

export async function getConversation(db: Queryable, actor: Actor, id: string): Promise<Conversation> {
  const conversation = await queries.conversation(db, actor.account_id, id);
  if (!conversation) throw new Problem('CONVERSATION_NOT_FOUND');
  requireVisible(actor, conversation);
  return conversation;
}

/** Throws CONVERSATION_NOT_FOUND, even if the conversation exists but the user may not see it. */
function requireVisible(actor: Actor, conversation: { assignee_id: string | null }): void {
  if (!visibleBuckets(actor).includes(conversationBucket(conversation.assignee_id, actor.user_id)))
    throw new Problem('CONVERSATION_NOT_FOUND');
}

/** Moves the read pointer forward and recounts the unread messages. A future time counts as now. */
export async function readConversation(tx: Tx, actor: Actor, id: string, until: string): Promise<Conversation> {
  const row = await queries.lockConversation(tx, actor.account_id, id);
  if (!row) throw new Problem('CONVERSATION_NOT_FOUND');
  requireVisible(actor, row);
  const moved = await queries.moveReadPointer(tx, actor.account_id, id, until);
  const conversation = (await queries.conversation(tx, actor.account_id, id))!;
  if (moved) {
    emit(tx, conversationUpdated, actor.account_id, conversation);
    await markReadSoon(tx, conversation.channel, { account_id: actor.account_id, conversation_id: id });
  }
  return conversation;
}

export async function removeConversation(tx: Tx, actor: Actor, id: string): Promise<void> {
  const row = await queries.lockConversation(tx, actor.account_id, id);
  if (!row) throw new Problem('CONVERSATION_NOT_FOUND');
  requireVisible(actor, row);
  await queries.hideConversation(tx, actor.account_id, id);
  emit(tx, conversationDeleted, actor.account_id, { id, assignee_id: row.assignee_id, user_id: actor.user_id });
}

export async function listMessages(
  tx: Tx,
  actor: Actor,
  id: string,
  query: { page?: number; page_size?: number; page_token?: string },
): Promise<Paged<ConversationMessage>> {
  const conversation = await getConversation(tx, actor, id);
  const page = readPage(query);
  const rows = await queries.thread(tx, conversation, page);
  const total = await queries.countThread(tx, conversation);
  const { channel, session } = conversation;
  const until = session?.until ? parseTimestamp(session.until) : null;
  const beside = {
    is_active_conversation: session === null || (until !== null && until > tx.now),
    is_viber_limit_active:
      channelRules(channel).session?.outside === 'promotional' && session !== null && session.limit_reached,
  };
  return { ...paged(page, rows, total, (message) => message.id), beside };
}

export async function getBadges(db: Queryable, actor: Actor): Promise<Badges> {
  const visible = visibleBuckets(actor);
  const rows = await queries.unreadByBucket(db, actor.account_id, actor.user_id);
  const badges: Badges = {
    id: actor.user_id ?? '',
    self: { conversations: 0, unread: 0 },
    none: { conversations: 0, unread: 0 },
    others: { conversations: 0, unread: 0 },
  };
  for (const { bucket, conversations, unread } of rows) {
    if (visible.includes(bucket)) badges[bucket] = { conversations, unread };
  }
  return badges;
}

/**
 * Reads, assigns, and clears conversations. A conversation's bucket (own, unassigned, or others') determines who may
 * see it. Every query and every live event applies the same contract function. Replies go through the gate of the
 * messages module.
 */

import { channelRules } from '@parley/contract/channels/index.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import type * as contract from '@parley/contract/inbox/inbox.ts';
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
import { messageFields } from '@parley/contract/inbox/message_fields.ts';
import {
  COUNTED_VIEWS,
  type InboxViewCount,
  readInboxView,
  VIEW_COUNT_MAX,
} from '@parley/contract/inbox/saved_views.ts';
import type { DueState } from '@parley/contract/inbox/targets.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { listThumbnailLinks } from '../media/media.ts';
import { markReadSoon } from '../messages/messages.ts';
import { listViews } from '../views/views.ts';
import { assign, seeAssignment } from './assignments.ts';
import { countUnseenMentions, seeMentions } from './mentions.ts';
import * as queries from './queries.ts';
import { changeStatus } from './statuses.ts';

/** Whether a user is notified of the messages in a conversation, from the saved views that contain it. */
export { findNotifications } from './view_notifications/view_notifications.ts';

interface ConversationFilter {
  search?: string | undefined;
  channels?: string[] | undefined;
  sender_id?: string | undefined;
  assignee_id?: string | undefined;
  bucket?: Bucket | undefined;
  unread?: boolean | undefined;
  mentioned?: boolean | undefined;
  label_id?: string | undefined;
  status?: string[] | undefined;
  due?: DueState | undefined;
}

export const visibleBuckets = (actor: Actor): Bucket[] =>
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
  const rows = await queries.listConversationRows(db, scope, page);
  // The last page shows how many there are.
  const isLast = rows.length <= page.size && (rows.length > 0 || page.offset === 0);
  return paged(page, rows, isLast ? page.offset + rows.length : await queries.countConversations(db, scope, page));
}

export async function getConversation(db: Queryable, actor: Actor, id: string): Promise<Conversation> {
  const conversation = await queries.findConversation(db, actor.account_id, id);
  if (!conversation) throw new Problem('CONVERSATION_NOT_FOUND');
  requireVisible(actor, conversation);
  return conversation;
}

function requireVisible(actor: Actor, conversation: { assignee_id: string | null }): void {
  if (!visibleBuckets(actor).includes(conversationBucket(conversation.assignee_id, actor.user_id)))
    throw new Problem('CONVERSATION_ACCESS_DENIED');
}

/** Throws if this sender and this number have a conversation that the caller may not view. */
export async function requireVisibleTo(
  db: Queryable,
  actor: Actor,
  pair: { account_id: string; sender_id: string; number: string },
): Promise<void> {
  const row = await queries.findConversationBetween(db, pair);
  if (row) requireVisible(actor, row);
}

/** Locks a conversation that the caller may view, so that changes of it run one after the other. */
export async function lockVisible(tx: Tx, actor: Actor, id: string): Promise<queries.LockedConversation> {
  const row = await queries.lockConversation(tx, actor.account_id, id);
  if (!row) throw new Problem('CONVERSATION_NOT_FOUND');
  requireVisible(actor, row);
  return row;
}

/** Applies the given changes together. A user who gives a conversation away still gets it in the response. */
export async function updateConversation(
  tx: Tx,
  actor: Actor,
  id: string,
  body: Parsed<typeof contract.updateConversation>['body'],
): Promise<Conversation> {
  const row = await lockVisible(tx, actor, id);
  if (body.seen) {
    await seeAssignment(tx, actor, id);
    await seeMentions(tx, actor, id);
  }
  const isRead =
    body.last_read_timestamp !== undefined && (await readMessages(tx, actor, row, body.last_read_timestamp));
  const isAssigned = body.assignee_id !== undefined && (await assign(tx, actor, row, body.assignee_id));
  const isMoved =
    (body.status !== undefined || body.snooze_until !== undefined) &&
    (await changeStatus(tx, actor, { ...row, assignee_id: body.assignee_id ?? row.assignee_id }, body));
  if (isMoved && body.status === 'closed') await readMessages(tx, actor, row, END_OF_TIME);
  if (body.unread) await leaveUnread(tx, actor, id);
  const conversation = (await queries.findConversation(tx, actor.account_id, id))!;
  if (isRead || isAssigned || isMoved || body.unread) emit(tx, conversationUpdated, actor.account_id, conversation);
  return conversation;
}

/** The read pointer is capped at the current time. */
const END_OF_TIME = '9999-01-01 00:00:00';

async function leaveUnread(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  if ((await queries.markUnread(tx, account_id, id)) === 0) throw new Problem('CONVERSATION_NOT_UNREADABLE');
}

/** Moves the read pointer forward and recounts the unread messages. A future time counts as now. */
async function readMessages(tx: Tx, actor: Actor, row: queries.LockedConversation, until: string): Promise<boolean> {
  const { account_id } = actor;
  await seeAssignment(tx, actor, row.id);
  await seeMentions(tx, actor, row.id);
  if (!(await queries.moveReadPointer(tx, account_id, row.id, until))) return false;
  await markReadSoon(tx, row.channel, { account_id, conversation_id: row.id });
  return true;
}

export async function removeConversation(tx: Tx, actor: Actor, id: string): Promise<void> {
  const row = await lockVisible(tx, actor, id);
  await queries.hideConversation(tx, actor.account_id, id);
  emit(tx, conversationDeleted, actor.account_id, {
    id,
    assignee_id: row.assignee_id,
    user_id: actor.user_id,
    show_pop_up: true,
  });
}

export async function listMessages(
  kernel: Kernel,
  tx: Tx,
  actor: Actor,
  id: string,
  query: { page?: number; page_size?: number; page_token?: string },
): Promise<Paged<ConversationMessage>> {
  const conversation = await getConversation(tx, actor, id);
  const page = readPage(query);
  const rows = await completeMessages(kernel, tx, await queries.thread(tx, conversation, page));
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

/** Adds the fields that repeat the content, and the links of the thumbnails. */
async function completeMessages(
  kernel: Kernel,
  db: Queryable,
  rows: readonly queries.ThreadRow[],
): Promise<ConversationMessage[]> {
  const files = rows.flatMap(({ account_id, content }) =>
    content?.media_id ? [{ account_id, id: content.media_id }] : [],
  );
  const thumbnails = files.length > 0 ? await listThumbnailLinks(kernel, db, files) : new Map<string, string>();
  return rows.map((row) => ({
    ...row,
    ...messageFields(row.content),
    timestamp: row.create_date,
    thumbnail_url: thumbnails.get(row.content?.media_id ?? '') ?? null,
  }));
}

/** The counts of the views that the caller sees, within the buckets that the caller may view. */
export async function countViews(db: Queryable, actor: Actor): Promise<InboxViewCount[]> {
  const views = (await listViews(db, actor, 'inbox')).slice(0, COUNTED_VIEWS);
  if (views.length === 0) return [];
  const { account_id, user_id } = actor;
  const scopes = views.map(({ state }) => {
    const { bucket, channel, sender_id, status, label_id, due, ...rest } = readInboxView(state.filters);
    const buckets = visibleBuckets(actor).filter((one) => rest.mentioned || one === bucket);
    return {
      ...{ account_id, user_id, buckets, ...rest, search: rest.search || undefined },
      ...{ channels: channel ? [channel] : undefined, status: status ? [status] : undefined },
      ...{ sender_id: sender_id ?? undefined, label_id: label_id ?? undefined, due: due ?? undefined },
    };
  });
  const counts = await queries.countEach(db, scopes, VIEW_COUNT_MAX);
  return counts.map(({ n, conversations, unread }) => ({ view_id: views[n]!.id, conversations, unread }));
}

export async function getBadges(db: Queryable, actor: Actor): Promise<Badges> {
  const visible = visibleBuckets(actor);
  const rows = await queries.countByBucket(db, actor.account_id, actor.user_id, visible);
  const none = { conversations: 0, unread: 0, total: 0 };
  const mentions = await countUnseenMentions(db, actor, visible);
  const badges: Badges = { id: actor.user_id ?? '', self: none, none, others: none, mentions };
  for (const { bucket, ...counts } of rows) badges[bucket] = counts;
  return badges;
}

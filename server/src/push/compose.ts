/** The text of a notification, from the data that the user may view when it is sent. */
import { canViewBucket, conversationBucket } from '@parley/contract/inbox/inbox.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { findNotifications } from '../inbox/inbox.ts';
import type { Queryable } from '../kernel/db/db.ts';
import { type Claimed, type DeviceState, findConversation, findNote } from './delivery_queries.ts';

const EXCERPT = 160;
const PATHS = { self: 'assigned-to-me', none: 'unassigned', others: 'assigned-to-others' } as const;

/**
 * The notification that the service worker shows. It opens `path` on a click; a notification replaces another with the
 * same `tag`.
 */
export interface PushContent {
  title: string;
  body: string;
  path: string;
  tag: string;
}

/** Null if the user may not view the conversation, has read it, or has turned off this kind of notification. */
export async function compose(db: Queryable, delivery: Claimed, device: DeviceState): Promise<PushContent | null> {
  const { account_id, conversation_id, kind, target_id } = delivery;
  const conversation = await findConversation(db, account_id, conversation_id);
  if (!conversation) return null;
  const { assignee_id, name } = conversation;
  const { user_id } = device;
  const permissions = device.is_owner ? allPermissions() : device.permissions;
  const bucket = conversationBucket(assignee_id, user_id);
  if (!canViewBucket(bucket, { user_id, permissions })) return null;
  const viewer = { account_id, user_id, permissions };
  const own = kind === 'message' ? await findNotifications(db, viewer, conversation_id) : null;
  if (!(own?.devices ?? isWanted(device, kind))) return null;
  const place = { path: `/inbox/${PATHS[bucket]}?conversation=${conversation_id}`, tag: `${kind} ${conversation_id}` };
  if (kind === 'assignment')
    return assignee_id === user_id
      ? { title: 'Conversation assigned to you', body: `The conversation with ${shorten(name)}`, ...place }
      : null;
  if (kind === 'mention') {
    const note = target_id === null ? null : await findNote(db, account_id, target_id);
    return note && { title: `${shorten(note.by_name)} mentioned you`, body: shorten(note.text), ...place };
  }
  if (conversation.unread_count === 0) return null;
  return { title: shorten(name), body: shorten(conversation.text || typeText(conversation.type)), ...place };
}

const isWanted = ({ new_messages, assignments, mentions }: DeviceState, kind: Claimed['kind']): boolean =>
  ({ message: new_messages, assignment: assignments, mention: mentions })[kind];

const typeText = (type: string | null): string =>
  type === null || type === 'text' ? 'New message' : `${type[0]!.toUpperCase()}${type.slice(1)}`;

function shorten(text: string): string {
  const letters = [...text];
  return letters.length > EXCERPT ? `${letters.slice(0, EXCERPT).join('')}…` : text;
}

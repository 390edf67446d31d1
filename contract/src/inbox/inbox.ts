/** Conversations: one per sender and person, with the messages of every source. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { commaList, idParams, listQuery, parseTimestamp, search, timestamp, timestampInput } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event, type Viewer } from '../event.ts';
import { MAX_TEXT, Message } from '../messages/messages.ts';
import { permits } from '../permission.ts';

export const BUCKETS = ['self', 'none', 'others'] as const;
export type Bucket = (typeof BUCKETS)[number];
export const REPLY_MAX = MAX_TEXT;

export const conversationBucket = (assignee_id: string | null, user_id: string | null): Bucket =>
  assignee_id === null ? 'none' : assignee_id === user_id ? 'self' : 'others';

/** Own conversations need MESSAGES view, unassigned ones CONVERSATIONS view, those of others CONVERSATIONS add. */
export function canViewBucket(bucket: Bucket, viewer: Viewer): boolean {
  if (bucket === 'self') return permits(viewer.permissions, 'MESSAGES:view');
  return permits(viewer.permissions, bucket === 'none' ? 'CONVERSATIONS:view' : 'CONVERSATIONS:add');
}

/** For channels that allow free messages only while a session is open. */
export const ConversationSession = z.object({
  /** The state at the time of the request. A session ends by itself: `isSessionOpen` gives its state now. */
  open: z.boolean(),
  /** Null until the person has written. */
  until: timestamp.nullable(),
  /** True when too many replies were sent without an answer. */
  limit_reached: z.boolean(),
});
export type ConversationSession = z.output<typeof ConversationSession>;

/** Whether free messages may be sent now. Null stands for a channel without sessions. */
export const isSessionOpen = (session: ConversationSession | null, now: Date): boolean =>
  session === null || (session.until !== null && parseTimestamp(session.until) > now && !session.limit_reached);

export const Conversation = z.object({
  id: z.string(),
  account_id: z.string(),
  channel: z.enum(CHANNELS),
  sender_id: z.string(),
  sender: z.string(),
  sender_name: z.string(),
  number: z.string(),
  country: z.string(),
  contact_name: z.string(),
  /** The person's own name on the channel. */
  profile_name: z.string(),
  /** The channel's id of the person. When it is all that is known, `number` holds it as well. */
  alias: z.string().nullable(),
  session: ConversationSession.nullable(),
  assignee_id: z.string().nullable(),
  assignee_name: z.string().nullable(),
  unread_count: z.int(),
  last_read_timestamp: timestamp.nullable(),
  timestamp,
  last_message: z
    .object({
      id: z.string(),
      text: z.string(),
      /** Names the kind of a message that has no text. */
      type: z.string(),
      direction: z.enum(['MT', 'MO']),
      status: z.string(),
    })
    .nullable(),
  /** True when the person has opted out and nothing can be sent. */
  stopped: z.boolean(),
});
export type Conversation = z.output<typeof Conversation>;

export const ConversationMessage = Message.extend({
  user_name: z.string().nullable(),
  /**
   * Set for a fallback step that a carrier accepted before the message was passed on: the next channel and the reason.
   * The other fields are those of this step.
   */
  passed_on: z.object({ channel: z.enum(CHANNELS), reason: z.string() }).nullable(),
});
export type ConversationMessage = z.output<typeof ConversationMessage>;

export const Badges = z.object({
  id: z.string(),
  /**
   * Counts conversations with unread messages, and the messages, by bucket. Buckets the caller may not view are zero.
   */
  self: z.object({ conversations: z.int(), unread: z.int() }),
  none: z.object({ conversations: z.int(), unread: z.int() }),
  others: z.object({ conversations: z.int(), unread: z.int() }),
});
export type Badges = z.output<typeof Badges>;

const NEEDS = ['MESSAGES:view', 'CONVERSATIONS:view'] as const;

export const listConversations = endpoint({
  id: 'conversations.list',
  method: 'GET',
  path: '/v1/conversations',
  summary: 'Conversations the caller may see, latest first',
  needs: NEEDS,
  audience: 'session',
  query: listQuery({
    /** Matches a part of the number, the contact's name or the profile name. */
    search,
    channels: commaList(z.string()),
    sender_id: z.string(),
    bucket: z.enum(BUCKETS),
    unread: z.stringbool(),
  }),
  list: true,
  output: Conversation,
  problems: [],
});

export const getConversation = endpoint({
  id: 'conversations.get',
  method: 'GET',
  path: '/v1/conversations/{id}',
  summary: 'One conversation',
  needs: NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  output: Conversation,
  problems: ['CONVERSATION_NOT_FOUND', 'CONVERSATION_ID_INVALID'],
});

export const readConversation = endpoint({
  id: 'conversations.update',
  method: 'PUT',
  path: '/v1/conversations/{id}',
  summary: 'Move the read pointer forward',
  needs: NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  body: z.object({ last_read_timestamp: timestampInput('VALUE_INVALID') }),
  output: Conversation,
  problems: ['CONVERSATION_NOT_FOUND', 'CONVERSATION_ID_INVALID'],
});

export const removeConversation = endpoint({
  id: 'conversations.remove',
  method: 'DELETE',
  path: '/v1/conversations/{id}',
  summary: 'Remove a conversation from the inbox until the person writes again; the message log keeps its messages',
  needs: 'CONVERSATIONS:delete',
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  status: 204,
  output: z.null(),
  problems: ['CONVERSATION_NOT_FOUND', 'CONVERSATION_ID_INVALID'],
});

/** Newest first; `links.next` leads to older messages. */
export const listConversationMessages = endpoint({
  id: 'conversation_messages.list',
  method: 'GET',
  path: '/v1/conversations/{id}/messages',
  summary: 'The messages of a conversation, newest first',
  needs: NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  query: listQuery({}),
  list: true,
  output: ConversationMessage,
  beside: z.object({
    /** True while a session is open, and always on channels without sessions. */
    is_active_conversation: z.boolean(),
    /** True when Viber accepts no more messages in this session until the person replies. */
    is_viber_limit_active: z.boolean(),
  }),
  problems: ['CONVERSATION_NOT_FOUND', 'CONVERSATION_ID_INVALID'],
});

export const getBadges = endpoint({
  id: 'conversation_badges.get',
  method: 'GET',
  path: '/v1/conversation_badges',
  summary: 'Unread counts by bucket',
  needs: NEEDS,
  audience: 'session',
  output: Badges,
  problems: [],
});

const isVisible = (conversation: { assignee_id: string | null }, viewer: Viewer) =>
  canViewBucket(conversationBucket(conversation.assignee_id, viewer.user_id), viewer);

export const conversationCreated = event({
  id: 'conversation.created',
  modules: ['conversations', 'conversation_badges'],
  needs: NEEDS,
  payload: Conversation,
  visible: isVisible,
});
/** Sent when a message arrives, or when the read pointer or the assignee changes. */
export const conversationUpdated = event({
  id: 'conversation.updated',
  modules: ['conversations', 'conversation_badges'],
  needs: NEEDS,
  payload: Conversation,
  visible: isVisible,
});
export const conversationDeleted = event({
  id: 'conversation.deleted',
  modules: ['conversations', 'conversation_badges'],
  needs: NEEDS,
  payload: z.object({ id: z.string(), assignee_id: z.string().nullable(), user_id: z.string().nullable() }),
  visible: isVisible,
});

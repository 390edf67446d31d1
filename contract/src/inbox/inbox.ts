/** Conversations: one per sender and recipient, with messages from all sources. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { idParams, listQuery, parseTimestamp, search, timestamp, timestampInput, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event, type Viewer } from '../event.ts';
import { MAX_TEXT, Message } from '../messages/messages.ts';
import { permits } from '../permission.ts';

export const BUCKETS = ['self', 'none', 'others'] as const;
export type Bucket = (typeof BUCKETS)[number];
export const REPLY_MAX = MAX_TEXT;

export const conversationBucket = (assignee_id: string | null, user_id: string | null): Bucket =>
  assignee_id === null ? 'none' : assignee_id === user_id ? 'self' : 'others';

/**
 * MESSAGES view covers the caller's own conversations, CONVERSATIONS view covers unassigned ones, and CONVERSATIONS add
 * covers those of other users.
 */
export function canViewBucket(bucket: Bucket, viewer: Viewer): boolean {
  if (bucket === 'self') return permits(viewer.permissions, 'MESSAGES:view');
  return permits(viewer.permissions, bucket === 'none' ? 'CONVERSATIONS:view' : 'CONVERSATIONS:add');
}

/** The session of a conversation, on channels that allow free-form messages only while a session is open. */
export const ConversationSession = z.object({
  /** The state at the time of the response. Sessions expire, so `isSessionOpen` determines the current state. */
  open: z.boolean(),
  /** Null before the first inbound message. */
  until: timestamp.nullable(),
  /** True if too many messages were sent without a reply. */
  limit_reached: z.boolean(),
});
export type ConversationSession = z.output<typeof ConversationSession>;

/** Whether free-form messages can be sent now. `session` is null on channels without sessions. */
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
  /** The name in the recipient's profile on the channel. */
  profile_name: z.string(),
  /** The recipient's ID on the channel. If the phone number is unknown, `number` has the same value. */
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
      /** The type of the message, shown if it has no text. */
      type: z.string(),
      direction: z.enum(['MT', 'MO']),
      status: z.string(),
    })
    .nullable(),
  /** True if the recipient has opted out, so nothing can be sent. */
  stopped: z.boolean(),
});
export type Conversation = z.output<typeof Conversation>;

export const ConversationMessage = Message.extend({
  user_name: z.string().nullable(),
  /**
   * Set if the message moved on to a fallback channel after a carrier had accepted this step: the next channel and the
   * reason. The other fields describe this step.
   */
  passed_on: z.object({ channel: z.enum(CHANNELS), reason: z.string() }).nullable(),
});
export type ConversationMessage = z.output<typeof ConversationMessage>;

export const Badges = z.object({
  id: z.string(),
  /** Unread conversations and unread messages by bucket. Buckets that the caller may not view are zero. */
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
  summary: 'List the conversations that the caller may view, latest first',
  needs: NEEDS,
  audience: 'session',
  query: listQuery({
    /** Matches part of the number, the contact's name, or the profile name. */
    search,
    channels: wordList(CHANNELS),
    sender_id: uuid(),
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
  summary: 'Get a conversation',
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
  summary: 'Mark the messages up to a given time as read',
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
  summary: 'Remove a conversation from the inbox until the next inbound message; its messages stay in the message log',
  needs: 'CONVERSATIONS:delete',
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  status: 204,
  output: z.null(),
  problems: ['CONVERSATION_NOT_FOUND', 'CONVERSATION_ID_INVALID'],
});

/** `links.next` leads to older messages. */
export const listConversationMessages = endpoint({
  id: 'conversation_messages.list',
  method: 'GET',
  path: '/v1/conversations/{id}/messages',
  summary: 'List the messages in a conversation, newest first',
  needs: NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  query: listQuery({}),
  list: true,
  output: ConversationMessage,
  beside: z.object({
    /** True while a session is open, and always on channels without sessions. */
    is_active_conversation: z.boolean(),
    /** True if Viber accepts no more messages in this session until the recipient replies. */
    is_viber_limit_active: z.boolean(),
  }),
  problems: ['CONVERSATION_NOT_FOUND', 'CONVERSATION_ID_INVALID'],
});

export const getBadges = endpoint({
  id: 'conversation_badges.get',
  method: 'GET',
  path: '/v1/conversation_badges',
  summary: 'Get unread counts by bucket',
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

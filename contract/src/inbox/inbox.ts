/** Conversations: one for each pair of our sender and a person's address, whatever was sent by whatever way. */
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

export const bucketOf = (assignee_id: string | null, user_id: string | null): Bucket =>
  assignee_id === null ? 'none' : assignee_id === user_id ? 'self' : 'others';

/** Mine: MESSAGES view. Unassigned: CONVERSATIONS view. Others': CONVERSATIONS add. */
export function canViewBucket(bucket: Bucket, viewer: Viewer): boolean {
  if (bucket === 'self') return permits(viewer.permissions, 'MESSAGES:view');
  return permits(viewer.permissions, bucket === 'none' ? 'CONVERSATIONS:view' : 'CONVERSATIONS:add');
}

/** Of channels that let us write freely only while somebody has written to us. */
export const ConversationSession = z.object({
  /** When it was asked. It ends by itself: `isSessionOpen` says how it is now. */
  open: z.boolean(),
  /** Null: the person has not written yet. */
  until: timestamp.nullable(),
  /** Too many of ours without an answer. */
  limit_reached: z.boolean(),
});
export type ConversationSession = z.output<typeof ConversationSession>;

/** Whether anything may be written now. Null: anybody may be written to at any time. */
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
  /** As the person calls themself on the channel. */
  profile_name: z.string(),
  /** The channel's own name for the person, which may be all there is: then `number` is it as well. */
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
      /** Says what it is where it has no text. */
      type: z.string(),
      direction: z.enum(['MT', 'MO']),
      status: z.string(),
    })
    .nullable(),
  /** The person has asked to be left alone: nothing can be sent. */
  stopped: z.boolean(),
});
export type Conversation = z.output<typeof Conversation>;

export const ConversationMessage = Message.extend({
  user_name: z.string().nullable(),
  /** One way of a message that a carrier had, and that went on another way since: to where and why. What is told is as it was here. */
  passed_on: z.object({ channel: z.enum(CHANNELS), reason: z.string() }).nullable(),
});
export type ConversationMessage = z.output<typeof ConversationMessage>;

export const Badges = z.object({
  id: z.string(),
  /** Conversations with something unread, and their unread messages, by bucket; buckets one may not view are zero. */
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
    /** Part of the number, or of what the contact or the person themself is called. */
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
  summary: 'Move the read pointer; it never goes back',
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
  summary: 'Take a conversation out of the inbox until the person writes again; the log keeps its messages',
  needs: 'CONVERSATIONS:delete',
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  status: 204,
  output: z.null(),
  problems: ['CONVERSATION_NOT_FOUND', 'CONVERSATION_ID_INVALID'],
});

/** Newest first; `links.next` leads to older ones. */
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
    /** The person has written within the time in which we may write freely; always where there is no such time. */
    is_active_conversation: z.boolean(),
    /** Viber takes no more in this session until the person answers. */
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

const seen = (conversation: { assignee_id: string | null }, viewer: Viewer) =>
  canViewBucket(bucketOf(conversation.assignee_id, viewer.user_id), viewer);

export const conversationCreated = event({
  id: 'conversation.created',
  modules: ['conversations', 'conversation_badges'],
  needs: NEEDS,
  payload: Conversation,
  visible: seen,
});
/** A message was added, the read pointer or the assignee moved. */
export const conversationUpdated = event({
  id: 'conversation.updated',
  modules: ['conversations', 'conversation_badges'],
  needs: NEEDS,
  payload: Conversation,
  visible: seen,
});
export const conversationDeleted = event({
  id: 'conversation.deleted',
  modules: ['conversations', 'conversation_badges'],
  needs: NEEDS,
  payload: z.object({ id: z.string(), assignee_id: z.string().nullable(), user_id: z.string().nullable() }),
  visible: seen,
});

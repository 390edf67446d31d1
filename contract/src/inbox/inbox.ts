/** Conversations: one per sender and recipient, with messages from all sources. */
import { z } from 'zod';
import { CHANNELS, INBOX_CHANNELS } from '../channels/names.ts';
import { idParams, listQuery, parseTimestamp, search, timestamp, timestampInput, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event, type Viewer } from '../event.ts';
import { MEDIA_TYPES } from '../media/types.ts';
import { MAX_TEXT } from '../messages/messages.ts';
import { Message } from '../messages/shapes.ts';
import { permits } from '../permission.ts';
import { INBOX_NEEDS } from './needs.ts';
import { CONVERSATION_STATUSES } from './statuses.ts';
import { Clocks, DUE_STATES } from './targets.ts';

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

/** A conversation's session, on channels that allow free-form messages only while a session is open. */
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
  /** The name that the channel shows to recipients, on channels with business profiles. */
  business_name: z.string().nullable(),
  business_name_en: z.string().nullable(),
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
  status: z.enum(CONVERSATION_STATUSES),
  /** When a snoozed conversation opens again; null in every other status. */
  snooze_until: timestamp.nullable(),
  /** The time of the first inbound message without a reply; null if none is waiting for one. */
  waiting_since: timestamp.nullable(),
  /** The clocks of the targets; null if no targets apply or the conversation is closed. */
  clocks: Clocks.nullable(),
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
  /** The IDs of the labels, in the order of their names. */
  label_ids: z.array(z.string()),
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
  /** The user to whom the conversation was assigned when the message was created. */
  assignee_name: z.string().nullable(),
  /** Equal to `create_date`. */
  timestamp,
  // The content, one value each.
  url: z.string().nullable(),
  file_name: z.string().nullable(),
  media_id: z.string().nullable(),
  /** `text` without a file. Inferred from the extension of the file if it is unknown. */
  media_type: z.enum([...MEDIA_TYPES, 'text']),
  thumbnail_url: z.string().nullable(),
  button_type: z.string().nullable(),
  button_text: z.string().nullable(),
  button_value: z.string().nullable(),
});
export type ConversationMessage = z.output<typeof ConversationMessage>;

/** Unread conversations, unread messages, and all open conversations of a bucket. The total stops at 10,000. */
const BucketCounts = z.object({ conversations: z.int(), unread: z.int(), total: z.int() });

/** Buckets that the caller may not view are zero. */
export const Badges = z.object({
  id: z.string(),
  self: BucketCounts,
  none: BucketCounts,
  others: BucketCounts,
  /** Conversations that mention the caller in a note that the caller has not read. */
  mentions: z.int(),
});
export type Badges = z.output<typeof Badges>;

export const CONVERSATION_PROBLEMS = [
  'CONVERSATION_NOT_FOUND',
  'CONVERSATION_ID_INVALID',
  'CONVERSATION_ACCESS_DENIED',
] as const;
const PROBLEMS = CONVERSATION_PROBLEMS;
/** The permission to change a conversation's assignee. */
export const ASSIGN_NEEDS = 'CONVERSATIONS:edit' as const;
/** The permissions to change a conversation's status, one of which is enough. */
export const STATUS_NEEDS = ['MESSAGES:add', 'CONVERSATIONS:edit'] as const;

export const listConversations = endpoint({
  id: 'conversations.list',
  method: 'GET',
  path: '/v1/conversations',
  summary: 'List the conversations that the caller may view, latest first',
  needs: INBOX_NEEDS,
  query: listQuery({
    /** Matches the beginning of the number or of the contact's full or last name, or a part of the profile name. */
    search,
    channels: wordList(INBOX_CHANNELS),
    sender_id: uuid(),
    assignee_id: uuid(),
    bucket: z.enum(BUCKETS),
    unread: z.stringbool(),
    /** Only conversations with a note that mentions the caller: of their latest 1,000 mentions. */
    mentioned: z.stringbool(),
    label_id: uuid('LABEL_NOT_FOUND'),
    status: wordList(CONVERSATION_STATUSES),
    /** Only conversations that have missed a target, or that are due within an hour: the 1,000 that are due first. */
    due: z.enum(DUE_STATES),
  }),
  list: true,
  output: Conversation,
  problems: ['LABEL_NOT_FOUND'],
});

/** A sender with conversations. The label is the name that its channel shows to recipients. */
export const InboxSender = z.object({ label: z.string(), value: z.string(), channel: z.enum(INBOX_CHANNELS) });
export type InboxSender = z.output<typeof InboxSender>;

export const listInboxSenders = endpoint({
  id: 'inbox_senders.list',
  method: 'GET',
  path: '/v1/inbox_senders',
  summary: 'List the senders with conversations, by label',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: z.array(InboxSender),
  problems: [],
});

export const getConversation = endpoint({
  id: 'conversations.get',
  method: 'GET',
  path: '/v1/conversations/{id}',
  summary: 'Get a conversation',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  output: Conversation,
  problems: PROBLEMS,
});

export const updateConversation = endpoint({
  id: 'conversations.update',
  method: 'PUT',
  path: '/v1/conversations/{id}',
  summary:
    'Mark messages as read or unread, assign the conversation (requires CONVERSATIONS edit), or change its status ' +
    '(requires MESSAGES add or CONVERSATIONS edit). Closing a conversation marks it as read',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  body: z
    .object({
      last_read_timestamp: timestampInput('VALUE_INVALID'),
      /** Records that the caller has opened the conversation, for its assignment and the mentions in it. */
      seen: z.literal(true),
      /** A user's ID; null unassigns the conversation. */
      assignee_id: uuid('ASSIGNEE_NOT_FOUND').nullable(),
      /** Marks the last inbound message as unread. Cannot be combined with `last_read_timestamp`. */
      unread: z.literal(true),
      status: z.enum(CONVERSATION_STATUSES),
      /** Required for the status `snoozed`, and not allowed for any other. */
      snooze_until: timestampInput('SNOOZE_TIME_INVALID'),
    })
    .partial(),
  output: Conversation,
  problems: [
    ...PROBLEMS,
    'PERMISSION_REQUIRED',
    'ASSIGNEE_NOT_FOUND',
    'SNOOZE_TIME_INVALID',
    'CONVERSATION_NOT_UNREADABLE',
  ],
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
  problems: PROBLEMS,
});

/** `links.next` leads to older messages. */
export const listConversationMessages = endpoint({
  id: 'conversation_messages.list',
  method: 'GET',
  path: '/v1/conversations/{id}/messages',
  summary: 'List the messages in a conversation, newest first',
  needs: INBOX_NEEDS,
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
  problems: PROBLEMS,
});

export const getBadges = endpoint({
  id: 'conversation_badges.get',
  method: 'GET',
  path: '/v1/conversation_badges',
  summary: 'Get unread counts by bucket',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: Badges,
  problems: [],
});

export const isVisible = (conversation: { assignee_id: string | null }, viewer: Viewer) =>
  canViewBucket(conversationBucket(conversation.assignee_id, viewer.user_id), viewer);

/**
 * Whether users who lose a conversation that they have open must acknowledge it in a popup. True if another user made
 * the change; a change by Parley shows a toast.
 */
export const showPopUp = z.boolean();

export const conversationCreated = event({
  id: 'conversation.created',
  modules: ['conversations', 'conversation_badges'],
  needs: INBOX_NEEDS,
  payload: Conversation,
  visible: isVisible,
});
/** Sent when a message arrives, or when the read pointer or the assignee changes. */
export const conversationUpdated = event({
  id: 'conversation.updated',
  modules: ['conversations', 'conversation_badges'],
  needs: INBOX_NEEDS,
  payload: Conversation,
  visible: isVisible,
});
export const conversationDeleted = event({
  id: 'conversation.deleted',
  modules: ['conversations', 'conversation_badges'],
  needs: INBOX_NEEDS,
  payload: z.object({
    id: z.string(),
    assignee_id: z.string().nullable(),
    user_id: z.string().nullable(),
    show_pop_up: showPopUp,
  }),
  visible: isVisible,
});

/**
 * Applies events to the cached thread. The result is the same as after a refetch. Pages are newest first, as in the
 * API. All functions are pure.
 */
import type { Conversation, ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { messageFields } from '@parley/contract/inbox/message_fields.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { isNewer } from '@parley/contract/messages/sequences.ts';

export interface ThreadPage {
  data: ConversationMessage[];
  pagination: { total: number; links?: { next: string | null } };
}
export interface ThreadPages<P extends ThreadPage = ThreadPage> {
  pages: P[];
  pageParams: unknown[];
}

export const belongsTo = (message: Message, conversation: Pick<Conversation, 'sender_id' | 'number'>): boolean =>
  message.sender_id === conversation.sender_id &&
  (message.direction === 'MO' ? message.from : message.to) === conversation.number;

/** Completes a message of an event or a response, which have no names of users. */
export const toConversationMessage = (
  message: Message,
  names: Pick<ConversationMessage, 'user_name' | 'assignee_name'>,
): ConversationMessage => ({
  ...message,
  ...messageFields(message.content),
  ...names,
  passed_on: null,
  timestamp: message.create_date,
  thumbnail_url: null,
});

/** Adds a message once, even if it arrives as a response and as an event. */
export function withMessage<P extends ThreadPage, T extends ThreadPages<P>>(
  thread: T,
  message: ConversationMessage,
): T {
  const [first, ...rest] = thread.pages;
  const last = thread.pages.at(-1);
  if (!first || !last) return thread;
  if (thread.pages.some((page) => page.data.some((one) => one.id === message.id))) return withStatus(thread, message);
  // IDs are ordered by time, so a late message is inserted where it belongs. If it is older than all loaded pages, it
  // will arrive with a later page.
  const place = thread.pages.findIndex(({ data }) => data.some(({ id }) => id < message.id));
  const beyond = place < 0 && (last.pagination.links?.next ?? null) !== null;
  const at = place < 0 ? thread.pages.length - 1 : place;
  const pages = [first, ...rest].map((page, n): P => {
    const added = n === at && !beyond;
    if (!added && n > 0) return page;
    const data = added ? [...page.data, message].sort((a, b) => (a.id < b.id ? 1 : -1)) : page.data;
    const total = page.pagination.total + (n === 0 ? 1 : 0);
    return { ...page, data, pagination: { ...page.pagination, total } };
  });
  return { ...thread, pages };
}

/** A status only advances, unless the outcome of a lost message is reported. Other late events have no effect. */
export function withStatus<P extends ThreadPage, T extends ThreadPages<P>>(thread: T, message: Message): T {
  let changed = false;
  const pages = thread.pages.map((page) => {
    const index = page.data.findIndex((one) => one.id === message.id);
    const old = page.data[index];
    if (!old || !isNewer(old, message)) return page;
    changed = true;
    const data = page.data.slice();
    data[index] = { ...old, ...message, user_name: old.user_name, passed_on: null };
    return { ...page, data };
  });
  return changed ? { ...thread, pages } : thread;
}

/** Applies an edit, a deletion, a reaction, or a new time. Keeps other fields, as a status event may be newer. */
export function withMarks<P extends ThreadPage, T extends ThreadPages<P>>(thread: T, message: Message): T {
  if (!thread.pages.some((page) => page.data.some(({ id }) => id === message.id))) return thread;
  const { text, type, content, marks, schedule } = message;
  const pages = thread.pages.map((page) => ({
    ...page,
    data: page.data.map((one) => (one.id === message.id ? { ...one, text, type, content, marks, schedule } : one)),
  }));
  return { ...thread, pages };
}

/** Adds the file to an inbound message, or the reason why the file is missing. Never replaces either. */
export function withFile<P extends ThreadPage, T extends ThreadPages<P>>(thread: T, message: Message): T {
  const awaitsFile = (one: ConversationMessage) =>
    one.id === message.id && !one.content?.media_id && !one.status_details;
  if (!thread.pages.some((page) => page.data.some(awaitsFile))) return thread;
  const { type, content, status_details } = message;
  const pages = thread.pages.map((page) => ({
    ...page,
    data: page.data.map((one) => (awaitsFile(one) ? { ...one, type, content, status_details } : one)),
  }));
  return { ...thread, pages };
}

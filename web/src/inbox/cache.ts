/**
 * The open thread, kept right by events alone: applying an event to what was fetched gives what fetching again would give. Pages are newest
 * first, as the API gives them. Nothing here touches the network.
 */
import type { Conversation, ConversationMessage } from '@parley/contract/inbox.ts';
import { type Message, RANK } from '@parley/contract/messages.ts';

export interface ThreadPage {
  data: ConversationMessage[];
  pagination: { total: number };
}
export interface ThreadPages<P extends ThreadPage = ThreadPage> {
  pages: P[];
  pageParams: unknown[];
}

export const belongsTo = (message: Message, conversation: Pick<Conversation, 'sender_id' | 'number'>): boolean =>
  message.sender_id === conversation.sender_id &&
  (message.direction === 'MO' ? message.from : message.to) === conversation.number;

/** A message that is there already is not added again; it may have come as an answer and as an event. */
export function withMessage<P extends ThreadPage, T extends ThreadPages<P>>(
  thread: T,
  message: ConversationMessage,
): T {
  const [first, ...rest] = thread.pages;
  if (!first) return thread;
  if (thread.pages.some((page) => page.data.some((one) => one.id === message.id))) return withStatus(thread, message);
  // Ids are ordered by time: a late event takes its place, not the top.
  const data = [...first.data, message].sort((a, b) => (a.id < b.id ? 1 : -1));
  const page: P = { ...first, data, pagination: { ...first.pagination, total: first.pagination.total + 1 } };
  return { ...thread, pages: [page, ...rest] };
}

/** Statuses only rise; an event that comes late changes nothing. */
export function withStatus<P extends ThreadPage, T extends ThreadPages<P>>(thread: T, message: Message): T {
  let changed = false;
  const pages = thread.pages.map((page) => {
    const index = page.data.findIndex((one) => one.id === message.id);
    const old = page.data[index];
    if (!old || RANK[message.status] <= RANK[old.status]) return page;
    changed = true;
    const data = page.data.slice();
    data[index] = { ...old, ...message, user_name: old.user_name };
    return { ...page, data };
  });
  return changed ? { ...thread, pages } : thread;
}

/** The file of a person's message has come, or cannot be fetched: said once, and never taken back. */
export function withFile<P extends ThreadPage, T extends ThreadPages<P>>(thread: T, message: Message): T {
  const isKnown = (one: ConversationMessage) => one.id === message.id && !one.content?.media_id && !one.status_details;
  if (!thread.pages.some((page) => page.data.some(isKnown))) return thread;
  const { type, content, status_details } = message;
  const pages = thread.pages.map((page) => ({
    ...page,
    data: page.data.map((one) => (isKnown(one) ? { ...one, type, content, status_details } : one)),
  }));
  return { ...thread, pages };
}

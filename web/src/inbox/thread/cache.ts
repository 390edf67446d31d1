/**
 * The open thread, kept right by events alone: applying an event to what was fetched gives what fetching again would give. Pages are newest
 * first, as the API gives them. Nothing here touches the network.
 */
import type { Conversation, ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { type Message, RANK } from '@parley/contract/messages/messages.ts';

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

/** A message that is there already is not added again; it may have come as an answer and as an event. */
export function withMessage<P extends ThreadPage, T extends ThreadPages<P>>(
  thread: T,
  message: ConversationMessage,
): T {
  const [first, ...rest] = thread.pages;
  const last = thread.pages.at(-1);
  if (!first || !last) return thread;
  if (thread.pages.some((page) => page.data.some((one) => one.id === message.id))) return withStatus(thread, message);
  // Ids are ordered by time: what comes late takes its place, not the top; before what has been read so far it is read with what is there.
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

/** Statuses only rise; an event that comes late changes nothing. */
export function withStatus<P extends ThreadPage, T extends ThreadPages<P>>(thread: T, message: Message): T {
  let changed = false;
  const pages = thread.pages.map((page) => {
    const index = page.data.findIndex((one) => one.id === message.id);
    const old = page.data[index];
    if (!old || RANK[message.status] <= RANK[old.status]) return page;
    changed = true;
    const data = page.data.slice();
    data[index] = { ...old, ...message, user_name: old.user_name, passed_on: null };
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

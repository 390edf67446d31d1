/**
 * Shows a conversation as read before the server has confirmed it: in the lists, in the open conversation, and in the
 * counts of the menu.
 */
import {
  type Badges,
  type Bucket,
  type Conversation,
  conversationBucket,
  getBadges,
  getConversation,
} from '@parley/contract/inbox/inbox.ts';
import type { QueryClient } from '@tanstack/react-query';
import { queryKey } from '../../kernel/http/query.ts';

/** The inbox loads its lists page by page, unlike other lists of conversations. */
interface Pages {
  pages?: { data: Conversation[] }[];
}

const asRead = (conversation: Conversation): Conversation => ({ ...conversation, unread_count: 0 });

export function showAsRead(client: QueryClient, conversation: Conversation, user_id: string): void {
  const { id, unread_count, assignee_id } = conversation;
  client.setQueryData<{ data: Conversation }>(
    queryKey(getConversation, { params: { id } }),
    (old) => old && { ...old, data: asRead(old.data) },
  );
  client.setQueriesData<Pages>({ queryKey: ['conversations', 'conversations.list'] }, (old) =>
    old?.pages?.some(({ data }) => data.some((one) => one.id === id && one.unread_count > 0))
      ? {
          ...old,
          pages: old.pages.map((page) => ({
            ...page,
            data: page.data.map((one) => (one.id === id ? asRead(one) : one)),
          })),
        }
      : old,
  );
  const bucket: Bucket = conversationBucket(assignee_id, user_id);
  client.setQueryData<{ data: Badges }>(queryKey(getBadges), (old) => {
    if (!old) return old;
    const { conversations, unread, total } = old.data[bucket];
    const counts = { conversations: Math.max(0, conversations - 1), unread: Math.max(0, unread - unread_count), total };
    return { ...old, data: { ...old.data, [bucket]: counts } };
  });
}

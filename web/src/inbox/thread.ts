/** One conversation's messages: fetched page by page, patched by events, with what is being sent kept in place until it is accepted. */
import {
  type Conversation,
  type ConversationMessage,
  conversationUpdated,
  listConversationMessages,
} from '@parley/contract/inbox.ts';
import { createMessage, messageCreated, messageStatusChanged } from '@parley/contract/messages.ts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Answer, ApiError, call } from '../kernel/client.ts';
import { onLive } from '../kernel/live.ts';
import { belongsTo, withMessage, withStatus } from './cache.ts';

const PAGE_SIZE = 20;
type Page = Answer<typeof listConversationMessages>;
type Pages = InfiniteData<Page, string | null>;

/** On its way to the server, or refused by it. The key makes a repeated try the same act. */
export interface Draft {
  key: string;
  text: string;
  at: number;
  problem: string | null;
}

const threadKey = (id: string) => ['conversation_messages', listConversationMessages.id, id] as const;

export interface Thread {
  /** Oldest first. */
  messages: ConversationMessage[];
  drafts: Draft[];
  loading: boolean;
  error: ApiError | null;
  retry: () => void;
  hasOlder: boolean;
  loadingOlder: boolean;
  loadOlder: () => void;
  send: (text: string) => void;
  sendAgain: (draft: Draft) => void;
  discard: (draft: Draft) => void;
}

export function useThread(conversation: Conversation): Thread {
  const client = useQueryClient();
  const { id, sender_id, number } = conversation;
  const query = useInfiniteQuery<Page, ApiError, Pages, readonly string[], string | null>({
    queryKey: threadKey(id),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      call(
        listConversationMessages,
        { params: { id }, query: { page_size: PAGE_SIZE, ...(pageParam ? { page_token: pageParam } : {}) } },
        { signal },
      ),
    getNextPageParam: (page) =>
      page.pagination.links.next
        ? new URLSearchParams(page.pagination.links.next.split('?')[1]).get('page_token')
        : null,
  });
  const patch = useCallback(
    (change: (pages: Pages) => Pages) =>
      client.setQueryData<Pages>(threadKey(id), (pages) => (pages ? change(pages) : pages)),
    [client, id],
  );

  useEffect(() => {
    const offs = [
      onLive(messageCreated, (message) => {
        if (belongsTo(message, { sender_id, number }))
          patch((pages) => withMessage(pages, { user_name: null, ...message }));
      }),
      onLive(messageStatusChanged, (message) => patch((pages) => withStatus(pages, message))),
      // Messages of campaigns do not speak one by one: a conversation that moved on to an unknown one is read again.
      onLive(conversationUpdated, (moved) => {
        if (moved.id !== id || !moved.last_message) return;
        const last = moved.last_message.id;
        const known = client
          .getQueryData<Pages>(threadKey(id))
          ?.pages.some((page) => page.data.some((one) => one.id === last));
        if (!known) void client.invalidateQueries({ queryKey: threadKey(id) });
      }),
    ];
    return () => {
      for (const off of offs) off();
    };
  }, [client, id, sender_id, number, patch]);

  const [drafts, setDrafts] = useState<Draft[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation starts without the drafts of this one
  useEffect(() => setDrafts([]), [id]);

  const deliver = useCallback(
    async (draft: Draft) => {
      try {
        const { data } = await call(
          createMessage,
          { body: { from: sender_id, to: [number], channel: conversation.channel, text: draft.text } },
          { idempotency_key: draft.key },
        );
        for (const message of data) patch((pages) => withMessage(pages, { user_name: null, ...message }));
        setDrafts((all) => all.filter((one) => one.key !== draft.key));
      } catch (error) {
        const problem = error instanceof ApiError ? error.message : 'The message could not be sent.';
        setDrafts((all) => all.map((one) => (one.key === draft.key ? { ...one, problem } : one)));
      }
    },
    [sender_id, number, conversation.channel, patch],
  );

  const messages = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.data).reverse(), [query.data]);
  return {
    messages,
    drafts,
    loading: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
    hasOlder: query.hasNextPage,
    loadingOlder: query.isFetchingNextPage,
    loadOlder: () => void query.fetchNextPage(),
    send(text) {
      const draft = { key: crypto.randomUUID(), text, at: Date.now(), problem: null };
      setDrafts((all) => [...all, draft]);
      void deliver(draft);
    },
    sendAgain(draft) {
      setDrafts((all) => all.map((one) => (one.key === draft.key ? { ...one, problem: null } : one)));
      void deliver(draft);
    },
    discard: (draft) => setDrafts((all) => all.filter((one) => one.key !== draft.key)),
  };
}

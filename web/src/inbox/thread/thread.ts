/**
 * The messages of a conversation: loaded page by page, updated by events, and combined with the replies that are being
 * sent.
 */

import type { User } from '@parley/contract/accounts/accounts.ts';
import { type Assignment, listAssignments } from '@parley/contract/inbox/assignments.ts';
import { type ConversationEntry, listEntries } from '@parley/contract/inbox/entries.ts';
import {
  type Conversation,
  type ConversationMessage,
  conversationUpdated,
  listConversationMessages,
} from '@parley/contract/inbox/inbox.ts';
import {
  createMessage,
  messageChanged,
  messageCreated,
  messageFileChanged,
  messageStatusChanged,
} from '@parley/contract/messages/messages.ts';
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { callBody, type ReplyBody, toReplyBody } from '../../channels/compose/reply_body.ts';
import { ApiError, type ApiResponse, call } from '../../kernel/http/client.ts';
import { toastError, useEndpoint } from '../../kernel/http/query.ts';
import { useHiddenIds } from '../../kernel/http/undo.ts';
import { onLive } from '../../kernel/live/live.ts';
import { randomId } from '../../kernel/random.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { toWire } from '../../ui/controls/local_time.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { belongsTo, toConversationMessage, withFile, withMarks, withMessage, withStatus } from './cache.ts';
import { type Draft, dropDraft, notYetIn, putDraft, useDrafts } from './drafts.ts';
import { readUndoSeconds } from './undo_time.ts';

/** The first page is small, so that the thread opens quickly. */
const FIRST_PAGE_SIZE = 50;
const PAGE_SIZE = 100;
/** For a message far above, which would otherwise take many requests. */
const LARGE_PAGE_SIZE = 1_000;
type Page = ApiResponse<typeof listConversationMessages>;
type Pages = InfiniteData<Page, string | null>;

const threadKey = (id: string) => ['conversation_messages', listConversationMessages.id, id] as const;

const staleThreads = new Set<string>();

/**
 * Applies an event to the cache. A response that is still loading may predate the event, so the thread is refetched
 * once it arrives.
 */
function patchThread(client: QueryClient, id: string, change: (pages: Pages) => Pages): void {
  const queryKey = threadKey(id);
  client.setQueryData<Pages>(queryKey, (pages) => (pages ? change(pages) : pages));
  const query = client.getQueryCache().find({ queryKey });
  if (query?.state.fetchStatus !== 'fetching' || staleThreads.has(id)) return;
  staleThreads.add(id);
  const refetch = () => {
    staleThreads.delete(id);
    void client.invalidateQueries({ queryKey });
  };
  query.promise?.then(refetch, refetch);
}

const isLoaded = (client: QueryClient, id: string, message_id: string): boolean =>
  client.getQueryData<Pages>(threadKey(id))?.pages.some(({ data }) => data.some((one) => one.id === message_id)) ??
  false;

export interface Thread {
  /** Oldest first. */
  messages: ConversationMessage[];
  /** Oldest first: those since the oldest loaded message. */
  assignments: Assignment[];
  /** Oldest first: those since the oldest loaded message. */
  entries: ConversationEntry[];
  drafts: Draft[];
  loading: boolean;
  error: ApiError | null;
  retry: () => void;
  hasOlder: boolean;
  loadingOlder: boolean;
  loadOlder: (options?: { many: boolean }) => void;
  /** Without a time, the reply waits a few seconds on the server, so that it can be undone. */
  send: (body: ReplyBody, schedule?: Date) => void;
  /** Sends a failed message once more. Repeated calls send one message. */
  resend: (message: ConversationMessage) => void;
  sendAgain: (draft: Draft) => void;
  discard: (draft: Draft) => void;
}

export function useThread(conversation: Conversation): Thread {
  const client = useQueryClient();
  const { id, sender_id, number, channel, assignee_name } = conversation;
  const pageSize = useRef(PAGE_SIZE);
  const query = useInfiniteQuery<Page, ApiError, Pages, readonly string[], string | null>({
    queryKey: threadKey(id),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      call(
        listConversationMessages,
        {
          params: { id },
          query: pageParam ? { page_size: pageSize.current, page_token: pageParam } : { page_size: FIRST_PAGE_SIZE },
        },
        { signal },
      ),
    getNextPageParam: (page) =>
      page.pagination.links.next
        ? new URLSearchParams(page.pagination.links.next.split('?')[1]).get('page_token')
        : null,
  });
  useLoadFailure(query.error);
  const { user } = useSession();
  useLivePatches(client, conversation, user);
  const drafts = useDrafts(id);

  const deliver = useCallback(
    async (draft: Draft) => {
      putDraft(client, id, { ...draft, problem: null });
      try {
        const { data } = await call(
          createMessage,
          { body: { from: sender_id, to: [number], channel, ...callBody(draft.body), ...toWait(draft) } },
          { idempotency_key: draft.key },
        );
        for (const message of data)
          patchThread(client, id, (pages) =>
            withMessage(pages, toConversationMessage(message, { user_name: user.full_name, assignee_name })),
          );
        dropDraft(client, id, draft.key);
      } catch (error) {
        putDraft(client, id, { ...draft, problem: problemMessage(error) });
        toastError(error);
      }
    },
    [client, id, sender_id, number, channel, user.full_name, assignee_name],
  );

  const assignments = useAssignments(id);
  const entries = useEntries(id);
  const messages = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.data).reverse(), [query.data]);
  const newest = messages.at(-1)?.id ?? '';
  return useMemo(
    () => ({
      messages,
      assignments: query.hasNextPage ? since(assignments, messages[0]) : assignments,
      entries: query.hasNextPage ? since(entries, messages[0]) : entries,
      drafts: notYetIn(messages, drafts),
      loading: query.isPending,
      error: query.data ? null : query.error,
      retry: () => void query.refetch(),
      hasOlder: query.hasNextPage,
      loadingOlder: query.isFetchingNextPage,
      loadOlder: ({ many } = { many: false }) => {
        pageSize.current = many ? LARGE_PAGE_SIZE : PAGE_SIZE;
        void query.fetchNextPage();
      },
      send: (body, schedule) =>
        void deliver({
          ...{ key: randomId(), body, after: newest, problem: null },
          schedule: schedule && toWire(schedule),
        }),
      resend: (message) =>
        void deliver({ key: `resend-${message.id}`, body: toReplyBody(message), after: newest, problem: null }),
      sendAgain: (draft) => void deliver(draft),
      discard: (draft) => void dropDraft(client, id, draft.key),
    }),
    [messages, assignments, entries, newest, drafts, query, deliver, client, id],
  );
}

function toWait({ schedule }: Draft): { schedule: string } | { undo_seconds?: number } {
  if (schedule) return { schedule };
  const undo_seconds = readUndoSeconds();
  return undo_seconds > 0 ? { undo_seconds } : {};
}

/** Exceeding the rate limit has its own notice. */
function useLoadFailure(error: ApiError | null): void {
  useEffect(() => {
    if (error && error.status !== 429) toast.error('Something went wrong');
  }, [error]);
}

const NO_ASSIGNMENTS: Assignment[] = [];
const MAX_NOTES = 300;

/** The latest assignments, oldest first. */
function useAssignments(id: string): Assignment[] {
  const { data } = useEndpoint(listAssignments, { params: { id }, query: { page_size: MAX_NOTES } });
  return useMemo(() => data?.data.toReversed() ?? NO_ASSIGNMENTS, [data]);
}

const NO_ENTRIES: ConversationEntry[] = [];

/** The latest entries, oldest first. */
function useEntries(id: string): ConversationEntry[] {
  const { data } = useEndpoint(listEntries, { params: { id }, query: { page_size: MAX_NOTES } });
  const hidden = useHiddenIds();
  return useMemo(() => data?.data.filter((entry) => !hidden.has(entry.id)).reverse() ?? NO_ENTRIES, [data, hidden]);
}

const since = <T extends { timestamp: string }>(rows: T[], oldest: ConversationMessage | undefined): T[] =>
  oldest ? rows.filter(({ timestamp }) => timestamp >= oldest.create_date) : [];

/**
 * Joins all messages in the error. A retry is safe even if the message was sent, because it uses the same idempotency
 * key.
 */
const problemMessage = (error: unknown): string =>
  error instanceof ApiError
    ? error.errors.map(({ message }) => message).join(' ') || error.message
    : 'The message could not be sent.';

function useLivePatches(client: QueryClient, conversation: Conversation, me: User): void {
  const { id, sender_id, number, assignee_name } = conversation;
  const { id: my_id, full_name } = me;
  useEffect(() => {
    const refetch = () => void client.invalidateQueries({ queryKey: threadKey(id) });
    const offs = [
      onLive(messageCreated, (message) => {
        if (!belongsTo(message, { sender_id, number })) return;
        // Refetches, because the event does not contain the names of other users.
        if (message.user_id !== null && message.user_id !== my_id) return refetch();
        const names = { user_name: message.user_id === my_id ? full_name : null, assignee_name };
        patchThread(client, id, (pages) => withMessage(pages, toConversationMessage(message, names)));
      }),
      onLive(messageStatusChanged, (message) => {
        if (belongsTo(message, { sender_id, number })) patchThread(client, id, (pages) => withStatus(pages, message));
        // The message was in this conversation, and a fallback moved it to another one.
        else if (isLoaded(client, id, message.id)) refetch();
      }),
      onLive(messageChanged, (message) => patchThread(client, id, (pages) => withMarks(pages, message))),
      onLive(messageFileChanged, (message) => patchThread(client, id, (pages) => withFile(pages, message))),
      // Campaign messages have no events of their own, so an unknown last message triggers a refetch.
      onLive(conversationUpdated, (moved) => {
        if (moved.id !== id || !moved.last_message) return;
        if (!isLoaded(client, id, moved.last_message.id)) refetch();
      }),
    ];
    return () => {
      for (const off of offs) off();
    };
  }, [client, id, sender_id, number, assignee_name, my_id, full_name]);
}

/** The conversations of one inbox, newest first. More pages load on scroll. Events mark the conversations stale. */
import { COUNT_LIMIT } from '@parley/contract/common.ts';
import { type Bucket, type Conversation, listConversations } from '@parley/contract/inbox/inbox.ts';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type ApiError, type ApiResponse, call } from '../../kernel/http/client.ts';
import { queryKey } from '../../kernel/http/query.ts';
import { useHiddenIds } from '../../kernel/http/undo.ts';
import type { AllRows } from '../../ui/data/table/columns.ts';
import type { InboxFilters } from './filters.ts';

const PAGE_SIZE = 50;
type Page = ApiResponse<typeof listConversations>;

export interface Conversations {
  conversations: Conversation[];
  /** The list's filter as sent. */
  filter: Record<string, string | string[]>;
  /** The filter of the list, and how many conversations it has. */
  everything: AllRows | undefined;
  loading: boolean;
  empty: boolean;
  error: ApiError | null;
  retry: () => void;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
}

export function useConversations(bucket: Bucket, filters: InboxFilters, unreadOnly: boolean): Conversations {
  const { search, channel, sender_id, status, mentioned, label_id, due } = filters;
  const filter = {
    ...(mentioned ? { mentioned: 'true' } : { bucket }),
    ...(search ? { search } : {}),
    ...(channel ? { channels: [channel] } : {}),
    ...(sender_id ? { sender_id } : {}),
    ...(label_id ? { label_id } : {}),
    ...(due ? { due } : {}),
    ...(status ? { status: [status] } : {}),
    ...(unreadOnly ? { unread: 'true' } : {}),
  };
  const query = useInfiniteQuery<Page, ApiError, { pages: Page[] }, readonly unknown[], number>({
    queryKey: queryKey(listConversations, filter),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(listConversations, { query: { page: pageParam, page_size: PAGE_SIZE, filter } }, { signal }),
    getNextPageParam: (page) => (page.pagination.links.next ? page.pagination.number + 1 : null),
    placeholderData: keepPreviousData,
  });
  const hidden = useHiddenIds();
  const conversations = useMemo(
    () => withoutDuplicates((query.data?.pages ?? []).flatMap((page) => page.data)).filter(({ id }) => !hidden.has(id)),
    [query.data, hidden],
  );
  const { fetchNextPage } = query;
  const total = query.data?.pages[0]?.pagination.total ?? 0;
  return {
    conversations,
    filter,
    everything:
      total > conversations.length
        ? { total: Math.min(total, COUNT_LIMIT), isMore: total > COUNT_LIMIT, filter }
        : undefined,
    loading: query.isPending,
    empty: query.data !== undefined && conversations.length === 0 && !query.isPlaceholderData,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: useCallback(() => void fetchNextPage(), [fetchNextPage]),
  };
}

/** Removes duplicates. A conversation that moves up while pages load can be on two of them. */
function withoutDuplicates(conversations: readonly Conversation[]): Conversation[] {
  const ids = new Set<string>();
  return conversations.filter(({ id }) => !ids.has(id) && ids.add(id));
}

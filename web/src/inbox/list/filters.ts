/**
 * The filters of the inbox. They apply to all of its pages, and this tab keeps them, so that they are still set when
 * the user returns.
 */
import type { INBOX_CHANNELS } from '@parley/contract/channels/names.ts';
import type { ConversationStatus } from '@parley/contract/inbox/statuses.ts';
import type { DueState } from '@parley/contract/inbox/targets.ts';
import { useSyncExternalStore } from 'react';
import { useSession } from '../../kernel/session/session.tsx';

export interface InboxFilters {
  search: string;
  /** Null shows all channels. */
  channel: (typeof INBOX_CHANNELS)[number] | null;
  /** Null shows all senders. */
  sender_id: string | null;
  /** Null shows all statuses. */
  status: ConversationStatus | null;
  /** Only conversations that mention the user, in all inboxes. */
  mentioned: boolean;
  /** Null shows conversations with and without labels. */
  label_id: string | null;
  /** Null shows conversations with and without targets. */
  due: DueState | null;
  /** The saved view that is open. */
  view_id: string | null;
}

const NONE: InboxFilters = {
  search: '',
  channel: null,
  sender_id: null,
  status: 'open',
  mentioned: false,
  label_id: null,
  due: null,
  view_id: null,
};

const cache = new Map<string, InboxFilters>();
const listeners = new Set<() => void>();
const storageKey = (user_id: string): string => `parley.inbox_filters.${user_id}`;

function readFilters(user_id: string): InboxFilters {
  const cached = cache.get(user_id);
  if (cached) return cached;
  const stored = sessionStorage.getItem(storageKey(user_id));
  const filters = stored ? { ...NONE, ...(JSON.parse(stored) as Partial<InboxFilters>) } : NONE;
  cache.set(user_id, filters);
  return filters;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The filters, and a function that changes some of them. */
export function useInboxFilters(): [InboxFilters, (change: Partial<InboxFilters>) => void] {
  const { user } = useSession();
  const filters = useSyncExternalStore(subscribe, () => readFilters(user.id));
  const change = (changed: Partial<InboxFilters>) => {
    const next = { ...readFilters(user.id), ...changed };
    cache.set(user.id, next);
    sessionStorage.setItem(storageKey(user.id), JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  return [filters, change];
}

export const isFiltered = ({ search, channel, sender_id, status, mentioned, label_id, due }: InboxFilters): boolean =>
  search.trim() !== '' || status !== 'open' || mentioned || [channel, sender_id, label_id, due].some(Boolean);

export const CLEARED: InboxFilters = NONE;

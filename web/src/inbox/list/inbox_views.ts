/** The saved views of the inbox: the filters of the list and the inbox itself, under a name. */
import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import { readInboxView, writeInboxView } from '@parley/contract/inbox/saved_views.ts';
import type { View } from '@parley/contract/views/views.ts';
import type { SavedViews } from '../../kernel/list/views/saved_views.ts';
import { storeView, useViews } from '../../kernel/list/views/stored_views.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { CLEARED, type InboxFilters } from './filters.ts';

const ViewCount = lazyPart(() => import('./ViewCount.tsx'));

const NO_COLUMNS = { shown: {}, order: [] };

interface InboxViewsOptions {
  bucket: Bucket;
  filters: InboxFilters;
  isUnreadOnly: boolean;
  onFilters: (change: Partial<InboxFilters>) => void;
  /** Opens an inbox, with or without the filter for unread conversations. */
  onInbox: (bucket: Bucket, isUnreadOnly: boolean) => void;
}

export function useInboxViews({ bucket, filters, isUnreadOnly, onFilters, onInbox }: InboxViewsOptions): SavedViews {
  const { views } = useViews('inbox', filters.view_id !== null);
  const active = filters.view_id === null ? undefined : views?.find(({ id }) => id === filters.view_id);
  const { view_id: _, ...rest } = filters;
  const current = {
    filters: writeInboxView({ ...rest, search: filters.search.trim(), bucket, unread: isUnreadOnly }),
    sort: null,
    columns: NO_COLUMNS,
  };
  const open = (view: View) => {
    const { bucket: inbox, unread, ...saved } = readInboxView(view.state.filters);
    onFilters({ ...saved, view_id: view.id });
    onInbox(inbox, unread);
  };
  return {
    list: 'inbox',
    table: 'inbox',
    columns: undefined,
    active,
    isModified: active !== undefined && !isSame(active.state.filters, current.filters),
    defaultId: null,
    setDefault: null,
    current,
    open,
    leave: () => {
      onFilters({ ...CLEARED, view_id: null });
      onInbox(bucket, false);
    },
    follow: (view) => {
      storeView('inbox', view);
      onFilters({ view_id: view.id });
    },
    Count: ViewCount,
  };
}

/** Compares the meaning of the filters, so that a filter that no longer exists does not count as a change. */
function isSame(saved: Record<string, string>, current: Record<string, string>): boolean {
  const [was, is] = [saved, current].map((filters) => writeInboxView(readInboxView(filters)));
  const names = Object.keys(is!);
  return names.length === Object.keys(was!).length && names.every((name) => was![name] === is![name]);
}

/** The views that are stored for a list, without the table that shows them. */
import type { ViewList } from '@parley/contract/views/lists.ts';
import type { View } from '@parley/contract/views/views.ts';
import { queryClient, useLaterEndpoint } from '../../http/query.ts';
import { useHiddenIds } from '../../http/undo.ts';

// Most visits to a list open no view.
const loadListViews = async () => (await import('@parley/contract/views/views.ts')).listViews;

/** The views that the user can open, by name. They are loaded when the menu opens, or when the URL names a view. */
export function useViews(list: ViewList | undefined, enabled = true) {
  const query = useLaterEndpoint('views.list', loadListViews, {
    input: { query: { list: list ?? 'messages' } },
    enabled: enabled && list !== undefined,
  });
  const hidden = useHiddenIds();
  return { views: query.data?.data.filter(({ id }) => !hidden.has(id)), error: query.error, refetch: query.refetch };
}

/** Puts a saved view into the cache, so that it is active before the views are loaded again. */
export function storeView(list: ViewList, view: View): void {
  queryClient.setQueryData<{ data: View[] }>(['views', 'views.list', { query: { list } }], (old) =>
    old ? { ...old, data: [...old.data.filter(({ id }) => id !== view.id), view] } : old,
  );
}

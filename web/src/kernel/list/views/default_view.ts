/**
 * The default view of a list: the view that opens when the user visits the list without filters, a sort order, or a
 * view in the URL. Like the choice of columns, it is kept on the device.
 */
import { useLocalStorage } from '@mantine/hooks';
import type { ViewList } from '@parley/contract/views/lists.ts';
import type { View } from '@parley/contract/views/views.ts';
import { useEffect, useRef } from 'react';
import type { List } from '../list.tsx';

export interface DefaultView {
  id: string | null;
  set: (id: string | null) => void;
  /** True until this visit has opened the default view. Requires that the views are loaded. */
  isPending: boolean;
}

export function useDefaultView<T>(list: List<T>, name: ViewList | undefined): DefaultView {
  const [id, set] = useLocalStorage<string | null>({
    key: `parley.default_view.${name}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const isPlain = list.view === null && list.sort === null && list.page === 1 && !list.isFiltered;
  const isWaiting = useRef(isPlain && name !== undefined && id !== null);
  // A change by the user in the meantime wins.
  if (!isPlain) isWaiting.current = false;
  return { id, set, isPending: isWaiting.current };
}

/** Opens the default view once the views are loaded. Back leaves the list instead of the view. */
export function useOpenDefault<T>(list: List<T>, { id, isPending }: DefaultView, views: readonly View[] | undefined) {
  const view = isPending ? views?.find((one) => one.id === id) : undefined;
  const { select } = list;
  const open = useRef(select);
  open.current = select;
  useEffect(() => {
    if (view) open.current(view.id, view.state, { replace: true });
  }, [view]);
}

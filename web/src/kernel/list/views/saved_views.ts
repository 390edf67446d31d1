/**
 * The saved views of a list. The URL names the active view and includes its filters and sort order, so a link works for
 * users who cannot see the view. Column changes are kept on the device until they are saved to the view.
 */
import { type ViewList, viewList } from '@parley/contract/views/lists.ts';
import type { View, ViewState } from '@parley/contract/views/views.ts';
import type { ComponentType } from 'react';
import {
  type ColumnState,
  NO_CHOICE,
  resetColumns,
  shownKeys,
  useStoredColumns,
} from '../../../ui/data/table/column_choice.ts';
import type { Column } from '../../../ui/data/table/columns.ts';
import type { List } from '../list.tsx';
import { useDefaultView, useOpenDefault } from './default_view.ts';
import { storeView, useViews } from './stored_views.ts';

export interface SavedViews {
  list: ViewList;
  /** The key of the table's columns. */
  table: string;
  /** The columns of the active view. */
  columns: ColumnState | undefined;
  active: View | undefined;
  isModified: boolean;
  /** The view that opens with the list. */
  defaultId: string | null;
  /** Null if the list always opens without a view. */
  setDefault: ((id: string | null) => void) | null;
  /** Shows how many rows a view has. */
  Count?: ComponentType<{ view: View }>;
  /** The filters, the order, and the columns on the screen. */
  current: ViewState;
  /** Opens a view and discards the changes made to it on this device. */
  open: (view: View) => void;
  /** Shows the list without a view. */
  leave: () => void;
  /** Opens a view that was just saved from the current screen. */
  follow: (view: View) => void;
}

/** Null if the list has no views. */
export function useSavedViews<T>(list: List<T>, table: string, columns: readonly Column<T>[]): SavedViews | null {
  // The tables of all channels share their views. The name of the channel follows the dot.
  const name = viewList(table.split('.')[0] ?? table);
  const fallback = useDefaultView(list, name);
  const { views } = useViews(name, list.view !== null || fallback.isPending);
  useOpenDefault(list, fallback, views);
  const active = list.view === null ? undefined : views?.find(({ id }) => id === list.view);
  const key = active ? viewTable(table, active.id) : table;
  const chosen = useStoredColumns(key);
  if (!name) return null;
  const current: ViewState = {
    filters: { ...list.filters },
    sort: list.sort,
    columns: copyColumns(chosen ?? active?.state.columns ?? NO_CHOICE),
  };
  return {
    list: name,
    table: key,
    columns: active?.state.columns,
    active,
    isModified: active !== undefined && !isSame(list, columns, active.state, current),
    defaultId: fallback.id,
    setDefault: fallback.set,
    current,
    open: (view) => {
      resetColumns(viewTable(table, view.id));
      list.select(view.id, view.state);
    },
    leave: () => list.select(null, { filters: {}, sort: null }),
    follow: (view) => {
      storeView(name, view);
      resetColumns(viewTable(table, view.id));
      list.select(view.id, list);
    },
  };
}

const viewTable = (table: string, view: string): string => `${table}@${view}`;

const copyColumns = ({ shown, order }: ColumnState) => ({ shown: { ...shown }, order: [...order] });

/** Filters, orders, and columns that the list no longer has do not count. */
function isSame<T>(list: List<T>, columns: readonly Column<T>[], saved: ViewState, current: ViewState): boolean {
  const [was, is] = [list.known(saved), list.known(current)];
  const names = Object.keys(is.filters);
  return (
    was.sort === is.sort &&
    names.length === Object.keys(was.filters).length &&
    names.every((name) => was.filters[name] === is.filters[name]) &&
    shownKeys(columns, saved.columns).join() === shownKeys(columns, current.columns).join()
  );
}

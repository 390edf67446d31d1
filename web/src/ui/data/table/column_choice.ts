/** The columns that the user has chosen for a table on this device, and their order. */
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Column } from './columns.ts';

export interface ColumnState {
  /** True for columns that the user turned on, false for those turned off. */
  shown: Readonly<Record<string, boolean>>;
  /** Column keys. Columns that are missing here stay at their own place. */
  order: readonly string[];
}

export const NO_CHOICE: ColumnState = { shown: {}, order: [] };
const storageKey = (table: string) => `parley.columns.${table}`;
const cache = new Map<string, ColumnState | null>();
const listeners = new Set<() => void>();

function readStored(table: string): ColumnState | null {
  const cached = cache.get(table);
  if (cached !== undefined) return cached;
  let stored: ColumnState | null = null;
  try {
    const value = JSON.parse(localStorage.getItem(storageKey(table)) ?? 'null') as Partial<ColumnState> | null;
    if (value && typeof value.shown === 'object' && Array.isArray(value.order)) stored = value as ColumnState;
  } catch {
    // A damaged choice is the same as none.
  }
  cache.set(table, stored);
  return stored;
}

function writeStored(table: string, stored: ColumnState | null): void {
  cache.set(table, stored);
  try {
    if (stored === null) localStorage.removeItem(storageKey(table));
    else localStorage.setItem(storageKey(table), JSON.stringify(stored));
  } catch {
    // Without storage, the choice lasts until the page reloads.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab has changed the choice.
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && !key.startsWith(storageKey(''))) return;
    cache.clear();
    listener();
  };
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

export interface ColumnChoice<T> {
  /** All columns in the user's order. */
  ordered: Column<T>[];
  /** The columns in use, in the user's order. */
  shown: Column<T>[];
  isShown: (column: Column<T>) => boolean;
  toggle: (column: Column<T>) => void;
  /** Moves the column to another index of `ordered`. */
  move: (column: Column<T>, to: number) => void;
  isChanged: boolean;
  reset: () => void;
}

/** The choice on this device; null if there is none. */
export const useStoredColumns = (table: string): ColumnState | null =>
  useSyncExternalStore(subscribe, () => readStored(table));

/** Forgets the choice on this device. */
export const resetColumns = (table: string): void => writeStored(table, null);

/** The keys of the columns in use, in the user's order. */
export const shownKeys = <T>(columns: readonly Column<T>[], state: ColumnState): string[] =>
  sortColumns(columns, state.order)
    .filter((column) => isColumnShown(column, state))
    .map(({ key }) => key);

const isColumnShown = <T>(column: Column<T>, { shown }: ColumnState): boolean =>
  column.fixed === true || (shown[column.key] ?? column.hidden !== true);

/** Without a choice on this device, the columns are those of `saved`. */
export function useColumnChoice<T>(
  table: string,
  columns: readonly Column<T>[],
  saved: ColumnState = NO_CHOICE,
): ColumnChoice<T> {
  const chosen = useStoredColumns(table);
  const stored = chosen ?? saved;
  const isShown = useCallback((column: Column<T>) => isColumnShown(column, stored), [stored]);
  const ordered = useMemo(() => sortColumns(columns, stored.order), [columns, stored]);
  return {
    ordered,
    shown: useMemo(() => ordered.filter(isShown), [ordered, isShown]),
    isShown,
    toggle: (column) => writeStored(table, { ...stored, shown: { ...stored.shown, [column.key]: !isShown(column) } }),
    move: (column, to) => {
      const keys = ordered.map(({ key }) => key).filter((key) => key !== column.key);
      keys.splice(to, 0, column.key);
      writeStored(table, { ...stored, order: keys });
    },
    isChanged: chosen !== null,
    reset: () => resetColumns(table),
  };
}

/** Sorts by the chosen order. A column that is not in it follows the column that precedes it in the code. */
function sortColumns<T>(columns: readonly Column<T>[], order: readonly string[]): Column<T>[] {
  if (order.length === 0) return [...columns];
  const result = order.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  columns.forEach((column, index) => {
    if (order.includes(column.key)) return;
    const before = columns[index - 1];
    result.splice(before ? result.indexOf(before) + 1 : 0, 0, column);
  });
  return result;
}

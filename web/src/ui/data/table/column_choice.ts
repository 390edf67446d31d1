/** The columns that the user has chosen for a table on this device, and their order. */
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Column } from './columns.ts';

interface Stored {
  /** True for columns that the user turned on, false for those turned off. */
  shown: Readonly<Record<string, boolean>>;
  /** Column keys. Columns that are missing here stay at their own place. */
  order: readonly string[];
}

const NONE: Stored = { shown: {}, order: [] };
const storageKey = (table: string) => `parley.columns.${table}`;
const cache = new Map<string, Stored>();
const listeners = new Set<() => void>();

function readStored(table: string): Stored {
  const cached = cache.get(table);
  if (cached) return cached;
  let stored = NONE;
  try {
    const value = JSON.parse(localStorage.getItem(storageKey(table)) ?? 'null') as Partial<Stored> | null;
    if (value && typeof value.shown === 'object' && Array.isArray(value.order)) stored = value as Stored;
  } catch {
    // A damaged choice is the same as none.
  }
  cache.set(table, stored);
  return stored;
}

function writeStored(table: string, stored: Stored): void {
  cache.set(table, stored);
  try {
    localStorage.setItem(storageKey(table), JSON.stringify(stored));
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

export function useColumnChoice<T>(table: string, columns: readonly Column<T>[]): ColumnChoice<T> {
  const stored = useSyncExternalStore(subscribe, () => readStored(table));
  const isShown = useCallback(
    (column: Column<T>) => column.fixed === true || (stored.shown[column.key] ?? column.hidden !== true),
    [stored],
  );
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
    isChanged: stored.order.length > 0 || Object.keys(stored.shown).length > 0,
    reset: () => writeStored(table, NONE),
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

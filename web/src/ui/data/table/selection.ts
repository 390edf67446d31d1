/** The selected rows of a table: some rows of the page, or all rows of the list on all pages. */
import { useMemo, useState } from 'react';
import type { AllRows, AllSelected } from './columns.ts';

export interface Selection<T> {
  keys: ReadonlySet<string>;
  /** The selected rows of the page. */
  rows: T[];
  /** Set if all rows on all pages are selected. */
  all: AllSelected | null;
  isPageSelected: boolean;
  has: (key: string) => boolean;
  toggle: (key: string, on: boolean) => void;
  togglePage: () => void;
  selectAll: () => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

export function useSelection<T>(
  rows: readonly T[] | undefined,
  rowKey: (row: T) => string,
  everything: AllRows | undefined,
): Selection<T> {
  const [keys, setKeys] = useState(NONE);
  // "All" means all rows of one filter. Under another filter, nothing is selected.
  const scope = JSON.stringify(everything?.filter ?? null);
  const [allOf, setAllOf] = useState<{ scope: string; at: number } | null>(null);
  const isAll = everything !== undefined && allOf?.scope === scope;
  const selected = useMemo(
    () => (rows ?? []).filter((row) => isAll || keys.has(rowKey(row))),
    [rows, rowKey, keys, isAll],
  );
  const isPageSelected = rows !== undefined && rows.length > 0 && selected.length === rows.length;
  const select = (next: ReadonlySet<string>) => {
    setKeys(next);
    setAllOf(null);
  };
  const pageKeys = () => new Set((rows ?? []).map(rowKey));
  return {
    keys,
    rows: selected,
    all: isAll ? { ...everything, at: allOf.at } : null,
    isPageSelected,
    has: (key) => isAll || keys.has(key),
    // A row that is taken out of "all" leaves the other rows of the page selected.
    toggle: (key, on) => {
      const next = new Set(isAll ? pageKeys() : keys);
      if (on) next.add(key);
      else next.delete(key);
      select(next);
    },
    togglePage: () => select(isPageSelected ? NONE : pageKeys()),
    selectAll: () => setAllOf({ scope, at: Date.now() }),
    clear: () => select(NONE),
  };
}

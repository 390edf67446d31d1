/**
 * The list whose record is open in the panel. The list offers its neighbors, so that the panel can step through the
 * list without knowing its page.
 */
import { useSyncExternalStore } from 'react';

export interface PanelList {
  /** Opens the record above. Null in the first row. */
  previous: (() => void) | null;
  /** Opens the record below. Null in the last row. */
  next: (() => void) | null;
  /** Focuses the row of the open record. Returns whether the row is still there. */
  focusRow: () => boolean;
}

let current: PanelList | null = null;
const listeners = new Set<() => void>();

function change(next: PanelList | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Makes the list the panel's list. Returns a function that withdraws it. */
export function offerList(list: PanelList): () => void {
  change(list);
  return () => {
    if (current === list) change(null);
  };
}

/** The list with the open record; null if the record is not in a list of the page. */
export const usePanelList = (): PanelList | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );

/**
 * The conversation that the Quick Reply dialog shows. Any page opens the dialog; the inbox draws it. Clearing the
 * selection closes it.
 */
import { useSyncExternalStore } from 'react';

/** A conversation, or the number of a person whose latest conversation is looked up. */
export type QuickReplyTarget = { id: string } | { number: string };

let selected: QuickReplyTarget | null = null;
const listeners = new Set<() => void>();

export function openQuickReply(target: QuickReplyTarget): void {
  selected = target;
  for (const listener of listeners) listener();
}

export function closeQuickReply(): void {
  selected = null;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useQuickReplyTarget = (): QuickReplyTarget | null => useSyncExternalStore(subscribe, () => selected);

/** The number of unread messages, shown in the window's title and icon. Set by the menu. */
let count = 0;
const listeners = new Set<() => void>();

export function setUnread(next: number): void {
  if (next === count) return;
  count = next;
  for (const listener of listeners) listener();
}

export const readUnread = (): number => count;

export function subscribeUnread(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

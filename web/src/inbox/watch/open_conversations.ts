/**
 * The conversations that are open on this page: in the inbox or in the Quick Reply dialog. When one becomes
 * unavailable, its view closes.
 */
import { useEffect, useRef } from 'react';

interface View {
  id: string;
  close: () => void;
}

const views = new Set<View>();

/** Registers a view of a conversation while it is open. */
export function useOpenConversation(id: string | null, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (id === null) return;
    const view = { id, close: () => latest.current() };
    views.add(view);
    return () => {
      views.delete(view);
    };
  }, [id]);
}

export const openConversations = (): string[] => [...new Set([...views].map(({ id }) => id))];

export const isOpen = (id: string): boolean => [...views].some((view) => view.id === id);

export function closeViews(id: string): void {
  for (const view of [...views]) if (view.id === id) view.close();
}

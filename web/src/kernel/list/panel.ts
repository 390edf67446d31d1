/**
 * A side panel whose record is in the URL (`?open=<id>`), so that the user can link to it, reload it, and close it with
 * Back.
 */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

interface PanelState {
  id: string | null;
  open: (id: string) => void;
  close: () => void;
}

export function usePanel(name = 'open'): PanelState {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const set = useCallback(
    (id: string | undefined, replace: boolean) =>
      void navigate({
        to: '.',
        search: ((old: Record<string, unknown>) => ({ ...old, [name]: id })) as never,
        replace,
        resetScroll: false,
      }),
    [navigate, name],
  );
  const id = search[name] || null;
  return {
    id,
    // Switching to another row replaces the URL, so that Back leaves the panel instead of stepping through rows.
    open: useCallback((next: string) => set(next, id !== null), [set, id]),
    close: useCallback(() => set(undefined, true), [set]),
  };
}

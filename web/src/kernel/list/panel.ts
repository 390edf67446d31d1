/** A side panel whose content is named by the address (`?open=<id>`), so that it can be linked, reloaded, and closed by going back. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export interface PanelState {
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
    // From one row to the next the address is replaced: going back leads out of the panel, not through every row.
    open: useCallback((next: string) => set(next, id !== null), [set, id]),
    close: useCallback(() => set(undefined, true), [set]),
  };
}

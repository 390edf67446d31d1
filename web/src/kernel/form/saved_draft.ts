/**
 * A form's unsaved input, kept in this tab so that it survives a reload. It is stored per user, so that the next user
 * of the tab never sees it, and it is discarded when the user saves the form or leaves without saving. Never use it for
 * secrets.
 */
import { useMemo, useState } from 'react';
import { useSession } from '../session/session.tsx';

type Values = object;

export interface SavedDraft<V extends Values> {
  /** The draft at the time the page opened; contains only the changed fields. */
  saved: Partial<V> | null;
  save: (values: V) => void;
  discard: () => void;
}

/** `initial` holds the saved values; fields equal to them are not stored. */
export function useSavedDraft<V extends Values>(name: string, initial: V): SavedDraft<V> {
  const key = `parley.typed.${useSession().user.id}.${name}`;
  const [start] = useState(() => ({ initial, saved: read(key, initial) }));
  return useMemo(() => {
    const discard = () => sessionStorage.removeItem(key);
    const save = (values: V) => {
      const changed = Object.entries(values).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(start.initial[name as keyof V]),
      );
      if (changed.length > 0) sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(changed)));
      else discard();
    };
    return { saved: start.saved, save, discard };
  }, [key, start]);
}

/** Reads the stored draft, ignoring fields that an app update has removed or changed. */
function read<V extends Values>(key: string, initial: V): Partial<V> | null {
  const text = sessionStorage.getItem(key);
  if (!text) return null;
  const entries = Object.entries(JSON.parse(text) as Values).filter(
    ([name, value]) => name in initial && hasSameType(value, initial[name as keyof V]),
  );
  return entries.length > 0 ? (Object.fromEntries(entries) as Partial<V>) : null;
}

const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const hasSameType = (value: unknown, model: unknown): boolean =>
  model === null || value === null || typeName(value) === typeName(model);

/**
 * What is typed and not saved yet, in this tab: it survives a reload, not the tab. Under the person, so that nobody who signs in after them finds
 * it; given up when it is saved, or when somebody says that it may be lost. Never for secrets.
 */
import { useMemo, useState } from 'react';
import { useSession } from '../session/session.tsx';

type Values = object;

export interface SavedDraft<V extends Values> {
  /** What was found when the page was opened: only fields that were changed. */
  saved: Partial<V> | null;
  save: (values: V) => void;
  drop: () => void;
}

/** `initial` is what stands without it; what is the same there is not kept. */
export function useSavedDraft<V extends Values>(what: string, initial: V): SavedDraft<V> {
  const key = `parley.typed.${useSession().user.id}.${what}`;
  const [start] = useState(() => ({ initial, saved: read(key, initial) }));
  return useMemo(() => {
    const drop = () => sessionStorage.removeItem(key);
    const save = (values: V) => {
      const changed = Object.entries(values).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(start.initial[name as keyof V]),
      );
      if (changed.length > 0) sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(changed)));
      else drop();
    };
    return { saved: start.saved, save, drop };
  }, [key, start]);
}

/** A form may have changed with an update of the page: what does not fit it any more is left out. */
function read<V extends Values>(key: string, initial: V): Partial<V> | null {
  const text = sessionStorage.getItem(key);
  if (!text) return null;
  const fitting = Object.entries(JSON.parse(text) as Values).filter(
    ([name, value]) => name in initial && isLike(value, initial[name as keyof V]),
  );
  return fitting.length > 0 ? (Object.fromEntries(fitting) as Partial<V>) : null;
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const isLike = (value: unknown, model: unknown): boolean =>
  model === null || value === null || kindOf(value) === kindOf(model);

import { useCallback, useEffect, useState } from 'react';
import { type Draft, emptyDraft, isEmpty, readDraft, writeDraft } from './draft.ts';

export interface DraftState {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  /** Discards the stored draft and returns to the initial one. */
  startOver: () => void;
  /** Deletes the stored draft after it was sent or saved. */
  finish: () => void;
  /** True if the draft was restored from an earlier visit. */
  restored: boolean;
  /** True if another tab sent or discarded the draft, so that this tab must not send it as well. */
  isStale: boolean;
  /** Stores the draft again, as a new campaign with the same content. */
  keep: () => void;
}

/** Stores the draft in the browser after every change. */
export function useDraft(key: string, initial: Draft = emptyDraft()): DraftState {
  const [stored] = useState(() => readDraft(key));
  const [draft, setDraft] = useState(stored ?? initial);
  const [restored, setRestored] = useState(stored !== null && !isEmpty(stored));
  const [isStale, setGone] = useState(false);
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === key || event.key === null) setGone(event.newValue === null);
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [key]);
  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((old) => {
        const next = { ...old, ...changes };
        if (!isStale) writeDraft(key, next);
        return next;
      }),
    [key, isStale],
  );
  return {
    draft,
    change,
    restored,
    isStale,
    keep: () => {
      writeDraft(key, draft);
      setGone(false);
    },
    startOver: () => {
      writeDraft(key, null);
      setDraft(initial);
      setRestored(false);
      setGone(false);
    },
    finish: () => writeDraft(key, null),
  };
}

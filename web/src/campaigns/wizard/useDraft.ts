import { useCallback, useEffect, useState } from 'react';
import { type Draft, emptyDraft, isEmpty, readDraft, writeDraft } from './draft.ts';

export interface DraftState {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  /** Back to how it began; what was kept is thrown away. */
  startOver: () => void;
  /** It has been sent or saved elsewhere: nothing is kept any more. */
  finish: () => void;
  /** Something of an earlier visit was found. */
  restored: boolean;
  /** Another tab has sent it or thrown it away: what stands here must not be sent as well. */
  gone: boolean;
  /** It is to be another one, with the same words. */
  keep: () => void;
}

/** Kept in the browser with every change, under its own key. */
export function useDraft(key: string, initial: Draft = emptyDraft()): DraftState {
  const [first] = useState(() => readDraft(key));
  const [draft, setDraft] = useState(first ?? initial);
  const [restored, setRestored] = useState(first !== null && !isEmpty(first));
  const [gone, setGone] = useState(false);
  useEffect(() => {
    const hear = (event: StorageEvent) => {
      if (event.key === key || event.key === null) setGone(event.newValue === null);
    };
    window.addEventListener('storage', hear);
    return () => window.removeEventListener('storage', hear);
  }, [key]);
  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((old) => {
        const next = { ...old, ...changes };
        if (!gone) writeDraft(key, next);
        return next;
      }),
    [key, gone],
  );
  return {
    draft,
    change,
    restored,
    gone,
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

import { useCallback, useState } from 'react';
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
}

/** Kept in the browser with every change, under its own key. */
export function useDraft(key: string, initial: Draft = emptyDraft()): DraftState {
  const [first] = useState(() => readDraft(key));
  const [draft, setDraft] = useState(first ?? initial);
  const [restored, setRestored] = useState(first !== null && !isEmpty(first));
  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((old) => {
        const next = { ...old, ...changes };
        writeDraft(key, next);
        return next;
      }),
    [key],
  );
  return {
    draft,
    change,
    restored,
    startOver: () => {
      writeDraft(key, null);
      setDraft(initial);
      setRestored(false);
    },
    finish: () => writeDraft(key, null),
  };
}

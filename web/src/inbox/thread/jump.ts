/** Opens a thread at one of its messages or notes: loads older messages until it is there, and highlights it. */
import { useEffect, useRef, useState } from 'react';
import { toast } from '../../ui/feedback/Toasts.tsx';
import type { Row } from './rows.ts';
import type { Thread } from './thread.ts';

const HIGHLIGHT_MS = 2_500;

/** Returns the key of the row to highlight. `show` scrolls to a row. */
export function useJump(
  target: string | null,
  { loading, error, messages, hasOlder, loadingOlder, loadOlder }: Thread,
  rows: readonly Row[],
  show: (index: number) => void,
): string | null {
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const reached = useRef<string | null>(null);
  useEffect(() => {
    if (target === null) reached.current = null;
    if (target === null || loading || error || reached.current === target) return;
    const index = rows.findIndex(({ key }) => key === target);
    const oldest = messages[0]?.id;
    // IDs are ordered by time.
    if (index < 0 && hasOlder && oldest !== undefined && oldest > target) {
      if (!loadingOlder) loadOlder({ many: true });
      return;
    }
    reached.current = target;
    if (index < 0) {
      toast.error('This message is no longer in the conversation');
      return;
    }
    show(index);
    setHighlighted(target);
  }, [target, loading, error, messages, hasOlder, loadingOlder, loadOlder, rows, show]);
  useEffect(() => {
    if (highlighted === null) return;
    const timer = setTimeout(() => setHighlighted(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlighted]);
  return highlighted;
}

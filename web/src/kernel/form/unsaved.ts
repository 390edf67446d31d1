/** Asks before unsaved changes are lost, with the same question on every page. */
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { confirm } from '../../ui/feedback/Confirm.tsx';

interface Guard {
  isDirty: () => boolean;
  onLeave: (() => void) | undefined;
}

/** The guards of the page. A page with several changed forms asks once. */
const guards = new Set<Guard>();

/**
 * Asks for confirmation before the user leaves the page while `isDirty()`; calls `onLeave` when the user leaves without
 * saving.
 */
export function useUnsavedGuard(isDirty: () => boolean, onLeave?: () => void): void {
  const guard = useRef<Guard>({ isDirty, onLeave });
  useEffect(() => {
    Object.assign(guard.current, { isDirty, onLeave });
  });
  useEffect(() => {
    const own = guard.current;
    guards.add(own);
    return () => {
      guards.delete(own);
    };
  }, []);
  useBlocker({
    shouldBlockFn: async ({ current, next, action }) => {
      // A list behind a dialog keeps its filters in the address. Changing them leaves no form.
      if (action === 'REPLACE' && next.pathname === current.pathname) return false;
      const dirty = [...guards].filter((one) => one.isDirty());
      if (dirty[0] !== guard.current) return false;
      const leaves = await confirm({
        title: 'Leave without saving?',
        consequence: 'Your changes will be lost.',
        action: 'Leave',
        cancel: 'Stay',
      });
      if (leaves) for (const one of dirty) one.onLeave?.();
      return !leaves;
    },
    enableBeforeUnload: () => isDirty(),
  });
}

/** True if a reload would lose input. The notice of a new version waits for it. */
export const hasUnsavedInput = (): boolean => [...guards].some(({ isDirty }) => isDirty());

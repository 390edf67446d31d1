/** Whether the page holds input that a reload would lose. Forms report it; the notice of a new version waits for it. */
import { useEffect, useRef } from 'react';

const checks = new Set<() => boolean>();

export function useUnsavedMark(isDirty: () => boolean): void {
  const latest = useRef(isDirty);
  useEffect(() => {
    latest.current = isDirty;
  });
  useEffect(() => {
    const check = () => latest.current();
    checks.add(check);
    return () => {
      checks.delete(check);
    };
  }, []);
}

export const hasUnsavedInput = (): boolean => [...checks].some((isDirty) => isDirty());

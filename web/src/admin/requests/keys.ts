/** Single letters, wherever the focus is, unless somebody is writing or chooses from a list. */
import { useEffect, useRef } from 'react';

export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const target = event.target as HTMLElement;
      // A radio is an input too, but nobody writes in it.
      if (target.closest('input:not([type="radio"]), textarea, select, [contenteditable="true"], [role="listbox"]'))
        return;
      const act = latest.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

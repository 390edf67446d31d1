/** Single-letter shortcuts. They work wherever the focus is, except in text fields and open lists. */
import { useEffect, useRef } from 'react';

export function useShortcuts(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const target = event.target as HTMLElement;
      // A radio button is an input element but accepts no text.
      if (target.closest('input:not([type="radio"]), textarea, select, [contenteditable="true"], [role="listbox"]'))
        return;
      const action = latest.current[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/**
 * Shortcuts: J and K move through the list, R replies, Esc goes back. Disabled while the user is typing or a dialog is
 * open.
 */
import { useEffect, useRef } from 'react';

export interface InboxKeys {
  move: (step: 1 | -1) => void;
  reply: () => void;
  leave: () => void;
}

export function useInboxKeys(keys: InboxKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (target.closest('[role="dialog"], [role="menu"], [role="listbox"]')) return;
      if (target.closest('input, textarea, select, [contenteditable="true"]')) {
        // The first Esc leaves the field; the next one closes the conversation.
        if (event.key === 'Escape') target.blur();
        return;
      }
      const action = {
        j: () => latest.current.move(1),
        k: () => latest.current.move(-1),
        r: () => latest.current.reply(),
        escape: () => latest.current.leave(),
      }[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/**
 * The keyboard shortcuts of the open page. Components declare theirs while they are mounted. A shortcut does not fire
 * while the user types, while a dialog or menu is open, or together with Ctrl, Cmd, or Alt.
 */
import { useEffect, useRef } from 'react';

interface Shortcut {
  /** The key: `J`, `/`, `Escape`. */
  keys: string;
  label: string;
  run: () => void;
  /** The shortcut is off while this returns false. */
  when?: () => boolean;
}

interface ShortcutGroup {
  group: string;
  shortcuts: readonly Shortcut[];
}

const declared = new Set<{ current: ShortcutGroup }>();

const BLOCKING = '[role="dialog"], [role="menu"], [role="listbox"]';
const TYPING = 'input, textarea, select, [contenteditable="true"]';

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(event.target instanceof Element) || event.target.closest(`${BLOCKING}, ${TYPING}`)) return;
  const key = event.key.toLowerCase();
  // The component that was mounted last comes first.
  for (const { current } of [...declared].reverse()) {
    const shortcut = current.shortcuts.find(({ keys, when }) => keys.toLowerCase() === key && (when?.() ?? true));
    if (!shortcut) continue;
    event.preventDefault();
    shortcut.run();
    return;
  }
}

export function useShortcuts(group: string, shortcuts: readonly Shortcut[]): void {
  const latest = useRef<ShortcutGroup>({ group, shortcuts });
  useEffect(() => {
    latest.current = { group, shortcuts };
  });
  useEffect(() => {
    if (declared.size === 0) document.addEventListener('keydown', onKeyDown);
    declared.add(latest);
    return () => {
      declared.delete(latest);
      if (declared.size === 0) document.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

/**
 * Keyboard shortcuts of a page, declared in one place by group. A shortcut is a single key without modifiers. It does
 * not run while the user types, or while a dialog or menu is open.
 */
import { useEffect, useRef } from 'react';

export interface Shortcut {
  /** The key as in `KeyboardEvent.key`: `j`, `ArrowDown`. */
  keys: string;
  /** What it does: "Next row". */
  label: string;
  run: () => void;
  /** False lets the key do what it does otherwise. */
  when?: () => boolean;
}

interface Declared {
  group: string;
  list: () => readonly Shortcut[];
}

const declared = new Set<Declared>();

export function useShortcuts(group: string, shortcuts: readonly Shortcut[]): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    const one: Declared = { group, list: () => current.current };
    if (declared.size === 0) document.addEventListener('keydown', press);
    declared.add(one);
    return () => {
      declared.delete(one);
      if (declared.size === 0) document.removeEventListener('keydown', press);
    };
  }, [group]);
}

const TYPING = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';
const OVERLAY = '[role="dialog"], [role="menu"], [role="listbox"]';

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as Element | null;
  if (target?.closest?.(`${TYPING}, ${OVERLAY}`) || document.querySelector('[aria-modal="true"]')) return;
  for (const { list } of declared) {
    const found = list().find(({ keys, when }) => keys === event.key.replace(/^[A-Z]$/, lower) && (when?.() ?? true));
    if (!found) continue;
    event.preventDefault();
    found.run();
    return;
  }
}

const lower = (letter: string) => letter.toLowerCase();

/**
 * The keyboard shortcuts of the open page. A component declares its shortcuts with `useShortcuts`; they work while it
 * is mounted, and the dialog that `?` opens lists them. Shortcuts never fire while the user types in a field, in an
 * open menu or list, or while a dialog is open.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface Shortcut {
  /**
   * The keys, any one of which triggers the shortcut: `J`, `ArrowDown`, `Enter`, `/`, `?`. `mod+K` is Cmd or Ctrl with
   * K, and also works in fields and dialogs.
   */
  keys: string | readonly string[];
  /** The effect: "Open the next message". */
  label: string;
  run: (event: KeyboardEvent) => void;
  /** Whether it applies now. A shortcut that does not apply leaves the key to the browser. */
  when?: () => boolean;
  /** Also works inside dialogs, such as a panel that covers the page. */
  inDialogs?: boolean;
}

export interface ShortcutGroup {
  name: string;
  shortcuts: readonly Shortcut[];
}

interface Declaration {
  group: string;
  latest: { current: readonly Shortcut[] };
}

let declarations: readonly Declaration[] = [];
const listeners = new Set<() => void>();
function change(next: readonly Declaration[]): void {
  if (next.length > 0 && declarations.length === 0) document.addEventListener('keydown', onKeyDown);
  if (next.length === 0) document.removeEventListener('keydown', onKeyDown);
  declarations = next;
  for (const listener of listeners) listener();
}

/** Declares the shortcuts of a page or component under the heading `group`. If two use a key, the later one wins. */
export function useShortcuts(group: string, shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const declaration = { group, latest };
    change([...declarations, declaration]);
    return () => change(declarations.filter((other) => other !== declaration));
  }, [group]);
}

/** The group of the shortcuts that work on every page. */
export const EVERYWHERE = 'Everywhere';

/** All declared shortcuts by group; those that work on every page come last. */
export function useShortcutGroups(): readonly ShortcutGroup[] {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => declarations,
  );
  const groups = new Map<string, Shortcut[]>();
  for (const { group, latest } of current.toReversed()) {
    const listed = groups.get(group) ?? [];
    groups.set(group, [
      ...listed,
      ...latest.current.filter(({ label }) => listed.every((other) => other.label !== label)),
    ]);
  }
  return [...groups]
    .map(([name, shortcuts]) => ({ name, shortcuts }))
    .sort((a, b) => Number(a.name === EVERYWHERE) - Number(b.name === EVERYWHERE));
}

export const shortcutKeys = ({ keys }: Shortcut): readonly string[] => (typeof keys === 'string' ? [keys] : keys);

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const allowed = scope(event);
  for (const { latest } of declarations.toReversed())
    for (const shortcut of latest.current) {
      if (!shortcutKeys(shortcut).some((key) => matchesKey(event, key)) || !allowed(shortcut)) continue;
      if (shortcut.when && !shortcut.when()) continue;
      event.preventDefault();
      shortcut.run(event);
      return;
    }
}

function matchesKey(event: KeyboardEvent, key: string): boolean {
  const [name = '', modifier] = key.split('+').toReversed();
  if ((modifier === 'mod') !== (event.ctrlKey || event.metaKey)) return false;
  // Shift is part of the character for `?` and `/`; letters and arrows need it only as a declared modifier.
  const isNamed = name.length > 1 || /[a-z]/i.test(name);
  if (isNamed && modifier !== 'mod' && (modifier === 'Shift') !== event.shiftKey) return false;
  return event.key.toLowerCase() === name.toLowerCase();
}

// A radio button or checkbox is an input element but accepts no text.
const FIELDS = [
  'input:not([type="radio"], [type="checkbox"], [type="button"], [type="submit"])',
  'textarea',
  'select',
  '[contenteditable="true"]',
].join(', ');
const OPEN_LISTS = '[role="menu"], [role="listbox"], [role="combobox"]';
const ARROW_CONTROLS = 'input, [role="radiogroup"], [role="tablist"]';
const PRESSABLE = 'a, button, summary, [role="button"], [role="link"], [role="checkbox"], input';

/** Returns a filter for the shortcuts that may fire at the target of the event. */
function scope({ target, key, ctrlKey, metaKey }: KeyboardEvent): (shortcut: Shortcut) => boolean {
  if (ctrlKey || metaKey) return () => true;
  const element = target instanceof Element ? target : document.body;
  if (element.closest(FIELDS) || element.closest(OPEN_LISTS)) return () => false;
  if (key.startsWith('Arrow') && element.closest(ARROW_CONTROLS)) return () => false;
  if ((key === 'Enter' || key === ' ') && element.closest(PRESSABLE)) return () => false;
  if (element.closest('[role="dialog"]') || document.querySelector('[aria-modal="true"]'))
    return ({ inDialogs }) => inDialogs === true;
  return () => true;
}

/** Focus and the Esc key of a panel beside the page. The focus is never trapped in it. */
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { PanelList } from './panel_list.ts';

type Root = RefObject<HTMLElement | null>;

/**
 * A panel that the user opens takes the focus. When it closes, the focus returns to the row of its record, or else to
 * the element that opened it.
 */
export function usePanelFocus(root: Root, list: PanelList | null): void {
  const latest = useRef(list);
  // The list withdraws its row when the panel closes, so the last row is kept.
  if (list) latest.current = list;
  const opener = useRef<HTMLElement | null>(null);
  // A key that follows immediately, such as Esc, must find the focus in the panel.
  useLayoutEffect(() => {
    const active = document.activeElement;
    opener.current = active instanceof HTMLElement && active !== document.body ? active : null;
    // A panel that a link or a reload opens leaves the focus on the page.
    if (opener.current && !opener.current.matches('h1, main'))
      (root.current?.querySelector<HTMLElement>('[data-autofocus]') ?? root.current)?.focus({ preventScroll: true });
  }, [root]);
  // Only after the panel is gone is it known whether the focus was lost.
  useEffect(
    () => () => {
      if (!isFocusLost() || latest.current?.focusRow()) return;
      // The row may be gone, too, because it no longer matches the filters.
      (opener.current?.isConnected ? opener.current : document.querySelector<HTMLElement>('main h1'))?.focus({
        preventScroll: true,
      });
    },
    [],
  );
}

/**
 * When the focused element disappears because the panel shows another record, the panel itself gets the focus, so that
 * the next Tab stays in the panel.
 */
export function useKeptFocus(panel: HTMLElement | null): void {
  useEffect(() => {
    if (!panel) return;
    let focused: Element | null = panel.contains(document.activeElement) ? document.activeElement : null;
    const onFocus = ({ target }: FocusEvent) => {
      focused = target instanceof Element && panel.contains(target) ? target : null;
    };
    // The panel's content can change without a render of the panel, so the elements are observed.
    const observer = new MutationObserver(() => {
      if (focused && !focused.isConnected && isFocusLost()) panel.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(panel, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, [panel]);
}

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

const LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [aria-expanded="true"]';
const FIELDS = 'input, textarea, select, [contenteditable="true"]';

/** Esc closes the panel, unless a dialog, a menu, or a field of the page uses the key. */
export function usePanelKeys(root: Root, onClose: () => void): void {
  const close = useRef(onClose);
  useLayoutEffect(() => {
    close.current = onClose;
  });
  // Runs as soon as the panel appears, so that no Esc is missed.
  useLayoutEffect(() => {
    let isTaken = false;
    // An open menu closes before the event reaches the document, so this is decided first.
    const before = ({ target }: KeyboardEvent) => {
      const element = target instanceof Element ? target : document.body;
      isTaken =
        document.querySelector('[aria-modal="true"]') !== null ||
        element.closest(LAYERS) !== null ||
        (element.matches(FIELDS) && root.current?.contains(element) !== true);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isTaken) return;
      event.preventDefault();
      close.current();
    };
    document.addEventListener('keydown', before, true);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', before, true);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [root]);
}

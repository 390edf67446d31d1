/**
 * Moves the focus to the page's title after every navigation, and to that of the next step of a task, so that screen
 * readers announce it.
 */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** A page may show its title only once its record has loaded. After this time the focus stays where it is. */
const PATIENCE_MS = 10_000;

export function TitleFocus() {
  const router = useRouter();
  useEffect(() => {
    let stop = () => {};
    let before = readTitle();
    let dialog: Element | null = null;
    const forget = router.subscribe('onBeforeNavigate', () => {
      dialog = findDialog();
    });
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      const old = before;
      before = readTitle();
      stop();
      // The first page and changed filters leave the focus where it is.
      if (!fromLocation || !(pathChanged || isNextStep(old)) || isKept(old, dialog)) return;
      stop = whenTitleShows(() => {
        before = readTitle();
      });
    });
    return () => {
      stop();
      forget();
      unsubscribe();
    };
  }, [router]);
  return null;
}

interface Title {
  element: HTMLElement;
  text: string;
}

const findTitle = (): HTMLElement | null => document.querySelector<HTMLElement>('h1');
const readTitle = (): Title | null => {
  const element = findTitle();
  return element && { element, text: element.textContent ?? '' };
};

/** The dialog that has the focus. */
const findDialog = (): Element | null => document.activeElement?.closest('[role="dialog"]') ?? null;

/** True if the page shows another step of a task, under another title, and without the control that led to it. */
const isNextStep = (old: Title | null): boolean =>
  document.activeElement === document.body && findTitle()?.textContent !== old?.text;

/**
 * True if the page has put the focus into a field of its own, as sign-in does; if the user has opened another dialog
 * since the navigation began, such as the command palette; or if the page is still the same and the user works in it,
 * as in a list whose panel follows the selected row.
 */
function isKept(old: Title | null, dialogBefore: Element | null): boolean {
  const active = document.activeElement;
  const dialog = findDialog();
  if (dialog && dialog !== dialogBefore) return true;
  if (!active?.closest('main')) return false;
  if (active.matches('input, textarea')) return true;
  const title = readTitle();
  return !active.matches('main, h1') && title !== null && title.element === old?.element && title.text === old.text;
}

/** Focuses the title, now or once the page shows it. Stops waiting once the user focuses something else. */
function whenTitleShows(onFocused: () => void): () => void {
  const start = document.activeElement;
  const focus = (): boolean => {
    const title = findTitle();
    if (!title) return false;
    if (!title.hasAttribute('tabindex')) title.tabIndex = -1;
    title.focus({ preventScroll: true });
    onFocused();
    return true;
  };
  if (focus()) return () => {};
  // Until then the content takes the focus, so that the next Tab begins in it.
  const main = document.querySelector<HTMLElement>('main');
  main?.focus({ preventScroll: true });
  const waiting = document.activeElement;
  const observer = new MutationObserver(() => {
    const active = document.activeElement;
    if ((active !== start && active !== waiting && active !== document.body) || focus()) stop();
  });
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}

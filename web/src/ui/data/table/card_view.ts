import { useLayoutEffect, useState } from 'react';

/** The widest table, in pixels, that shows its rows as cards: a phone. */
const CARD_WIDTH = 480;

/** Returns whether the element is so narrow that rows become cards. */
export function useCardView(element: HTMLElement | null): boolean {
  // The window's width is right in most cases, so that the first drawing needs no second one.
  const [isNarrow, setIsNarrow] = useState(() => window.innerWidth <= CARD_WIDTH);
  useLayoutEffect(() => {
    if (!element) return;
    const measure = () => {
      if (element.clientWidth > 0) setIsNarrow(element.clientWidth <= CARD_WIDTH);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return isNarrow;
}

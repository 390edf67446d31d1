/**
 * Where a thread stands: at its end when it is opened; it follows new messages while the end is in view and stays put while it is not; older
 * messages come in above without moving what is read. Done by hand because browsers anchor differently, and not at all at the very top.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Further from the end than this, and a way down is offered. */
const NEAR_END_PX = 100;
/** Closer to the top than this, and older messages are fetched. */
const NEAR_TOP_PX = 300;

export interface ThreadScroll {
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** The end is in view. False until something has been drawn. */
  atEnd: boolean;
  toEnd: () => void;
  onScroll: () => void;
}

export function useThreadScroll(options: {
  ready: boolean;
  /** Changes when something was added above. */
  oldest: string;
  /** Names what we sent last, while it is on its way. */
  own: string;
  onTop: () => void;
}): ThreadScroll {
  const { ready, oldest, own, onTop } = options;
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const seen = useRef({ opened: false, oldest, own, height: 0, top: 0, follow: true });
  const [atEnd, setAtEnd] = useState(false);

  const toEnd = useCallback(() => {
    const box = scroller.current;
    if (box) {
      box.scrollTop = box.scrollHeight;
      seen.current.top = box.scrollTop;
    }
    seen.current.follow = true;
  }, []);

  // After every drawing: heights are only known then.
  useLayoutEffect(() => {
    const box = scroller.current;
    const last = seen.current;
    if (!box || !ready) return;
    if (!last.opened || (own !== '' && last.own !== own)) toEnd();
    else if (last.oldest !== oldest) box.scrollTop += box.scrollHeight - last.height;
    else if (last.follow) toEnd();
    seen.current = { ...last, opened: true, oldest, own, height: box.scrollHeight };
    setAtEnd(isNearEnd(box));
  });

  // Fonts, pictures and window sizes change heights without anything being drawn by us.
  useEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (!ready || !box || !inner) return;
    const observer = new ResizeObserver(() => {
      if (seen.current.follow) toEnd();
      seen.current.height = box.scrollHeight;
    });
    observer.observe(box);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [ready, toEnd]);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box || !seen.current.opened) return;
    const last = seen.current;
    // Whoever goes up leaves the end. Where the end has gone down instead, under a picture that has come, it is followed.
    last.follow = isNearEnd(box) || (last.follow && box.scrollTop >= last.top);
    last.top = box.scrollTop;
    setAtEnd(last.follow);
    if (box.scrollTop < NEAR_TOP_PX) onTop();
  }, [onTop]);
  return { scroller, content, atEnd, toEnd, onScroll };
}

const isNearEnd = (box: HTMLElement): boolean => box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_END_PX;

/**
 * Scrolling of a thread. It opens at its end and follows new messages while the end is in view. Older messages load
 * above without moving the visible ones. Scripted because browsers differ in scroll anchoring, and none anchors at the
 * very top.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Farther from the end than this, a button to the end appears. */
const NEAR_END_PX = 100;
/** Closer to the top than this, older messages load. */
const NEAR_TOP_PX = 300;

export interface ThreadScroll {
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** The end is in view. False until the first render. */
  atEnd: boolean;
  toEnd: () => void;
  onScroll: () => void;
}

export function useThreadScroll(options: {
  ready: boolean;
  /** Changes when older messages are added. */
  oldest: string;
  /** The key of the reply that is being sent. */
  own: string;
  onTop: () => void;
}): ThreadScroll {
  const { ready, oldest, own, onTop } = options;
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const state = useRef({ opened: false, oldest, own, height: 0, top: 0, follow: true });
  const [atEnd, setAtEnd] = useState(false);

  const toEnd = useCallback(() => {
    const box = scroller.current;
    if (box) {
      box.scrollTop = box.scrollHeight;
      state.current.top = box.scrollTop;
    }
    state.current.follow = true;
  }, []);

  // Runs after every render, when heights are known.
  useLayoutEffect(() => {
    const box = scroller.current;
    const last = state.current;
    if (!box || !ready) return;
    if (!last.opened || (own !== '' && last.own !== own)) toEnd();
    else if (last.oldest !== oldest) box.scrollTop += box.scrollHeight - last.height;
    else if (last.follow) toEnd();
    state.current = { ...last, opened: true, oldest, own, height: box.scrollHeight };
    setAtEnd(isNearEnd(box));
  });

  // Fonts, images and window sizes change heights without a render.
  useEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (!ready || !box || !inner) return;
    const observer = new ResizeObserver(() => {
      if (state.current.follow) toEnd();
      state.current.height = box.scrollHeight;
    });
    observer.observe(box);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [ready, toEnd]);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box || !state.current.opened) return;
    const last = state.current;
    // Scrolling up stops following. If an image grew instead and moved the end, following continues.
    last.follow = isNearEnd(box) || (last.follow && box.scrollTop >= last.top);
    last.top = box.scrollTop;
    setAtEnd(last.follow);
    if (box.scrollTop < NEAR_TOP_PX) onTop();
  }, [onTop]);
  return { scroller, content, atEnd, toEnd, onScroll };
}

const isNearEnd = (box: HTMLElement): boolean => box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_END_PX;

/**
 * Controls how a thread scrolls. The thread opens at its end and follows new messages while the end is in view. Older
 * messages load above the visible ones without moving them. This is scripted because browsers differ in scroll
 * anchoring, and no browser anchors at the very top.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** A button to the end appears if the user scrolls farther from the end than this. */
const NEAR_END_PX = 100;
/** Older messages load if the user scrolls closer to the top than this. */
const NEAR_TOP_PX = 300;

export interface ThreadScroll {
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** True if the end is in view. False until the first render. */
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

  // Fonts, images, and window resizing change heights without a render.
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
    // Following stops when the user scrolls up. It continues if the end moved out of view only because an image grew.
    last.follow = isNearEnd(box) || (last.follow && box.scrollTop >= last.top);
    last.top = box.scrollTop;
    setAtEnd(last.follow);
    if (box.scrollTop < NEAR_TOP_PX) onTop();
  }, [onTop]);
  return { scroller, content, atEnd, toEnd, onScroll };
}

const isNearEnd = (box: HTMLElement): boolean => box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_END_PX;

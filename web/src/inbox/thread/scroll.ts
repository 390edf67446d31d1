/**
 * Controls how a thread scrolls. Only the visible rows are rendered. The thread opens at its end and follows new
 * messages while the end is in view. Older messages load above the visible ones without moving them.
 */
import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { estimateHeight, type Row } from './rows.ts';

/** A button to the end appears if the user scrolls farther from the end than this. */
const NEAR_END_PX = 100;
/** Older messages load if the user scrolls closer to the top than this. */
const NEAR_TOP_PX = 1_500;
/** The space for the beginning of the thread, or for the button that loads older messages. */
export const TOP_PX = 52;
const BOTTOM_PX = 8;
const OVERSCAN = 10;

export interface ThreadScroll {
  scroller: RefObject<HTMLElement | null>;
  virtual: Virtualizer<HTMLElement, Element>;
  toEnd: () => void;
  /** Shows a row in the middle. */
  toRow: (index: number) => void;
  onScroll: () => void;
}

export function useThreadScroll(options: {
  ready: boolean;
  rows: readonly Row[];
  /** The key of the reply that is being sent. */
  own: string;
  onTop: () => void;
  /** Called with true when the end comes into view, and with false when it leaves it. */
  onEnd: (inView: boolean) => void;
}): ThreadScroll {
  const { ready, rows, own, onTop, onEnd } = options;
  const scroller = useRef<HTMLElement>(null);
  const first = rows[0]?.key;
  const state = useRef({ opened: false, own, top: 0, follow: true, first, former: first });
  // The row that was the oldest before older messages were loaded.
  if (state.current.first !== first) Object.assign(state.current, { first, former: state.current.first });
  const virtual = useVirtualizer<HTMLElement, Element>({
    count: rows.length,
    enabled: ready,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => estimateHeight(rows[index]),
    overscan: OVERSCAN,
    paddingStart: TOP_PX,
    paddingEnd: BOTTOM_PX,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END_PX,
  });

  // When older messages load, the former oldest row may lose its day. The text below it must not move.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = (item) =>
    item.key === state.current.former || growsAbove(item, virtual);

  const toEnd = useCallback(() => {
    virtual.scrollToEnd();
    state.current.follow = true;
  }, [virtual]);

  const toRow = useCallback(
    (index: number) => {
      state.current.follow = false;
      virtual.scrollToIndex(index, { align: 'center' });
    },
    [virtual],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the rows change
  useLayoutEffect(() => {
    if (!ready) return;
    const last = state.current;
    if (!last.opened || (own !== '' && last.own !== own) || last.follow) toEnd();
    if (!last.opened) onEnd(true);
    last.opened = true;
    last.own = own;
  }, [ready, rows, own, toEnd, onEnd]);

  // The reply box below grows while the user writes.
  useEffect(() => {
    const box = scroller.current;
    if (!ready || !box) return;
    const observer = new ResizeObserver(() => state.current.follow && toEnd());
    observer.observe(box);
    return () => observer.disconnect();
  }, [ready, toEnd]);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    const last = state.current;
    if (!box || !last.opened) return;
    const isNearEnd = box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_END_PX;
    // Following stops when the user scrolls up. It continues if the end moved out of view only because an image grew.
    last.follow = isNearEnd || (last.follow && box.scrollTop >= last.top);
    last.top = box.scrollTop;
    onEnd(last.follow);
    if (box.scrollTop < NEAR_TOP_PX) onTop();
  }, [onTop, onEnd]);
  return { scroller, virtual, toEnd, toRow, onScroll };
}

/** Whether a row that changed its height is above the visible rows, so that these must not move. */
function growsAbove(item: VirtualItem, virtual: Virtualizer<HTMLElement, Element>): boolean {
  const top = virtual.scrollOffset ?? 0;
  const isMeasured = virtual.itemSizeCache.has(item.key);
  return isMeasured ? item.end <= top && virtual.scrollDirection !== 'backward' : item.start < top;
}

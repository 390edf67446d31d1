import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** Rows that are rendered above and below the ones in view. */
const OVERSCAN = 8;
/** Used until the page has a layout. */
const DEFAULT_HEIGHT = 600;

export interface VisibleRows {
  /** The rows to render: from `first`, up to but not including `end`. */
  first: number;
  end: number;
  /** The offset of the first rendered row, and the height of all rows. */
  offset: number;
  height: number;
  scrollTo: (index: number) => void;
}

/** The rows of a scrolling list that are in view, given the height of each row. */
export function useVisibleRows(scroller: RefObject<HTMLElement | null>, heights: readonly number[]): VisibleRows {
  const view = useView(scroller);
  const starts = useMemo(() => {
    const result = [0];
    for (const height of heights) result.push(result.at(-1)! + height);
    return result;
  }, [heights]);
  const count = heights.length;
  const first = Math.max(0, findRow(starts, view.top) - OVERSCAN);
  const end = Math.min(count, findRow(starts, view.top + view.height) + 1 + OVERSCAN);
  // Its identity stays the same, so that a change of the list does not scroll.
  const latest = useRef(starts);
  latest.current = starts;
  const scrollTo = useCallback(
    (index: number) => {
      const element = scroller.current;
      const top = latest.current[index];
      const bottom = latest.current[index + 1];
      if (!element || top === undefined || bottom === undefined) return;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    },
    [scroller],
  );
  return { first, end, offset: starts[Math.min(first, count)]!, height: starts[count]!, scrollTo };
}

/** The last row that starts at or above the given offset. */
function findRow(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

const STEP = 100;

/** The part of the list that is in view. Rounded, so that the list rerenders only every few rows. */
function useView(scroller: RefObject<HTMLElement | null>): { top: number; height: number } {
  const [view, setView] = useState({ top: 0, height: DEFAULT_HEIGHT });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const update = () =>
      setView((old) => {
        const top = Math.floor(element.scrollTop / STEP) * STEP;
        const height = Math.ceil((element.clientHeight || DEFAULT_HEIGHT) / STEP + 1) * STEP;
        return top === old.top && height === old.height ? old : { top, height };
      });
    update();
    element.addEventListener('scroll', update, { passive: true });
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller]);
  return view;
}

/** The measured height of the first element that matches, or the estimate until there is one. */
export function useMeasured(scroller: RefObject<HTMLElement | null>, selector: string, estimate: number): number {
  const [height, setHeight] = useState(estimate);
  const observed = useRef<Element>(null);
  const observer = useRef<ResizeObserver>(null);
  // The density and the fonts can change, so the element is observed. Measuring it after every render would lay out the
  // page each time.
  useLayoutEffect(() => {
    const element = scroller.current?.querySelector(selector) ?? null;
    if (element === observed.current) return;
    observed.current = element;
    observer.current?.disconnect();
    if (!element) return;
    const measure = () => {
      const measured = element.getBoundingClientRect().height;
      if (measured) setHeight((old) => (Math.abs(measured - old) > 0.1 ? measured : old));
    };
    measure();
    observer.current = new ResizeObserver(measure);
    observer.current.observe(element);
  });
  useEffect(() => () => observer.current?.disconnect(), []);
  return height;
}

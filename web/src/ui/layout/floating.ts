/**
 * The shared part of popups and menus: a box beside its button, in the browser's top layer, where nothing cuts it off.
 */
import { type FocusEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { type Align, placeBelow } from './placement.ts';

export interface Floating {
  opened: boolean;
  open: () => void;
  close: () => void;
  /** Contains the button and the box. */
  root: RefObject<HTMLDivElement | null>;
  rootProps: { ref: RefObject<HTMLDivElement | null>; onBlur: (event: FocusEvent) => void };
  boxProps: { ref: RefObject<HTMLDivElement | null>; id: string; popover: 'manual' };
  box: RefObject<HTMLDivElement | null>;
  targetProps: { type: 'button'; 'aria-expanded': boolean; 'aria-controls': string | undefined };
}

export function useFloating(align: Align): Floating {
  const [opened, setOpened] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!opened) return;
    const closeOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpened(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [opened]);
  useLayoutEffect(() => {
    if (opened && root.current && box.current) return follow(root.current, box.current, align);
  }, [opened, align]);
  return {
    opened,
    open: () => setOpened(true),
    close: () => {
      // The button gets the focus from the box, which disappears.
      if (box.current?.contains(document.activeElement)) focusTarget(root.current);
      setOpened(false);
    },
    root,
    rootProps: {
      ref: root,
      onBlur: ({ relatedTarget }) => {
        if (relatedTarget && !root.current?.contains(relatedTarget)) setOpened(false);
      },
    },
    boxProps: { ref: box, id, popover: 'manual' },
    box,
    targetProps: { type: 'button', 'aria-expanded': opened, 'aria-controls': opened ? id : undefined },
  };
}

export const focusTarget = (root: HTMLElement | null): void =>
  root?.querySelector<HTMLElement>('[aria-haspopup]')?.focus();

/** Keeps the box beside its button while the page scrolls and while the box grows. */
function follow(root: HTMLElement, box: HTMLElement, align: Align): () => void {
  box.showPopover?.();
  const place = () => {
    const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const { left, top } = placeBelow(root.getBoundingClientRect(), box.getBoundingClientRect(), align, view);
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
  };
  place();
  const sizes = new ResizeObserver(place);
  sizes.observe(box);
  window.addEventListener('scroll', place, { capture: true, passive: true });
  window.addEventListener('resize', place);
  return () => {
    sizes.disconnect();
    window.removeEventListener('scroll', place, { capture: true });
    window.removeEventListener('resize', place);
  };
}

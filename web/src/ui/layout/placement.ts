export type Side = 'top' | 'right' | 'bottom' | 'left';

const GAP = 6;
const MARGIN = 8;
const OPPOSITE = { top: 'bottom', right: 'left', bottom: 'top', left: 'right' } as const;

interface Size {
  width: number;
  height: number;
}

/** The position of a floating box: beside its anchor, on the other side if it does not fit, and inside the window. */
export function placeBeside(anchor: DOMRect, box: Size, side: Side, view: Size): { left: number; top: number } {
  const room = {
    top: anchor.top,
    right: view.width - anchor.right,
    bottom: view.height - anchor.bottom,
    left: anchor.left,
  };
  const isVertical = side === 'top' || side === 'bottom';
  const needed = (isVertical ? box.height : box.width) + GAP + MARGIN;
  const used = room[side] < needed && room[OPPOSITE[side]] > room[side] ? OPPOSITE[side] : side;
  const left = {
    top: anchor.left + (anchor.width - box.width) / 2,
    bottom: anchor.left + (anchor.width - box.width) / 2,
    right: anchor.right + GAP,
    left: anchor.left - GAP - box.width,
  }[used];
  const top = {
    top: anchor.top - GAP - box.height,
    bottom: anchor.bottom + GAP,
    right: anchor.top + (anchor.height - box.height) / 2,
    left: anchor.top + (anchor.height - box.height) / 2,
  }[used];
  return {
    left: clamp(left, MARGIN, view.width - box.width - MARGIN),
    top: clamp(top, MARGIN, view.height - box.height - MARGIN),
  };
}

export type Align = 'start' | 'end';

/** The position of a box with controls: below its anchor, or above it if there is more room, and inside the window. */
export function placeBelow(anchor: DOMRect, box: Size, align: Align, view: Size): { left: number; top: number } {
  const below = anchor.bottom + GAP;
  const above = anchor.top - GAP - box.height;
  const fits = below + box.height + MARGIN <= view.height || anchor.top < view.height - anchor.bottom;
  return {
    left: clamp(align === 'start' ? anchor.left : anchor.right - box.width, MARGIN, view.width - box.width - MARGIN),
    top: clamp(fits ? below : above, MARGIN, view.height - box.height - MARGIN),
  };
}

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));

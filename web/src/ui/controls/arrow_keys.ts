import type { KeyboardEvent } from 'react';

/** Arrow keys move between the search field of a box and the items of its list. Selects keep their own arrow keys. */
export function moveByArrows(event: KeyboardEvent, box: HTMLElement | null): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !box || (event.target as Element).tagName === 'SELECT') return;
  const stops = [...box.querySelectorAll<HTMLElement>('input, li button')];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

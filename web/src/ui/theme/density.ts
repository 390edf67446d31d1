/** The row density, stored on this device. */
import { useSyncExternalStore } from 'react';

export type Density = 'comfortable' | 'compact';

const KEY = 'parley.density';
const listeners = new Set<() => void>();

const read = (): Density => (localStorage.getItem(KEY) === 'compact' ? 'compact' : 'comfortable');

export function applyDensity(): void {
  document.documentElement.dataset.density = read();
}

function setDensity(density: Density): void {
  localStorage.setItem(KEY, density);
  applyDensity();
  for (const listener of listeners) listener();
}

export function useDensity(): [Density, (density: Density) => void] {
  const density = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
  return [density, setDensity];
}

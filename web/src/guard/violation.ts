/** The violation that the notice at the top of the app reports. Data only, because every page loads this file. */
import { useSyncExternalStore } from 'react';

export interface ViolationState {
  violationID: string | null;
  violated: boolean;
}

const NONE: ViolationState = { violationID: null, violated: false };
let state = NONE;
const listeners = new Set<() => void>();

function set(next: ViolationState): void {
  state = next;
  for (const listener of listeners) listener();
}

export const reportViolation = (id: string): void => set({ violationID: id, violated: true });
export const clearViolation = (): void => set(NONE);
/** A violation that has expired removes its own notice only. */
export const expireViolation = (id: string): void => {
  if (state.violationID === id) clearViolation();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useViolation = (): ViolationState => useSyncExternalStore(subscribe, () => state);

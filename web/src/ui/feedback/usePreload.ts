import { useEffect } from 'react';
import { preloadPart } from './lazy_part.ts';

const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

/** Loads code at the user's first sign of activity, so that it is there when a click needs it. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const controller = new AbortController();
    const start = () => {
      if (!navigator.onLine) return;
      controller.abort();
      // The part that needs the code reports a failure.
      void preloadPart(load).catch(() => {});
    };
    for (const sign of SIGNS) window.addEventListener(sign, start, { signal: controller.signal, passive: true });
    return () => controller.abort();
  }, [load]);
}

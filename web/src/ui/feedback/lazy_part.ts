import { type ComponentType, lazy } from 'react';
import { loadCodeEventually } from './load_code.ts';
import { toast } from './Toasts.tsx';

const preloaded = new WeakMap<() => Promise<unknown>, unknown>();

/** Loads the code of a part before it is shown. It then appears immediately. */
export async function preloadPart(load: () => Promise<unknown>): Promise<void> {
  preloaded.set(load, await load());
}

/** React renders it without its fallback, which it would otherwise keep for 300 ms. */
function resolvedNow<T>(value: T): Promise<T> {
  // biome-ignore lint/suspicious/noThenProperty: a promise would resolve too late
  return { then: (resolve: (value: T) => void) => resolve(value) } as Promise<T>;
}

/**
 * A part of a page, such as a dialog, whose code loads when it is first shown. If loading fails, the rest of the page
 * keeps working: a toast tells the user, and the part appears as soon as its code can be loaded.
 */
// biome-ignore lint/suspicious/noExplicitAny: the props are those of the given component
export const lazyPart = <T extends ComponentType<any>>(load: () => Promise<{ default: T }>) =>
  lazy(() => {
    const code = preloaded.get(load) as { default: T } | undefined;
    if (code) return resolvedNow(code);
    return loadCodeEventually(load, () =>
      toast.warning('Part of this page could not be loaded. It will appear when the connection is restored.', {
        id: 'lazy-part',
      }),
    );
  });

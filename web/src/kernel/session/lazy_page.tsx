/**
 * A page whose code loads on demand. If it cannot be loaded, the page throws the error to the boundary of its route,
 * which shows it in place of the page; the next rendering tries again. The app around the page stays.
 */
import { type ComponentType, type FunctionComponent, use } from 'react';
import { loadCode } from '../../ui/feedback/load_code.ts';

/** The code of a page could not be loaded. */
export class PageLoadError extends Error {}

type LazyPage = FunctionComponent & { preload: () => Promise<void> };

export function lazyPage(load: () => Promise<{ default: ComponentType }>): LazyPage {
  let Page: ComponentType | null = null;
  let failure: PageLoadError | null = null;
  let pending: Promise<void> | null = null;
  /** Never rejects: the page shows the failure when it is rendered. */
  const preload = (): Promise<void> => {
    if (pending) return pending;
    const loading = loadCode(load).then(
      (module) => {
        Page = module.default;
        // React reads these fields and renders a loaded page immediately.
        Object.assign(loading, { status: 'fulfilled', value: undefined });
      },
      (cause) => {
        failure = new PageLoadError('The code of the page could not be loaded.', { cause });
        pending = null;
      },
    );
    pending = loading;
    return loading;
  };
  function Lazy() {
    if (!Page && failure) {
      const error = failure;
      // React renders a failed component once more before it gives up, so the failure stays for this moment.
      queueMicrotask(() => {
        if (failure === error) failure = null;
      });
      throw error;
    }
    use(preload());
    return Page && <Page />;
  }
  return Object.assign(Lazy, { preload });
}

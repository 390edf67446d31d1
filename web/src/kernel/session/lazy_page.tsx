/**
 * A page whose code loads on demand. If it cannot be loaded, the page throws the error to the boundary of its route,
 * which shows it in place of the page; the next rendering retries. The app around the page remains.
 */
import { type ComponentType, type FunctionComponent, use } from 'react';
import { loadCode } from '../../ui/feedback/load_code.ts';

/** The code of a page could not be loaded. */
export class PageLoadError extends Error {}

type LazyPage<P> = FunctionComponent<P> & { preload: () => Promise<void> };

export function lazyPage<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): LazyPage<P> {
  let Page: ComponentType<P> | null = null;
  let failure: PageLoadError | null = null;
  let pending: Promise<void> | null = null;
  /** Never rejects: the page shows the failure when it is rendered. */
  const preload = (): Promise<void> => {
    if (pending && !failure) return pending;
    failure = null;
    const loading = loadCode(load)
      .then(
        (module) => {
          Page = module.default;
        },
        (cause) => {
          failure = new PageLoadError('The page’s code could not be loaded.', { cause });
        },
      )
      .then(() => {
        // React reads these fields and renders the page or its failure immediately.
        Object.assign(loading, { status: 'fulfilled', value: undefined });
      });
    pending = loading;
    return loading;
  };
  function Lazy(props: P) {
    use(pending ?? preload());
    if (failure) {
      const error = failure;
      // React renders a failed component once more before it gives up, so the failure stays for this moment.
      queueMicrotask(() => {
        if (failure !== error) return;
        failure = null;
        pending = null;
      });
      throw error;
    }
    return Page && <Page {...props} />;
  }
  return Object.assign(Lazy, { preload });
}

import { lazy, Suspense } from 'react';
import { Loading } from '../../ui/layout/Loading.tsx';

// The menu, the top bar and their icons are nothing that somebody who signs in should wait for.
const load = () => import('./Frame.tsx').then(({ Frame }) => ({ default: Frame }));
const Frame = lazy(load);

export function LazyFrame() {
  return (
    <Suspense fallback={<Loading />}>
      <Frame />
    </Suspense>
  );
}
/** Known to the router: it comes together with the page inside. */
LazyFrame.preload = (): Promise<void> => load().then(() => {});

import { lazy, Suspense } from 'react';
import { Loading } from './Loading.tsx';

// The menu, the top bar and their icons are nothing that somebody who signs in should wait for.
const Frame = lazy(() => import('./Frame.tsx').then(({ Frame }) => ({ default: Frame })));

export function LazyFrame() {
  return (
    <Suspense fallback={<Loading />}>
      <Frame />
    </Suspense>
  );
}

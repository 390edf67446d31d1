import { lazy, Suspense } from 'react';
import { Loading } from '../../ui/layout/Loading.tsx';

// Lazy, because the sign-in page does not need the menu, the top bar, or their icons.
const load = () => import('./Frame.tsx').then(({ Frame }) => ({ default: Frame }));
const Frame = lazy(load);

export function LazyFrame() {
  return (
    <Suspense fallback={<Loading />}>
      <Frame />
    </Suspense>
  );
}
/** The router calls this to load the frame together with its page. */
LazyFrame.preload = (): Promise<void> => load().then(() => {});

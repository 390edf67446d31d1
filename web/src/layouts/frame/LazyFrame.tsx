import { Suspense } from 'react';
import { lazyPage } from '../../kernel/session/lazy_page.tsx';
import { Loading } from '../../ui/layout/Loading.tsx';

// Lazy, because the sign-in page does not need the menu, the top bar, or their icons.
const Frame = lazyPage(() => import('./Frame.tsx').then(({ Frame }) => ({ default: Frame })));

export function LazyFrame() {
  return (
    <Suspense fallback={<Loading />}>
      <Frame />
    </Suspense>
  );
}
/** The router calls this to load the frame together with its page. */
LazyFrame.preload = Frame.preload;

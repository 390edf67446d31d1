import { type ComponentType, Suspense } from 'react';
import { lazyPage } from '../../kernel/session/lazy_page.tsx';
import { Loading } from '../../ui/layout/Loading.tsx';

const load = () => import('./Public.tsx');

/** Lazy, because the pages of signed-in users need neither the slides nor the legal links. */
function lazyLayout(choose: (module: Awaited<ReturnType<typeof load>>) => ComponentType) {
  const Layout = lazyPage(async () => ({ default: choose(await load()) }));
  const Shown = () => (
    <Suspense fallback={<Loading />}>
      <Layout />
    </Suspense>
  );
  // The router calls this to load the layout together with its page.
  return Object.assign(Shown, { preload: Layout.preload });
}

export const Public = lazyLayout(({ Public }) => Public);
/** The layout without links to other pages. */
export const Blank = lazyLayout(({ Blank }) => Blank);

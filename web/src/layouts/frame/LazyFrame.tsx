import { type ComponentType, type ReactNode, Suspense } from 'react';
import { lazyPage } from '../../kernel/session/lazy_page.tsx';
import { Loading } from '../../ui/layout/Loading.tsx';

// Lazy, because the sign-in page does not need the menu, the top bar, or their icons.
const Frame = lazyPage(
  async (): Promise<{ default: ComponentType<{ children?: ReactNode }> }> => ({
    default: (await import('./Frame.tsx')).Frame,
  }),
);

export function LazyFrame({ children }: { children?: ReactNode }) {
  return (
    <Suspense fallback={<Loading />}>
      <Frame>{children}</Frame>
    </Suspense>
  );
}
/** The router calls this to load the frame together with its page. */
LazyFrame.preload = Frame.preload;

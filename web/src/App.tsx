/** Shows the loader, the rate limit page, or the router, depending on the session. */
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useSessionContext } from './kernel/session/session.tsx';
import { type AppRouter, makeRouter } from './routes.tsx';
import { lazyPart } from './ui/feedback/lazy_part.ts';
import { Loading } from './ui/layout/Loading.tsx';

const RequestLimit = lazyPart(() => import('./layouts/RequestLimit.tsx'));

export function App() {
  const { state } = useSessionContext();
  const [router] = useState(() => makeRouter(state));
  // The route guards run again after sign-in, after sign-out, and after the user completes a pending step.
  const pending = state.kind === 'in' && state.session.user.pending;
  const expired = state.kind === 'in' && state.session.account.trial_period_expired;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these decide which pages are open
  useEffect(() => {
    router.update({ ...router.options, context: { state } });
    // The guards need the session, but the page's code can load in the meantime.
    if (state.kind === 'unknown') void preload(router);
    else void router.invalidate();
  }, [router, state.kind, pending, expired]);
  if (state.kind === 'unknown') return <Loading />;
  if (state.kind === 'limited')
    return (
      <Suspense fallback={<Loading />}>
        <RequestLimit />
      </Suspense>
    );
  return <RouterProvider router={router} context={{ state }} />;
}

/** Loads the code for the page and its layouts in parallel. */
async function preload(router: AppRouter): Promise<void> {
  const components = router
    .matchRoutes(router.latestLocation)
    .map(
      ({ routeId }) =>
        router.routesById[routeId]?.options.component as { preload?: () => Promise<unknown> } | undefined,
    );
  // If a download fails, the error is shown when the user opens the page.
  await Promise.allSettled(components.map((component) => component?.preload?.()));
}

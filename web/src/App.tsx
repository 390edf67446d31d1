/** Chooses between the loader, the limit page and the router by what is known of the session. */
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSessionContext } from './kernel/session/session.tsx';
import { RequestLimit } from './layouts/RequestLimit.tsx';
import { type AppRouter, makeRouter } from './routes.tsx';
import { Loading } from './ui/layout/Loading.tsx';

export function App() {
  const { state } = useSessionContext();
  const [router] = useState(() => makeRouter(state));
  // The guards of the routes run again when somebody comes or goes, or has done what had to be done first.
  const pending = state.kind === 'in' && state.session.user.pending;
  const expired = state.kind === 'in' && state.session.account.trial_period_expired;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these decide where one may be
  useEffect(() => {
    router.update({ ...router.options, context: { state } });
    // Before it is known who one is no guard has an answer, but what the address needs can be fetched.
    if (state.kind === 'unknown') void preload(router);
    else void router.invalidate();
  }, [router, state.kind, pending, expired]);
  if (state.kind === 'unknown') return <Loading />;
  if (state.kind === 'limited') return <RequestLimit />;
  return <RouterProvider router={router} context={{ state }} />;
}

/** The code of what the address shows, all at once. */
async function preload(router: AppRouter): Promise<void> {
  const components = router
    .matchRoutes(router.latestLocation)
    .map(
      ({ routeId }) =>
        router.routesById[routeId]?.options.component as { preload?: () => Promise<unknown> } | undefined,
    );
  // A failure shows when the page is opened.
  await Promise.allSettled(components.map((component) => component?.preload?.()));
}

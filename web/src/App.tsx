/** Chooses between the loader, the limit page and the router by what is known of the session. */
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSessionContext } from './kernel/session.tsx';
import { Loading } from './layouts/Loading.tsx';
import { RequestLimit } from './layouts/RequestLimit.tsx';
import { makeRouter } from './routes.tsx';

export function App() {
  const { state } = useSessionContext();
  const [router] = useState(() => makeRouter(state));
  // The guards of the routes run again when somebody comes or goes, or has done what had to be done first.
  const pending = state.kind === 'in' && state.session.user.pending;
  const expired = state.kind === 'in' && state.session.account.trial_period_expired;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these decide where one may be
  useEffect(() => {
    router.update({ ...router.options, context: { state } });
    void router.invalidate();
  }, [router, state.kind, pending, expired]);
  if (state.kind === 'unknown') return <Loading />;
  if (state.kind === 'limited') return <RequestLimit />;
  return <RouterProvider router={router} context={{ state }} />;
}

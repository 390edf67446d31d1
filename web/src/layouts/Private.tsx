import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSessionContext } from '../kernel/session/session.tsx';

const EnteredBanner = lazy(() => import('./frame/EnteredBanner.tsx'));

/** Everything behind sign-in: above it, on every page, who is really acting. */
export function Private() {
  const { state } = useSessionContext();
  const entered = state.kind === 'in' ? state.session.user.impersonation : null;
  return (
    <>
      {entered && (
        <Suspense>
          <EnteredBanner entered={entered} />
        </Suspense>
      )}
      <Outlet />
    </>
  );
}

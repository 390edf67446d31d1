import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSessionContext } from '../kernel/session/session.tsx';

// Lazy, because the sign-in page needs neither.
const Everywhere = lazy(() => import('./Everywhere.tsx'));
const ImpersonationBanner = lazy(() => import('./frame/ImpersonationBanner.tsx'));

/** The layout of every page that requires sign-in. An impersonated session shows its banner above the page. */
export function Private() {
  const { state } = useSessionContext();
  const impersonation = state.kind === 'in' ? state.session.user.impersonation : null;
  return (
    <>
      {impersonation && (
        <Suspense>
          <ImpersonationBanner impersonation={impersonation} />
        </Suspense>
      )}
      <Outlet />
      {state.kind === 'in' && (
        <Suspense>
          <Everywhere />
        </Suspense>
      )}
    </>
  );
}

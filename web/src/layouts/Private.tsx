import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useSessionContext } from '../kernel/session/session.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';

// Lazy, because the sign-in page needs neither.
const Everywhere = lazyPart(() => import('./Everywhere.tsx'));
const ImpersonationBanner = lazyPart(() => import('./frame/ImpersonationBanner.tsx'));

/**
 * The layout of every page that requires sign-in. An impersonated session shows its banner above the page. Shows the
 * route's page if it has no content of its own.
 */
export function Private({ children }: { children?: ReactNode }) {
  const { state } = useSessionContext();
  const impersonation = state.kind === 'in' ? state.session.user.impersonation : null;
  return (
    <>
      {impersonation && (
        <Suspense>
          <ImpersonationBanner impersonation={impersonation} />
        </Suspense>
      )}
      {state.kind === 'in' && (
        <Suspense>
          <Everywhere />
        </Suspense>
      )}
      {children ?? <Outlet />}
    </>
  );
}

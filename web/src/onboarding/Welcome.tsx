import { lazy, Suspense } from 'react';
import { useSession } from '../kernel/session/session.tsx';

const WelcomePopup = lazy(() => import('./WelcomePopup.tsx'));

/** Its code is loaded for those who are greeted. Nobody is greeted in another's name. */
export function Welcome() {
  const { account, user, admin } = useSession();
  const greeted =
    account.trial &&
    !account.trial_period_expired &&
    !account.preference.welcome_closed &&
    !admin &&
    user.impersonation === null &&
    user.pending === null;
  return greeted ? (
    <Suspense>
      <WelcomePopup />
    </Suspense>
  ) : null;
}

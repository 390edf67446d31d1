import { Suspense } from 'react';
import { useSession } from '../kernel/session/session.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';

const WelcomePopup = lazyPart(() => import('./WelcomePopup.tsx'));

/**
 * Loads the welcome popup for users of trial accounts. Operators and parent-account users who enter an account do not
 * see it.
 */
export function Welcome() {
  const { account, user, admin } = useSession();
  const isWelcomed =
    account.trial &&
    !account.trial_period_expired &&
    !account.preference.welcome_closed &&
    !admin &&
    user.impersonation === null &&
    user.pending === null;
  return isWelcomed ? (
    <Suspense>
      <WelcomePopup />
    </Suspense>
  ) : null;
}

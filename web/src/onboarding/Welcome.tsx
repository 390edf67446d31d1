import { Suspense } from 'react';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';

const WelcomePopup = lazyPart(() => import('./WelcomePopup.tsx'));

/**
 * Loads the welcome popup of a trial account for users who can close it for the company. Operators and parent-account
 * users who enter an account do not see it.
 */
export function Welcome() {
  const { account, user, admin } = useSession();
  // Repeated from the contract of companies, which every page would otherwise load.
  const canClose = useReason('ACCOUNTS:edit') === null;
  const isWelcomed =
    account.trial &&
    canClose &&
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

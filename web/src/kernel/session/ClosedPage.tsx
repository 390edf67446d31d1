/**
 * Replaces a page that the user may not open with the reason and the next step. A default export, because it is loaded
 * lazily.
 */

import { Button } from '@mantine/core';
import { submitVerification } from '@parley/contract/accounts/company.ts';
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { VERIFICATION } from '../../paths.ts';
import { NotAllowed } from '../../ui/feedback/NotAllowed.tsx';
import { useReason, useSession } from './session.tsx';
import type { Closed } from './state.ts';

/** `framed` is true if the page is shown beside the menu. */
export default function ClosedPage({ title, closed, framed }: { title: string; closed: Closed; framed: boolean }) {
  const { account, user } = useSession();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const mayVerify = useReason(submitVerification) === null && VERIFICATION in router.routesByPath;
  const isUnverified = closed.by === 'unverified';
  const verify = isUnverified && mayVerify && account.status === 'UNVERIFIED';
  return (
    <NotAllowed
      title={title}
      reason={closed.reason}
      more={advice()}
      action={
        (verify || !framed) && (
          <>
            {verify && (
              <Button component={Link} to={VERIFICATION}>
                Verify your company
              </Button>
            )}
            {!framed && canGoBack && (
              <Button variant="default" onClick={() => router.history.back()}>
                Back
              </Button>
            )}
            {!framed && (
              <Button variant="default" component={Link} to="/">
                Go to the dashboard
              </Button>
            )}
          </>
        )
      }
    />
  );

  function advice(): string | null {
    if (closed.by === 'permission')
      return user.is_owner || user.impersonation ? null : 'Ask the account owner for access.';
    if (!isUnverified) return null;
    if (account.status === 'FORM_SUBMITTED')
      return 'Your company’s details are under review. You will get an email with the result.';
    return account.status === 'UNVERIFIED' && !mayVerify ? 'Ask the account owner to verify the company.' : null;
  }
}

/** In the place of a page that one may not open: why, and where to go from here. A default export because it is loaded lazily. */

import { Button } from '@mantine/core';
import { submitVerification } from '@parley/contract/accounts/company.ts';
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { VERIFICATION } from '../../paths.ts';
import { NotAllowed } from '../../ui/feedback/NotAllowed.tsx';
import type { Closed } from './routes.tsx';
import { useReason, useSession } from './session.tsx';

/** `framed`: the menu is beside it. */
export default function ClosedPage({ title, closed, framed }: { title: string; closed: Closed; framed: boolean }) {
  const { account, user } = useSession();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const mayVerify = useReason(submitVerification) === null && VERIFICATION in router.routesByPath;
  const waits = closed.by === 'unverified';
  const verify = waits && mayVerify && account.status === 'UNVERIFIED';
  return (
    <NotAllowed
      title={title}
      reason={closed.reason}
      more={moreOf()}
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
                Go to the start page
              </Button>
            )}
          </>
        )
      }
    />
  );

  function moreOf(): string | null {
    if (closed.by === 'permission')
      return user.is_owner || user.impersonation ? null : 'Ask the owner of your account to change it.';
    if (!waits) return null;
    if (account.status === 'FORM_SUBMITTED')
      return 'Your company’s details are being looked at; you get a mail once that is done.';
    return account.status === 'UNVERIFIED' && !mayVerify ? 'Ask the owner of your account to see to it.' : null;
  }
}

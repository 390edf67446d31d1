/** On top of every page until the company is verified: what is closed meanwhile, and the next step. Calm, and gone afterwards. */
import { Button } from '@mantine/core';
import { submitVerification } from '@parley/contract/accounts/company.ts';
import type { Needs } from '@parley/contract/permission.ts';
import { Link, useRouter } from '@tanstack/react-router';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { VERIFICATION } from '../paths.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './Accounts.module.css';

export function VerificationBanner() {
  const { account, admin } = useSession();
  const { routesByPath } = useRouter();
  const closed = useReason(submitVerification.needs as Needs);
  if (account.verified || admin || account.operator || account.trial_period_expired) return null;
  if (account.status === 'BLOCKED')
    return (
      <Notice tone="fail" className={styles.banner}>
        The account is blocked: nothing is sent. Write to the support address at {window.location.host} to learn why.
      </Notice>
    );
  if (account.status === 'FORM_SUBMITTED')
    return (
      <Notice tone="info" className={styles.banner}>
        Your company’s details are being looked at. Meanwhile you can look at everything; you get a mail once sending,
        API keys and sender IDs are open.
      </Notice>
    );
  return (
    <Notice
      tone="wait"
      className={styles.banner}
      action={
        VERIFICATION in routesByPath && (
          <Disabled reason={closed}>
            <Button component={Link} to={VERIFICATION} size="xs" variant="default">
              Verify your company
            </Button>
          </Disabled>
        )
      }
    >
      Your company is not verified yet. Until then sending, API keys and sender IDs stay closed; it takes a few minutes
      to ask for it.
    </Notice>
  );
}

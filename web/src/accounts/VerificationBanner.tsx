/** Appears above every page until the company is verified. It states what is not available yet and what to do next. */
import { Button } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { VERIFICATION } from '../paths.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './Accounts.module.css';

export function VerificationBanner() {
  const { account, admin } = useSession();
  const { routesByPath } = useRouter();
  // Repeated from the contract of companies, which every page would otherwise load.
  const reason = useReason('ACCOUNTS:edit');
  if (account.verified || admin || account.operator || account.trial_period_expired) return null;
  if (account.status === 'BLOCKED')
    return (
      <Notice tone="fail" className={styles.banner}>
        This account is blocked and cannot send. Contact support at {window.location.host} to find out why.
      </Notice>
    );
  if (account.status === 'FORM_SUBMITTED')
    return (
      <Notice tone="info" className={styles.banner}>
        We are reviewing your company details. You will get an email when sending, API keys, and sender IDs are
        available.
      </Notice>
    );
  return (
    <Notice
      tone="wait"
      className={styles.banner}
      action={
        VERIFICATION in routesByPath && (
          <Disabled reason={reason}>
            <Button component={Link} to={VERIFICATION} size="xs" variant="default">
              Verify your company
            </Button>
          </Disabled>
        )
      }
    >
      Your company is not verified yet. Verify it to send messages, create API keys, and request sender IDs. It takes a
      few minutes.
    </Notice>
  );
}

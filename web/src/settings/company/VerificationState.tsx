import { Button } from '@mantine/core';
import { ACCOUNT_STATUS } from '@parley/contract/accounts/accounts.ts';
import { listVerifications, submitVerification } from '@parley/contract/accounts/company.ts';
import type { Needs } from '@parley/contract/permission.ts';
import { Link, useRouter } from '@tanstack/react-router';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { VERIFICATION } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import styles from '../Settings.module.css';

const DESCRIPTIONS = {
  UNVERIFIED:
    'Until the company is verified, you cannot send SMS messages to other people, create API keys, or request sender ' +
    'IDs.',
  FORM_SUBMITTED: 'We are reviewing your details. You will get an email with the result.',
  VERIFIED: 'All features are available.',
  BLOCKED: 'The account is blocked. Contact support to find out why.',
} as const;

export function VerificationState() {
  const { account } = useSession();
  const { routesByPath } = useRouter();
  const reason = useReason(submitVerification.needs as Needs);
  const latest = useEndpoint(listVerifications, {}, { enabled: account.status !== 'VERIFIED' }).data?.data[0];
  const returned = latest && (latest.status === 'REJECTED' || latest.status === 'INFO_NEEDED') ? latest : null;
  const canSubmit = account.status === 'UNVERIFIED' && VERIFICATION in routesByPath;
  return (
    <div className={styles.state}>
      <div className={styles.stateHead}>
        <StatusBadge {...ACCOUNT_STATUS[account.status]} />
        {canSubmit && (
          <Disabled reason={reason}>
            <Button component={Link} to={VERIFICATION} size="xs">
              {returned ? 'Edit and resubmit' : 'Verify company'}
            </Button>
          </Disabled>
        )}
      </div>
      <p className={styles.dim}>{DESCRIPTIONS[account.status]}</p>
      {account.status === 'UNVERIFIED' && returned && (
        <p className={styles.dim}>
          {returned.status === 'REJECTED' ? 'Rejected' : 'More information requested'} on{' '}
          <DateTime value={returned.decide_date} />
          {returned.reason && <>: {returned.reason}</>}
        </p>
      )}
      {account.status === 'FORM_SUBMITTED' && latest && (
        <p className={styles.dim}>
          Submitted <DateTime value={latest.create_date} />
        </p>
      )}
    </div>
  );
}

import { Button } from '@mantine/core';
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

const WORDS = {
  UNVERIFIED: 'Until the company is verified, SMS to others, API keys and sender IDs stay closed.',
  FORM_SUBMITTED: 'Your details are with us. You get a mail as soon as they have been looked at.',
  VERIFIED: 'Everything is open.',
  BLOCKED: 'The account is blocked. Write to support to learn why.',
} as const;

export function VerificationState() {
  const { account } = useSession();
  const { routesByPath } = useRouter();
  const closed = useReason(submitVerification.needs as Needs);
  const latest = useEndpoint(listVerifications, {}, { enabled: account.status !== 'VERIFIED' }).data?.data[0];
  const refused = latest && (latest.status === 'REJECTED' || latest.status === 'INFO_NEEDED') ? latest : null;
  const open = account.status === 'UNVERIFIED' && VERIFICATION in routesByPath;
  return (
    <div className={styles.state}>
      <div className={styles.stateHead}>
        <StatusBadge status={account.status} />
        {open && (
          <Disabled reason={closed}>
            <Button component={Link} to={VERIFICATION} size="xs">
              {refused ? 'Correct and send again' : 'Verify the company'}
            </Button>
          </Disabled>
        )}
      </div>
      <p className={styles.dim}>{WORDS[account.status]}</p>
      {account.status === 'UNVERIFIED' && refused && (
        <p className={styles.dim}>
          {refused.status === 'REJECTED' ? 'Not approved' : 'More was asked'} on{' '}
          <DateTime value={refused.decide_date} />
          {refused.reason && <>: {refused.reason}</>}
        </p>
      )}
      {account.status === 'FORM_SUBMITTED' && latest && (
        <p className={styles.dim}>
          Sent <DateTime value={latest.create_date} />
        </p>
      )}
    </div>
  );
}

/**
 * Account verification: the form, or the state of the review. The browser keeps a draft until the form is submitted.
 */
import { Button } from '@mantine/core';
import { type AccountReview, listVerifications } from '@parley/contract/accounts/company.ts';
import { IconCircleCheck, IconHourglass, IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Auth.module.css';
import { AuthHeader } from '../AuthHeader.tsx';
import { VerificationForm } from './VerificationForm.tsx';

export default function VerificationPage() {
  const { account } = useSession();
  const blockedReason = useReason(listVerifications.needs);
  const reviews = useEndpoint(listVerifications, {}, { enabled: !blockedReason });
  const [latest] = reviews.data?.data ?? [];

  if (account.status === 'VERIFIED')
    return (
      <AccountState
        icon={IconCircleCheck}
        tone="ok"
        title="Your account is verified"
        action={
          <Button component={Link} to="/" fullWidth>
            Go to the dashboard
          </Button>
        }
      >
        {account.company_name} can send to all recipients, create API keys, and request sender IDs.
      </AccountState>
    );
  if (account.status === 'BLOCKED')
    return (
      <AccountState icon={IconLock} tone="fail" title="This account is blocked">
        Contact support at {window.location.host} for more information.
      </AccountState>
    );
  if (blockedReason)
    return (
      <AccountState icon={IconLock} tone="wait" title="Your account is not verified yet" action={<DashboardLink />}>
        {blockedReason} A user who can edit the account can submit the form.
      </AccountState>
    );
  if (reviews.isPending) return <LoadingState />;
  if (reviews.error)
    return (
      <ErrorState title="The verification could not be loaded" onRetry={() => void reviews.refetch()}>
        {reviews.error.message}
      </ErrorState>
    );
  if (account.status === 'FORM_SUBMITTED')
    return (
      <AccountState icon={IconHourglass} tone="wait" title="Your account is under review" action={<DashboardLink />}>
        {latest && (
          <>
            The details for {latest.form.company_name} were submitted on <DateTime value={latest.create_date} />.{' '}
          </>
        )}
        The review usually takes less than one business day. We will email you the decision. Until then, you can set
        everything up and test with your own phone.
      </AccountState>
    );
  return <FormStep latest={latest ?? null} />;
}

const DECISION_TITLES: Partial<Record<AccountReview['status'], string>> = {
  REJECTED: 'Your last request was not approved:',
  INFO_NEEDED: 'We need more information:',
};

function FormStep({ latest }: { latest: AccountReview | null }) {
  const decision = latest ? DECISION_TITLES[latest.status] : undefined;
  return (
    <>
      <AuthHeader title="Verify your account">
        Tell us about your company and what you send. After approval, you can send to all recipients, create API keys,
        and request sender IDs.
      </AuthHeader>
      {decision && (
        <div className={styles.reviewNotice} role="status">
          <b>{decision}</b>
          <p>{latest?.reason || 'No reason was given.'}</p>
        </div>
      )}
      <VerificationForm latest={latest} />
      <p className={styles.after}>
        <Link to="/">Do this later</Link>
      </p>
    </>
  );
}

const DashboardLink = () => (
  <Button component={Link} to="/" variant="default" fullWidth>
    Go to the dashboard
  </Button>
);

interface AccountStateProps {
  icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>;
  tone: 'ok' | 'wait' | 'fail';
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

function AccountState({ icon: Icon, tone, title, children, action }: AccountStateProps) {
  return (
    <div role="status">
      <span className={styles.stateIcon} data-tone={tone}>
        <Icon size={24} stroke={1.6} aria-hidden />
      </span>
      <AuthHeader title={title}>{children}</AuthHeader>
      {action}
    </div>
  );
}

const LoadingState = () => (
  <>
    <AuthHeader title="Verify your account" />
    <SkeletonFields />
  </>
);

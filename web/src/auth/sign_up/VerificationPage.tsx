/** Having the company approved: the form, and what came of it. What is typed is kept in this browser until it has been sent. */
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
  const closed = useReason(listVerifications.needs);
  const reviews = useEndpoint(listVerifications, {}, { enabled: !closed });
  const [latest] = reviews.data?.data ?? [];

  if (account.status === 'VERIFIED')
    return (
      <Standing
        icon={IconCircleCheck}
        tone="ok"
        title="Your account is verified"
        action={
          <Button component={Link} to="/" fullWidth>
            Go to the dashboard
          </Button>
        }
      >
        {account.company_name} can send to everybody, create API keys and register sender IDs.
      </Standing>
    );
  if (account.status === 'BLOCKED')
    return (
      <Standing icon={IconLock} tone="fail" title="This account is blocked">
        Contact the support address at {window.location.host} for more information.
      </Standing>
    );
  if (closed)
    return (
      <Standing icon={IconLock} tone="wait" title="Your account is not verified yet" action={<Onward />}>
        {closed} Somebody who may change the account can send the form.
      </Standing>
    );
  if (reviews.isPending) return <Bones />;
  if (reviews.error)
    return (
      <ErrorState title="What was sent could not be loaded" onRetry={() => void reviews.refetch()}>
        {reviews.error.message}
      </ErrorState>
    );
  if (account.status === 'FORM_SUBMITTED')
    return (
      <Standing icon={IconHourglass} tone="wait" title="We look at it" action={<Onward />}>
        {latest && (
          <>
            The details of {latest.form.company_name} were sent on <DateTime value={latest.create_date} />.{' '}
          </>
        )}
        Usually it takes less than a working day. You get a mail as soon as it is decided; until then you can set up
        everything and try it with your own phone.
      </Standing>
    );
  return <Unsent latest={latest ?? null} />;
}

const SAID: Partial<Record<AccountReview['status'], string>> = {
  REJECTED: 'Your last request was not approved:',
  INFO_NEEDED: 'We need a little more to decide:',
};

function Unsent({ latest }: { latest: AccountReview | null }) {
  const said = latest ? SAID[latest.status] : undefined;
  return (
    <>
      <AuthHeader title="Verify your account">
        Tell us who you are and what you want to send. Once it is approved, sending, API keys and sender IDs are open.
      </AuthHeader>
      {said && (
        <div className={styles.told} role="status">
          <b>{said}</b>
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

const Onward = () => (
  <Button component={Link} to="/" variant="default" fullWidth>
    Go on to the dashboard
  </Button>
);

interface StandingProps {
  icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>;
  tone: 'ok' | 'wait' | 'fail';
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

function Standing({ icon: Icon, tone, title, children, action }: StandingProps) {
  return (
    <div role="status">
      <span className={styles.standing} data-tone={tone}>
        <Icon size={24} stroke={1.6} aria-hidden />
      </span>
      <AuthHeader title={title}>{children}</AuthHeader>
      {action}
    </div>
  );
}

const Bones = () => (
  <>
    <AuthHeader title="Verify your account" />
    <SkeletonFields />
  </>
);

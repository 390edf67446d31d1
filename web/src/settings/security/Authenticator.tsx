/** Sets up, replaces, and removes the authenticator app and its recovery codes. */
import { Button, TextInput } from '@mantine/core';
import {
  createRecoveryCodes,
  createTotp,
  getSecondFactors,
  removeTotp,
  type SecondFactors,
} from '@parley/contract/auth/second_factors.ts';
import { Suspense, useState } from 'react';
import { ReauthenticationForm } from '../../auth/factors/ReauthenticationForm.tsx';
import { useEndpoint } from '../../kernel/http/query.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import styles from '../Settings.module.css';
import { RecoveryCodes } from './RecoveryCodes.tsx';

const AuthenticatorSetup = lazyPart(() => import('./AuthenticatorSetup.tsx'));

type Step =
  | { kind: 'closed' | 'begin' | 'renew' | 'remove' }
  | { kind: 'scan'; secret: string; uri: string }
  | { kind: 'codes'; codes: readonly string[] };

/** Changing a factor also changes the user and may end sessions. */
const INVALIDATES = ['second_factors', 'users', 'sessions'] as const;

export function Authenticator() {
  const factors = useEndpoint(getSecondFactors);
  const [step, setStep] = useState<Step>({ kind: 'closed' });
  const close = () => setStep({ kind: 'closed' });
  if (factors.error)
    return (
      <ErrorState title="Your two-factor settings could not be loaded" onRetry={() => void factors.refetch()}>
        {factors.error.message}
      </ErrorState>
    );
  if (!factors.data) return <SkeletonLines lines={2} />;
  switch (step.kind) {
    case 'begin':
      return (
        <ReauthenticationForm
          endpoint={createTotp}
          action="Continue"
          onDone={({ data }) => setStep({ kind: 'scan', ...data })}
          onCancel={close}
        />
      );
    case 'scan':
      return (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <AuthenticatorSetup
            secret={step.secret}
            uri={step.uri}
            invalidates={INVALIDATES}
            onDone={(codes) => setStep({ kind: 'codes', codes })}
            onCancel={close}
          />
        </Suspense>
      );
    case 'codes':
      return <RecoveryCodes codes={step.codes} onDone={close} />;
    case 'renew':
      return <RenewCodes onDone={(codes) => setStep({ kind: 'codes', codes })} onCancel={close} />;
    case 'remove':
      return <RemoveAuthenticator onEnd={close} />;
    default:
      return <State factors={factors.data.data} onStep={(kind) => setStep({ kind })} />;
  }
}

interface RenewCodesProps {
  onDone: (codes: readonly string[]) => void;
  onCancel: () => void;
}

const RenewCodes = ({ onDone, onCancel }: RenewCodesProps) => (
  <>
    <p className={styles.hint}>You will get ten new recovery codes. The old codes will stop working immediately.</p>
    <ReauthenticationForm
      endpoint={createRecoveryCodes}
      action="Generate new codes"
      invalidates={INVALIDATES}
      onDone={({ data }) => onDone(data.recovery_codes)}
      onCancel={onCancel}
    />
  </>
);

const RemoveAuthenticator = ({ onEnd }: { onEnd: () => void }) => (
  <>
    <p className={styles.hint}>
      Its recovery codes will be removed, too. After that, you sign in with only your password.
    </p>
    <ReauthenticationForm
      endpoint={removeTotp}
      action="Remove authenticator"
      danger
      initial={{ code: '' }}
      labels={{ code: 'Code' }}
      fields={(form) => (
        <Field
          form={form}
          name="code"
          as={TextInput}
          label="Authenticator code or recovery code"
          autoComplete="one-time-code"
          autoFocus
        />
      )}
      invalidates={INVALIDATES}
      onDone={() => {
        toast.success('The authenticator was removed');
        onEnd();
      }}
      onCancel={onEnd}
    />
  </>
);

interface StateProps {
  factors: SecondFactors;
  onStep: (kind: 'begin' | 'renew' | 'remove') => void;
}

/** Whether the authenticator is set up, how many recovery codes are left, and the buttons that change it. */
function State({ factors: { totp, totp_date, recovery_codes_left, required, passkeys }, onStep }: StateProps) {
  const isOnlyFactor = required && passkeys === 0;
  if (!totp)
    return (
      <div className={styles.fact}>
        <span className={styles.factText}>{isOnlyFactor ? 'Required, but not set up yet.' : 'Not set up.'}</span>
        <Button size="xs" onClick={() => onStep('begin')}>
          Set up
        </Button>
      </div>
    );
  return (
    <>
      <div className={styles.fact}>
        <span className={styles.factText}>
          Set up on <DateTime value={totp_date} show="date" />
        </span>
        <Disabled
          reason={isOnlyFactor ? 'Your account requires two-factor authentication. Add a passkey first.' : null}
        >
          <Button variant="default" size="xs" onClick={() => onStep('remove')}>
            Remove
          </Button>
        </Disabled>
      </div>
      <div className={styles.fact}>
        <span className={styles.factText}>
          {recovery_codes_left === 0
            ? 'No recovery codes are left.'
            : `${recovery_codes_left} of 10 recovery codes are left.`}
        </span>
        <Button variant="default" size="xs" onClick={() => onStep('renew')}>
          Generate new codes
        </Button>
      </div>
    </>
  );
}

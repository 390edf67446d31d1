/** The authenticator app and its recovery codes: set up, renewed, removed. */
import { Button, TextInput } from '@mantine/core';
import { createRecoveryCodes, createTotp, getSecondFactors, removeTotp } from '@parley/contract/auth/second_factors.ts';
import { lazy, Suspense, useState } from 'react';
import { ReauthenticationForm } from '../../auth/factors/ReauthenticationForm.tsx';
import { useEndpoint } from '../../kernel/http/query.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from '../Settings.module.css';
import { RecoveryCodes } from './RecoveryCodes.tsx';

const AuthenticatorSetup = lazy(() => import('./AuthenticatorSetup.tsx'));

type Step =
  | { kind: 'closed' | 'begin' | 'renew' | 'remove' }
  | { kind: 'scan'; secret: string; uri: string }
  | { kind: 'codes'; codes: readonly string[] };

/** What a changed lock changes: the person, their factors, and where they are signed in. */
const CHANGED = ['second_factors', 'users', 'sessions'] as const;

export function Authenticator() {
  const factors = useEndpoint(getSecondFactors);
  const [step, setStep] = useState<Step>({ kind: 'closed' });
  const close = () => setStep({ kind: 'closed' });
  if (factors.error)
    return (
      <ErrorState title="Your second factors could not be loaded" onRetry={() => void factors.refetch()}>
        {factors.error.message}
      </ErrorState>
    );
  if (!factors.data) return <SkeletonLines lines={2} />;
  const { totp, totp_date, recovery_codes_left, required, passkeys } = factors.data.data;

  if (step.kind === 'codes') return <RecoveryCodes codes={step.codes} onDone={close} />;
  if (step.kind === 'scan')
    return (
      <Suspense fallback={<SkeletonLines lines={6} />}>
        <AuthenticatorSetup
          secret={step.secret}
          uri={step.uri}
          invalidates={CHANGED}
          onDone={(codes) => setStep({ kind: 'codes', codes })}
          onCancel={close}
        />
      </Suspense>
    );
  if (step.kind === 'begin')
    return (
      <ReauthenticationForm
        endpoint={createTotp}
        action="Go on"
        onDone={({ data }) => setStep({ kind: 'scan', ...data })}
        onCancel={close}
      />
    );
  if (step.kind === 'renew')
    return (
      <>
        <p className={styles.hint}>Ten new codes are made. The old ones stop working at once.</p>
        <ReauthenticationForm
          endpoint={createRecoveryCodes}
          action="Make new codes"
          invalidates={CHANGED}
          onDone={({ data }) => setStep({ kind: 'codes', codes: data.recovery_codes })}
          onCancel={close}
        />
      </>
    );
  if (step.kind === 'remove')
    return (
      <>
        <p className={styles.hint}>The recovery codes go with it. Your password alone will be enough to sign in.</p>
        <ReauthenticationForm
          endpoint={removeTotp}
          action="Remove the authenticator"
          danger
          initial={{ code: '' }}
          labels={{ code: 'Code' }}
          fields={(form) => (
            <TextInput
              label="Code of the authenticator, or a recovery code"
              autoComplete="one-time-code"
              autoFocus
              key={form.key('code')}
              {...form.getInputProps('code')}
            />
          )}
          invalidates={CHANGED}
          onDone={() => {
            toast.success('The authenticator was removed');
            close();
          }}
          onCancel={close}
        />
      </>
    );
  if (!totp)
    return (
      <div className={styles.fact}>
        <span className={styles.factWords}>
          {required && passkeys === 0 ? 'Required, and not set up yet.' : 'Not set up.'}
        </span>
        <Button size="xs" onClick={() => setStep({ kind: 'begin' })}>
          Set up
        </Button>
      </div>
    );
  return (
    <>
      <div className={styles.fact}>
        <span className={styles.factWords}>
          In use since <DateTime value={totp_date} show="date" />
        </span>
        <Disabled
          reason={required && passkeys === 0 ? 'Your account requires a second factor. Add a passkey first.' : null}
        >
          <Button variant="default" size="xs" onClick={() => setStep({ kind: 'remove' })}>
            Remove
          </Button>
        </Disabled>
      </div>
      <div className={styles.fact}>
        <span className={styles.factWords}>
          {recovery_codes_left === 0
            ? 'No recovery codes are left.'
            : `${recovery_codes_left} of 10 recovery codes are left.`}
        </span>
        <Button variant="default" size="xs" onClick={() => setStep({ kind: 'renew' })}>
          New recovery codes
        </Button>
      </div>
    </>
  );
}

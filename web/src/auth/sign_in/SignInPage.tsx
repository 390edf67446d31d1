/**
 * Sign-in. Errors appear above the form because they apply to both fields. The router opens the next page once the user
 * is signed in. To stay small, this page loads neither the form library nor the contract; all other steps load lazily.
 */

import { Button, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type FormEvent, Suspense, useRef, useState } from 'react';
import { afterRelease } from '../../kernel/form/pointer_release.ts';
import { useSessionContext } from '../../kernel/session/session.tsx';
import { FORGOT_PASSWORD, SIGN_UP } from '../../paths.ts';
import { brandName, isOwnDomain } from '../../ui/brand.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { PasswordText } from '../../ui/form/PasswordText.tsx';
import styles from '../Auth.module.css';
import { clearFragment, readFragment } from './fragment.ts';
import { clearFactor, readFactor, readSocial, storeSocial, useOutcome } from './outcome.ts';
import { signInErrorText } from './sign_in_errors.ts';

const FactorStep = lazyPart(() => import('./FactorStep.tsx'));
const AlternativeSignIns = lazyPart(() => import('./AlternativeSignIns.tsx'));
const SocialReturn = lazyPart(() => import('./SocialReturn.tsx'));

type Field = 'email' | 'password';

const RULES: Record<Field, (text: string) => string | null> = {
  email: (text) =>
    text.trim() === ''
      ? 'Email is required!'
      : /^\S+@\S+\.\S+$/.test(text.trim())
        ? null
        : 'Email is not a valid email!',
  password: (text) => (text === '' ? 'Password is required!' : null),
};

export default function SignInPage() {
  const [step, setStep] = useState(() => (readFragment() ? 'social' : readFactor() ? 'factor' : 'password'));
  const [problem, setProblem] = useState<string | null>(null);
  const back = (problem: string | null) => {
    clearFragment();
    clearFactor();
    setProblem(problem);
    setStep('password');
  };
  const onNext = () => setStep(readFactor() ? 'factor' : 'password');
  if (step === 'password') return <PasswordStep problem={problem} onNext={onNext} onRefused={setProblem} />;
  return (
    <Suspense fallback={<output className={styles.waiting}>Signing you in…</output>}>
      {step === 'social' ? <SocialReturn onNext={onNext} onBack={back} /> : <FactorStep onBack={back} />}
    </Suspense>
  );
}

interface PasswordStepProps {
  problem: string | null;
  onNext: () => void;
  onRefused: (problem: string | null) => void;
}

function PasswordStep({ problem, onNext, onRefused }: PasswordStepProps) {
  const { state } = useSessionContext();
  const [social, setSocial] = useState(readSocial);
  const link = social?.connect ? social : null;
  const { bind, submit, busy } = usePasswordForm(link?.email ?? '', onNext, onRefused);
  const notice = problem ?? (state.kind === 'out' ? state.notice : null);
  return (
    <>
      <form noValidate aria-label="Sign in" onSubmit={(event) => void submit(event)}>
        <h1 className={styles.title}>{link ? 'Connect your sign-in provider' : 'Sign in'}</h1>
        <p className={styles.description}>
          {link
            ? `You already use ${brandName()} with this email. Enter your password once to connect the provider. ` +
              'After that, you can sign in either way.'
            : 'Use your email and password.'}
        </p>
        {notice && (
          <p className={styles.problem} role="alert">
            <IconAlertTriangle size={16} aria-hidden />
            {notice}
          </p>
        )}
        <div className={styles.fields}>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            inputMode="email"
            autoFocus={!link}
            readOnly={link !== null}
            {...bind('email')}
          />
          <div className={styles.beside}>
            <PasswordText
              label="Password"
              autoComplete="current-password"
              autoFocus={link !== null}
              {...bind('password')}
            />
            <Link to={FORGOT_PASSWORD} className={styles.besideLabel}>
              Forgot password?
            </Link>
          </div>
          <Button type="submit" loading={busy} fullWidth>
            {link ? 'Sign in and connect' : 'Sign in'}
          </Button>
        </div>
      </form>
      {link ? (
        <SkipConnect
          onSkip={() => {
            storeSocial(null);
            setSocial(null);
          }}
        />
      ) : (
        <Alternatives onNext={onNext} onRefused={onRefused} />
      )}
    </>
  );
}

/** Values, validation, and submission of the two fields. */
function usePasswordForm(email: string, onNext: () => void, onRefused: PasswordStepProps['onRefused']) {
  const { signIn } = useSessionContext();
  const outcome = useOutcome();
  const [values, setValues] = useState({ email, password: '' });
  const [errors, setErrors] = useState<Partial<Record<Field, string | null>>>({});
  const [busy, setBusy] = useState(false);
  const fields = { email: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) };

  const bind = (field: Field) => ({
    ref: fields[field],
    name: field,
    value: values[field],
    error: errors[field],
    onChange: (event: FormEvent<HTMLInputElement>) => {
      const text = event.currentTarget.value;
      setValues((old) => ({ ...old, [field]: text }));
      setErrors((old) => ({ ...old, [field]: null }));
    },
    onBlur: () => {
      if (values[field] === '') return;
      afterRelease(() => setErrors((old) => ({ ...old, [field]: RULES[field](values[field]) })));
    },
  });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const invalid = { email: RULES.email(values.email), password: RULES.password(values.password) };
    setErrors(invalid);
    const first = invalid.email ? 'email' : invalid.password ? 'password' : null;
    if (first) return fields[first].current?.focus();
    setBusy(true);
    onRefused(null);
    try {
      outcome(await signIn(values.email.trim(), values.password));
      onNext();
    } catch (error) {
      onRefused(signInErrorText(error));
      setBusy(false);
      fields.password.current?.focus();
    }
  };
  return { bind, submit, busy };
}

function SkipConnect({ onSkip }: { onSkip: () => void }) {
  return (
    <p className={styles.after}>
      <button type="button" className={styles.plain} onClick={onSkip}>
        Sign in without connecting
      </button>
    </p>
  );
}

function Alternatives({ onNext, onRefused }: Pick<PasswordStepProps, 'onNext' | 'onRefused'>) {
  return (
    <>
      {!isOwnDomain() && (
        <p className={styles.after}>
          New to {brandName()}? <Link to={SIGN_UP}>Create account</Link>
        </p>
      )}
      {/* Passkeys and sign-in providers know only the address of the installation. */}
      {!isOwnDomain() && (
        <div className={styles.others}>
          <Suspense>
            <AlternativeSignIns onNext={onNext} onRefused={onRefused} />
          </Suspense>
        </div>
      )}
    </>
  );
}

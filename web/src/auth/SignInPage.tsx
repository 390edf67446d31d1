/**
 * What was wrong is said by the API (wrong e-mail or password, blocked for a while, blocked) and stands above the form, because it is about both
 * fields. Where to go afterwards is decided by the router, which sees that somebody is signed in. No form library: two fields, first page.
 */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../kernel/client.ts';
import { useSessionContext } from '../kernel/session.tsx';
import styles from './SignIn.module.css';

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
  const { state, signIn } = useSessionContext();
  const router = useRouter();
  const [values, setValues] = useState({ email: '', password: '' });
  const [errors, setErrors] = useState<Partial<Record<Field, string | null>>>({});
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const fields = { email: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) };
  const notice = refused ?? (state.kind === 'out' ? state.notice : null);

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
    onBlur: () => values[field] !== '' && setErrors((old) => ({ ...old, [field]: RULES[field](values[field]) })),
  });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const wrong = { email: RULES.email(values.email), password: RULES.password(values.password) };
    setErrors(wrong);
    const first = wrong.email ? 'email' : wrong.password ? 'password' : null;
    if (first) return fields[first].current?.focus();
    setBusy(true);
    setRefused(null);
    try {
      const remembered = await signIn(values.email.trim(), values.password);
      // This page goes away while the account loads; the guard of the public pages reads the address when it comes back.
      if (remembered && !new URLSearchParams(window.location.search).has('returnUrl'))
        router.history.replace(`/sign-in?returnUrl=${encodeURIComponent(remembered)}`);
    } catch (error) {
      setRefused(error instanceof ApiError ? error.message : 'The sign-in failed. Try again.');
      setBusy(false);
      fields.password.current?.focus();
    }
  };

  return (
    <form noValidate aria-label="Sign in" onSubmit={(event) => void submit(event)}>
      <h1 className={styles.title}>Sign in</h1>
      <p className={styles.line}>Welcome back. Your conversations are waiting.</p>
      {notice && (
        <p className={styles.refused} role="alert">
          <IconAlertTriangle size={16} aria-hidden />
          {notice}
        </p>
      )}
      <div className={styles.fields}>
        <TextInput label="Email" type="email" autoComplete="username" inputMode="email" autoFocus {...bind('email')} />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          {...bind('password')}
        />
        <Button type="submit" loading={busy} fullWidth>
          Sign in
        </Button>
      </div>
    </form>
  );
}

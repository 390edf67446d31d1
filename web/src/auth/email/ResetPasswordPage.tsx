/** Choosing a new password with the secret of a mail's link, or of the code that came with it. It works once; all sessions end. */
import { Button } from '@mantine/core';
import { resetPassword } from '@parley/contract/auth/sign_up.ts';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useSessionContext } from '../../kernel/session/session.tsx';
import { FORGOT_PASSWORD, SIGN_IN } from '../../paths.ts';
import styles from '../Auth.module.css';
import { Head } from '../Head.tsx';
import { PasswordField } from '../PasswordField.tsx';

const GONE = 'VERIFICATION_EXPIRED';

export default function ResetPasswordPage() {
  const { hash = '' } = useParams({ strict: false }) as { hash?: string };
  const { state, signOut } = useSessionContext();
  const [end, setEnd] = useState<'done' | 'gone' | null>(
    resetPassword.params.safeParse({ id: hash }).success ? null : 'gone',
  );
  const { form, onSubmit, sending, problem } = useContractForm(resetPassword, {
    initial: { password: '' },
    input: (body) => ({ params: { id: hash }, body }),
    guard: false,
    onDone: () => {
      setEnd('done');
      // Also the one in this browser has ended; nobody should find out by a page that fails.
      if (state.kind === 'in') void signOut();
    },
    onRejected: (error) => {
      if (error.name === GONE) setEnd('gone');
    },
  });
  if (end === 'gone')
    return (
      <>
        <Head title="This link no longer works">
          It has been used already, a newer one was sent, or an hour has passed. Ask for a new one; it takes a moment.
        </Head>
        <Button component={Link} to={FORGOT_PASSWORD} fullWidth>
          Send a new link
        </Button>
        <p className={styles.after}>
          <Link to={SIGN_IN}>Back to sign-in</Link>
        </p>
      </>
    );
  if (end === 'done')
    return (
      <>
        <Head title="Your password is changed">
          You have been signed out everywhere. Sign in with the new password.
        </Head>
        <Button component={Link} to={SIGN_IN} fullWidth data-autofocus>
          Sign in
        </Button>
      </>
    );
  return (
    <>
      <Head title="Choose a new password" problem={problem}>
        You will be signed out on all devices and sign in with the new one.
      </Head>
      <form noValidate onSubmit={onSubmit} className={styles.fields}>
        <PasswordField
          label="New password"
          autoFocus
          key={form.key('password')}
          field={form.getInputProps('password')}
        />
        <Button type="submit" loading={sending} fullWidth>
          Change password
        </Button>
      </form>
    </>
  );
}

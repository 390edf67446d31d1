/**
 * Sets a new password with the secret from an email link or code. The secret works once, and the reset ends all
 * sessions.
 */
import { Button } from '@mantine/core';
import { resetPassword } from '@parley/contract/auth/sign_up.ts';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import '../../kernel/schema/rules.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { useSessionContext } from '../../kernel/session/session.tsx';
import { FORGOT_PASSWORD, RESET_PASSWORD, SIGN_IN } from '../../paths.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import styles from '../Auth.module.css';
import { AuthHeader } from '../AuthHeader.tsx';
import { useLinkSecret } from '../link_secret.ts';
import { PasswordField } from '../PasswordField.tsx';

const EXPIRED = 'VERIFICATION_EXPIRED';

export default function ResetPasswordPage() {
  const params = useParams({ strict: false }) as { hash?: string };
  const hash = useLinkSecret(RESET_PASSWORD, params.hash);
  const { state, signOut } = useSessionContext();
  const [result, setResult] = useState<'done' | 'expired' | null>(
    resetPassword.params.safeParse({ id: hash }).success ? null : 'expired',
  );
  const { form, bind, sending, problem } = useContractForm(resetPassword, {
    initial: { password: '' },
    input: (body) => ({ params: { id: hash }, body }),
    guard: false,
    onDone: () => {
      setResult('done');
      // The reset also ended this browser's session. Without this sign-out, the next page would fail.
      if (state.kind === 'in') void signOut();
    },
    onRejected: (error) => {
      if (error.name === EXPIRED) setResult('expired');
    },
  });
  if (result === 'expired')
    return (
      <>
        <AuthHeader title="This link no longer works" back={<Back to={SIGN_IN}>Sign in</Back>}>
          It was already used, was replaced by a newer link, or is more than one hour old.
        </AuthHeader>
        <Button component={Link} to={FORGOT_PASSWORD} fullWidth>
          Request a new link
        </Button>
      </>
    );
  if (result === 'done')
    return (
      <>
        <AuthHeader title="Password changed">
          You have been signed out on all devices. Sign in with your new password.
        </AuthHeader>
        <Button component={Link} to={SIGN_IN} fullWidth data-autofocus>
          Sign in
        </Button>
      </>
    );
  return (
    <>
      <AuthHeader title="Choose a new password" problem={problem}>
        You will be signed out on all devices. Sign in again with your new password.
      </AuthHeader>
      <Form {...bind} className={styles.fields}>
        <Field form={form} name="password" as={PasswordField} label="New password" autoFocus />
        <Button type="submit" loading={sending} fullWidth>
          Change password
        </Button>
      </Form>
    </>
  );
}

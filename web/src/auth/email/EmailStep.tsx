/** An address that a code is sent to, on a page before the app. */
import { Button, TextInput } from '@mantine/core';
import type { createEmailVerification, createPasswordReset } from '@parley/contract/auth/sign_up.ts';
import { Link, useRouter } from '@tanstack/react-router';
import { useContractForm } from '../../kernel/form/form.ts';
import type { CallInput } from '../../kernel/http/client.ts';
import { emailVerificationPath, SIGN_IN } from '../../paths.ts';
import styles from '../Auth.module.css';
import { AuthHeader } from '../AuthHeader.tsx';
import { storeResendDate } from '../resend.ts';

export interface EmailStepProps {
  endpoint: typeof createEmailVerification | typeof createPasswordReset;
  title: string;
  line: string;
  before?: string;
  /** The code opens a new password. */
  recovery?: boolean;
}

export function EmailStep({ endpoint, title, line, before = '', recovery = false }: EmailStepProps) {
  const router = useRouter();
  const { form, onSubmit, sending, problem } = useContractForm(endpoint as typeof createPasswordReset, {
    initial: { email: before },
    input: (body) => ({ body }) as CallInput<typeof createPasswordReset>,
    guard: false,
    onDone: ({ data }) => {
      storeResendDate(data);
      const next = emailVerificationPath(data.id, form.getValues().email.trim(), recovery);
      // Going back from the code leads to where the password was forgotten, but never to a step that came by itself.
      if (recovery) router.history.push(next);
      else router.history.replace(next);
    },
  });
  return (
    <>
      <AuthHeader title={title} problem={problem}>
        {line}
      </AuthHeader>
      <form noValidate onSubmit={onSubmit} className={styles.fields}>
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={sending} fullWidth>
          Send the code
        </Button>
      </form>
      <p className={styles.after}>
        <Link to={SIGN_IN}>Back to sign-in</Link>
      </p>
    </>
  );
}

import { Button, TextInput } from '@mantine/core';
import { createPasswordReset } from '@parley/contract/sign_up.ts';
import { Link, useRouter } from '@tanstack/react-router';
import { useContractForm } from '../kernel/form.ts';
import styles from './Auth.module.css';
import { keepResend } from './codes.ts';
import { Head } from './Head.tsx';
import { emailStep, SIGN_IN } from './links.ts';

/** Says the same whether there is a user of the address or not; the mail tells. */
export default function ForgotPasswordPage() {
  const router = useRouter();
  const { form, onSubmit, sending, problem } = useContractForm(createPasswordReset, {
    initial: { email: '' },
    guard: false,
    onDone: ({ data }) => {
      keepResend(data);
      router.history.push(emailStep(data.id, form.getValues().email.trim(), true));
    },
  });
  return (
    <>
      <Head title="Forgot your password?" problem={problem}>
        Enter the address you sign in with. We send a code and a link to choose a new password.
      </Head>
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

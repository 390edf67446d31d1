/** The step that sends a code to an email address, on a public page. */
import { Button, TextInput } from '@mantine/core';
import type { createEmailVerification, createPasswordReset } from '@parley/contract/auth/sign_up.ts';
import { useRouter } from '@tanstack/react-router';
import { useContractForm } from '../../kernel/form/form.ts';
import type { CallInput } from '../../kernel/http/client.ts';
import { emailVerificationPath, SIGN_IN } from '../../paths.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import styles from '../Auth.module.css';
import { AuthHeader } from '../AuthHeader.tsx';
import { storeResendDate } from '../resend.ts';

interface EmailStepProps {
  endpoint: typeof createEmailVerification | typeof createPasswordReset;
  title: string;
  description: string;
  /** The initial address. */
  email?: string;
  /** True if the code is for a password reset. */
  recovery?: boolean;
}

export function EmailStep({ endpoint, title, description, email = '', recovery = false }: EmailStepProps) {
  const router = useRouter();
  const { form, bind, sending, problem } = useContractForm(endpoint as typeof createPasswordReset, {
    initial: { email },
    input: (body) => ({ body }) as CallInput<typeof createPasswordReset>,
    guard: false,
    onDone: ({ data }) => {
      storeResendDate(data);
      const next = emailVerificationPath(data.id, form.getValues().email.trim(), recovery);
      // The Back button goes from the code step to the password reset page, but never to a step that opened
      // automatically.
      if (recovery) router.history.push(next);
      else router.history.replace(next);
    },
  });
  return (
    <>
      <AuthHeader title={title} problem={problem} back={<Back to={SIGN_IN}>Sign in</Back>}>
        {description}
      </AuthHeader>
      <Form {...bind} className={styles.fields}>
        <Field
          form={form}
          name="email"
          as={TextInput}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoFocus
        />
        <Button type="submit" loading={sending} fullWidth>
          Send code
        </Button>
      </Form>
    </>
  );
}

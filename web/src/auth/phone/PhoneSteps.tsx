/**
 * Verifies a phone number in two steps: number and code. The current step is in the URL, and the ID of the sent code
 * survives a reload.
 */
import { Button } from '@mantine/core';
import { confirmPhone, createPhoneVerification } from '@parley/contract/auth/sign_up.ts';
import type { Verification } from '@parley/contract/verify/codes.ts';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { ApiError, type CallInput, call } from '../../kernel/http/client.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { PhoneInput } from '../../ui/form/phone/PhoneInput.tsx';
import styles from '../Auth.module.css';
import { AuthHeader } from '../AuthHeader.tsx';
import { CodeForm } from '../CodeForm.tsx';
import {
  EMPTY_REAUTHENTICATION,
  isReauthenticationRequired,
  REAUTHENTICATION_LABELS,
  ReauthenticationFields,
  type Texts,
  useReauthentication,
} from '../factors/ReauthenticationFields.tsx';
import { storeResendDate } from '../resend.ts';

const STORAGE_KEY = 'parley.phone_code';
interface Sent {
  id: string;
  phone_number: string;
}

function readSent(): Sent | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Sent | null;
  } catch {
    return null;
  }
}

interface PhoneStepsProps {
  title: string;
  description: string;
  onDone: () => void;
}

export function PhoneSteps({ title, description, onDone }: PhoneStepsProps) {
  const router = useRouter();
  const atCode = useRouterState({ select: ({ location }) => (location.search as { step?: string }).step === 'code' });
  const [sent, setSent] = useState(readSent);
  const [required, setRequired] = useState(false);
  const path = router.state.location.pathname;
  const store = (phone_number: string, verification: Verification) => {
    storeResendDate(verification);
    const code = { id: verification.id, phone_number };
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(code));
    setSent(code);
  };
  if (!atCode || !sent)
    return (
      <NumberStep
        title={title}
        description={description}
        initialNumber={sent?.phone_number ?? ''}
        required={required}
        onSent={(number, verification) => {
          store(number, verification);
          router.history.push(`${path}?step=code`);
        }}
      />
    );
  return (
    <>
      <AuthHeader title="Enter the code">
        We texted it to{' '}
        <b>
          <PhoneNumber value={sent.phone_number} withCountry={false} />
        </b>
        . It may take a minute to arrive.
      </AuthHeader>
      <CodeForm
        key={sent.id}
        endpoint={confirmPhone}
        id={sent.id}
        invalidates={['users', 'accounts']}
        onDone={() => {
          sessionStorage.removeItem(STORAGE_KEY);
          onDone();
        }}
        onResend={async () => {
          const resent = call(createPhoneVerification, { body: { phone_number: sent.phone_number } });
          await resent.then(
            ({ data }) => store(sent.phone_number, data),
            (error: unknown) => {
              if (!(error instanceof ApiError && isReauthenticationRequired(error))) throw error;
              // The number step shows the re-authentication fields and sends the code again.
              setRequired(true);
              router.history.push(path);
            },
          );
        }}
      >
        <button type="button" className={styles.plain} onClick={() => router.history.push(path)}>
          Change number
        </button>
      </CodeForm>
    </>
  );
}

interface NumberStepProps {
  title: string;
  description: string;
  initialNumber: string;
  required: boolean;
  onSent: (phone_number: string, verification: Verification) => void;
}

function NumberStep({ title, description, initialNumber, required, onSent }: NumberStepProps) {
  const { account } = useSession();
  const reauthentication = useReauthentication({ required });
  const { form, bind, onSubmit, sending, problem } = useContractForm(createPhoneVerification, {
    initial: { phone_number: initialNumber, ...EMPTY_REAUTHENTICATION } as Texts,
    body: reauthentication.body,
    input: (values) => ({ body: reauthentication.body(values) }) as CallInput<typeof createPhoneVerification>,
    check: reauthentication.check,
    labels: { phone_number: 'Phone number', ...REAUTHENTICATION_LABELS },
    guard: false,
    onDone: ({ data }) => onSent(form.getValues().phone_number!, data),
    onRejected: (error) => {
      if (reauthentication.onRefused(error)) form.clearErrors();
    },
  });
  const { error, onBlur } = form.getInputProps('phone_number') as { error?: string; onBlur?: () => void };
  return (
    <>
      <AuthHeader title={title} problem={problem}>
        {description}
      </AuthHeader>
      <Form {...bind} className={styles.fields}>
        <PhoneInput
          label="Phone number"
          description="A mobile number where you can receive text messages."
          country={account.user_country || account.country_code}
          initial={initialNumber}
          error={error}
          data-path="phone_number"
          autoFocus
          onChange={(number) => {
            form.setFieldValue('phone_number', number);
            form.clearFieldError('phone_number');
          }}
          {...(onBlur ? { onBlur } : {})}
        />
        {reauthentication.needs !== 'nothing' && (
          <p className={styles.status}>You signed in a while ago. Confirm it’s you.</p>
        )}
        <ReauthenticationFields form={form} reauthentication={reauthentication} autoFocus onSubmit={onSubmit} />
        <Button type="submit" loading={sending} fullWidth>
          Send code
        </Button>
      </Form>
    </>
  );
}

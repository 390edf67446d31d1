/** A phone number of one's own in two steps: the number, and the code that it gets. The step stands in the address; what was sent is kept for a reload. */
import { Button } from '@mantine/core';
import { confirmPhone, createPhoneVerification } from '@parley/contract/auth/sign_up.ts';
import type { Verification } from '@parley/contract/verify/codes.ts';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { ApiError, type CallInput, call } from '../../kernel/http/client.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { PhoneInput } from '../../ui/form/PhoneInput.tsx';
import styles from '../Auth.module.css';
import { CodeForm } from '../CodeForm.tsx';
import { keepResend } from '../codes.ts';
import { isProofAsked, NO_PROOF, PROOF_LABELS, ProofFields, type Texts, useProof } from '../factors/ProofFields.tsx';
import { Head } from '../Head.tsx';

const KEY = 'parley.phone_code';
interface Sent {
  id: string;
  phone_number: string;
}

function readSent(): Sent | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Sent | null;
  } catch {
    return null;
  }
}

export interface PhoneStepsProps {
  title: string;
  line: string;
  onDone: () => void;
}

export function PhoneSteps({ title, line, onDone }: PhoneStepsProps) {
  const router = useRouter();
  const atCode = useRouterState({ select: ({ location }) => (location.search as { step?: string }).step === 'code' });
  const [sent, setSent] = useState(readSent);
  const [asked, setAsked] = useState(false);
  const path = router.state.location.pathname;
  const keep = (phone_number: string, verification: Verification) => {
    keepResend(verification);
    const now = { id: verification.id, phone_number };
    sessionStorage.setItem(KEY, JSON.stringify(now));
    setSent(now);
  };
  if (!atCode || !sent)
    return (
      <NumberStep
        title={title}
        line={line}
        before={sent?.phone_number ?? ''}
        asked={asked}
        onSent={(number, verification) => {
          keep(number, verification);
          router.history.push(`${path}?step=code`);
        }}
      />
    );
  return (
    <>
      <Head title="Enter the code">
        It was sent to{' '}
        <b>
          <PhoneNumber value={sent.phone_number} withCountry={false} />
        </b>{' '}
        as a text message. That can take a minute.
      </Head>
      <CodeForm
        key={sent.id}
        endpoint={confirmPhone}
        id={sent.id}
        invalidates={['users', 'accounts']}
        onDone={() => {
          sessionStorage.removeItem(KEY);
          onDone();
        }}
        onResend={async () => {
          const again = call(createPhoneVerification, { body: { phone_number: sent.phone_number } });
          await again.then(
            ({ data }) => keep(sent.phone_number, data),
            (error: unknown) => {
              if (!(error instanceof ApiError && isProofAsked(error))) throw error;
              // The step before asks for the proof, and sends.
              setAsked(true);
              router.history.push(path);
            },
          );
        }}
      >
        <button type="button" className={styles.plain} onClick={() => router.history.push(path)}>
          Change the number
        </button>
      </CodeForm>
    </>
  );
}

interface NumberStepProps {
  title: string;
  line: string;
  before: string;
  asked: boolean;
  onSent: (phone_number: string, verification: Verification) => void;
}

function NumberStep({ title, line, before, asked, onSent }: NumberStepProps) {
  const { account } = useSession();
  const proof = useProof({ asked });
  const { form, onSubmit, sending, problem } = useContractForm(createPhoneVerification, {
    initial: { phone_number: before, ...NO_PROOF } as Texts,
    body: proof.body,
    input: (values) => ({ body: proof.body(values) }) as CallInput<typeof createPhoneVerification>,
    check: proof.check,
    labels: { phone_number: 'Phone number', ...PROOF_LABELS },
    guard: false,
    onDone: ({ data }) => onSent(form.getValues().phone_number!, data),
    onRejected: (error) => {
      if (proof.onRefused(error)) form.clearErrors();
    },
  });
  const { error, onBlur } = form.getInputProps('phone_number') as { error?: string; onBlur?: () => void };
  return (
    <>
      <Head title={title} problem={problem}>
        {line}
      </Head>
      <form noValidate onSubmit={onSubmit} className={styles.fields}>
        <PhoneInput
          label="Phone number"
          description="A mobile number that you have at hand. You may paste it with its country code."
          country={account.user_country || account.country_code}
          initial={before}
          error={error}
          data-path="phone_number"
          autoFocus
          onChange={(number) => {
            form.setFieldValue('phone_number', number);
            form.clearFieldError('phone_number');
          }}
          {...(onBlur ? { onBlur } : {})}
        />
        {proof.asks !== 'nothing' && <p className={styles.said}>You signed in a while ago. Confirm that it is you.</p>}
        <ProofFields form={form} proof={proof} autoFocus onSubmit={onSubmit} />
        <Button type="submit" loading={sending} fullWidth>
          Send the code
        </Button>
      </form>
    </>
  );
}

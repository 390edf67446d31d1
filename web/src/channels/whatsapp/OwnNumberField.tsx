/** A number from another provider. A code sent to it verifies that the company owns it. */
import { Button, TextInput } from '@mantine/core';
import { confirmNumber, createNumberVerification, type OwnNumber } from '@parley/contract/registrations/access.ts';
import { useState } from 'react';
import { ApiError } from '../../kernel/http/client.ts';
import { toastError, useAction } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { parsePhone } from '../../ui/data/phone.ts';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import { PhoneInput } from '../../ui/form/phone/PhoneInput.tsx';
import styles from '../Access.module.css';

const digits = (text: string): string => text.replace(/\D/g, '');

interface OwnNumberFieldProps {
  sender_id: string;
  number: string;
  /** Undefined while they load. */
  numbers: readonly OwnNumber[] | undefined;
  error: string | undefined;
  onChange: (number: string) => void;
}

export function OwnNumberField({ sender_id, number, numbers, error, onChange }: OwnNumberFieldProps) {
  const { account } = useSession();
  const verification = useNumberVerification(sender_id, number);
  const { sent, problems, clearProblems, send, sending } = verification;
  const isVerified = numbers?.some((one) => one.number === digits(number)) ?? false;
  const isWaiting = sent !== null && sent.number === digits(number) && !isVerified;
  return (
    <div className={styles.number}>
      <PhoneInput
        label="Number"
        description="The number must be able to receive text messages."
        country={account.user_country || account.country_code}
        initial={number ? `+${digits(number)}` : ''}
        error={problems.number ?? error}
        data-path="phone_number"
        onChange={(value) => {
          clearProblems();
          onChange(value);
        }}
      />
      {isVerified ? (
        <Notice tone="ok">You verified that {parsePhone(digits(number)).text} is yours.</Notice>
      ) : isWaiting ? (
        <CodeField phone={sent.number} verification={verification} />
      ) : (
        <div>
          <Disabled reason={digits(number).length < 7 ? 'Enter the number first' : null}>
            <Button size="xs" variant="default" disabled={numbers === undefined} onClick={send} loading={sending}>
              Send code
            </Button>
          </Disabled>
        </div>
      )}
    </div>
  );
}

type NumberVerification = ReturnType<typeof useNumberVerification>;

/** Sends a code to the number and confirms it. */
function useNumberVerification(sender_id: string, number: string) {
  const [sent, setSent] = useState<{ id: string; number: string } | null>(null);
  const [code, setCode] = useState('');
  const [problems, setProblems] = useState<{ number?: string; code?: string }>({});
  const showError = (field: 'number' | 'code') => (error: unknown) => {
    if (error instanceof ApiError && !error.announced) setProblems({ [field]: error.message });
    else toastError(error);
  };
  const creation = useAction(createNumberVerification, {
    onSuccess: ({ data }) => {
      setSent({ id: data.id, number: digits(number) });
      setCode('');
      setProblems({});
    },
    onError: showError('number'),
  });
  const confirmation = useAction(confirmNumber, {
    invalidates: ['senders'],
    onSuccess: () => {
      setSent(null);
      setProblems({});
    },
    onError: showError('code'),
  });
  return {
    sent,
    code,
    problems,
    clearProblems: () => setProblems({}),
    changeCode: (text: string) => {
      setCode(digits(text).slice(0, 6));
      setProblems({});
    },
    send: () => creation.mutate({ params: { id: sender_id }, body: { phone_number: `+${digits(number)}` } }),
    sending: creation.isPending,
    confirm: () => {
      if (!sent) return;
      if (!/^\d{6}$/.test(code)) return setProblems({ code: 'The code must have six digits' });
      confirmation.mutate({ params: { id: sender_id, verification_id: sent.id }, body: { code } });
    },
    confirming: confirmation.isPending,
  };
}

function CodeField({ phone, verification }: { phone: string; verification: NumberVerification }) {
  const { code, problems, changeCode, confirm, confirming, send, sending } = verification;
  return (
    <div className={styles.codeRow}>
      <TextInput
        label="Code"
        description={`Six digits, sent to ${parsePhone(phone).text}. Valid for 10 minutes.`}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        placeholder="000000"
        value={code}
        error={problems.code}
        onChange={(event) => changeCode(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) confirm();
        }}
      />
      <Buttons>
        <Button size="xs" onClick={confirm} loading={confirming}>
          Confirm number
        </Button>
        <Button size="xs" variant="default" onClick={send} loading={sending}>
          Send new code
        </Button>
      </Buttons>
    </div>
  );
}

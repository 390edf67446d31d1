/** A number somebody has elsewhere: a code goes there, and with it the number counts as the company's own. */
import { Button, TextInput } from '@mantine/core';
import { confirmNumber, createNumberVerification, type OwnNumber } from '@parley/contract/registrations/access.ts';
import { useState } from 'react';
import { ApiError } from '../../kernel/http/client.ts';
import { toastError, useAction } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { parsePhone } from '../../ui/data/phone.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { PhoneInput } from '../../ui/form/PhoneInput.tsx';
import styles from '../Registrations.module.css';

const digits = (text: string): string => text.replace(/\D/g, '');

export interface OwnNumberFieldProps {
  sender_id: string;
  number: string;
  /** Undefined while they are asked for. */
  numbers: readonly OwnNumber[] | undefined;
  error: string | undefined;
  onChange: (number: string) => void;
}

export function OwnNumberField({ sender_id, number, numbers, error, onChange }: OwnNumberFieldProps) {
  const { account } = useSession();
  const [sent, setSent] = useState<{ id: string; number: string } | null>(null);
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<{ number?: string; code?: string }>({});
  const place = (field: 'number' | 'code') => (thrown: unknown) => {
    if (thrown instanceof ApiError && !thrown.announced) setWrong({ [field]: thrown.message });
    else toastError(thrown);
  };
  const ask = useAction(createNumberVerification, {
    onSuccess: ({ data }) => {
      setSent({ id: data.id, number: digits(number) });
      setCode('');
      setWrong({});
    },
    onError: place('number'),
  });
  const confirm = useAction(confirmNumber, {
    invalidates: ['senders'],
    onSuccess: () => {
      setSent(null);
      setWrong({});
    },
    onError: place('code'),
  });
  const verified = numbers?.some((one) => one.number === digits(number)) ?? false;
  const waiting = sent !== null && sent.number === digits(number) && !verified;
  const send = () => ask.mutate({ params: { id: sender_id }, body: { phone_number: `+${digits(number)}` } });
  const give = () => {
    if (!waiting) return;
    if (!/^\d{6}$/.test(code)) return setWrong({ code: 'The code must have six digits' });
    confirm.mutate({ params: { id: sender_id, verification_id: sent.id }, body: { code } });
  };
  return (
    <div className={styles.form} style={{ gap: 12 }}>
      <PhoneInput
        label="Number"
        description="It must be able to get a text message."
        country={account.user_country || account.country_code}
        initial={number ? `+${digits(number)}` : ''}
        error={wrong.number ?? error}
        data-path="phone_number"
        onChange={(value) => {
          setWrong({});
          onChange(value);
        }}
      />
      {verified ? (
        <Notice tone="ok">Verified: {parsePhone(digits(number)).text} is yours.</Notice>
      ) : waiting ? (
        <div className={styles.codeRow}>
          <TextInput
            label="Code"
            description={`Six digits, sent to ${parsePhone(sent.number).text} and good for 10 minutes.`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            placeholder="000000"
            value={code}
            error={wrong.code}
            onChange={(event) => {
              setCode(digits(event.currentTarget.value).slice(0, 6));
              setWrong({});
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) give();
            }}
          />
          <div className={styles.buttons}>
            <Button size="xs" onClick={give} loading={confirm.isPending}>
              Confirm number
            </Button>
            <Button size="xs" variant="default" onClick={send} loading={ask.isPending}>
              Send another code
            </Button>
          </div>
        </div>
      ) : (
        <div>
          <Button
            size="xs"
            variant="default"
            disabled={digits(number).length < 7 || numbers === undefined}
            onClick={send}
            loading={ask.isPending}
          >
            Send a code to it
          </Button>
        </div>
      )}
    </div>
  );
}

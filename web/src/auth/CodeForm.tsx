/**
 * The form for a 6-digit code sent by email or text message, with a button to send a new one. A code from a link is
 * filled in but not submitted, so that link scanners do not use it up.
 */
import { Button, TextInput } from '@mantine/core';
import type { confirmPhone } from '@parley/contract/auth/sign_up.ts';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { ApiError, type ApiResponse, type CallInput } from '../kernel/http/client.ts';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import styles from './Auth.module.css';
import { msUntilResend } from './resend.ts';

export const codeDigits = (text: string): string => text.replace(/\D/g, '').slice(0, 6);

interface CodeFormProps<E extends AnyEndpoint> {
  /** A PUT endpoint with `{id}` in its path and `{code}` as its body. */
  endpoint: E;
  id: string;
  code?: string;
  action?: string;
  invalidates?: readonly string[];
  onDone: (response: ApiResponse<E>) => void;
  /** Sends another code. If this function throws an error, the form shows it. */
  onResend: () => Promise<void>;
  /** Shown next to "Send a new code". */
  children?: ReactNode;
}

export function CodeForm<E extends AnyEndpoint>({
  endpoint,
  id,
  code = '',
  action = 'Confirm',
  invalidates,
  onDone,
  onResend,
  children,
}: CodeFormProps<E>) {
  // All code endpoints have this shape.
  const { form, bind, sending, problem } = useContractForm(endpoint as unknown as typeof confirmPhone, {
    initial: { code: codeDigits(code) },
    input: (body) => ({ params: { id }, body }) as CallInput<typeof confirmPhone>,
    ...(invalidates ? { invalidates } : {}),
    guard: false,
    onDone: (response) => onDone(response as unknown as ApiResponse<E>),
  });
  return (
    <>
      <Form {...bind} className={styles.fields}>
        {problem && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <Field
          form={form}
          name="code"
          as={TextInput}
          label="Code"
          description="Six digits, valid for 10 minutes."
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus={!code}
          placeholder="000000"
          classNames={{ input: styles.code ?? '' }}
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            // Pasted text may contain spaces, a dash, or other text around the code.
            event.currentTarget.value = codeDigits(event.currentTarget.value);
          }}
        />
        <Button type="submit" loading={sending} fullWidth autoFocus={Boolean(code)}>
          {action}
        </Button>
      </Form>
      <Resend key={id} id={id} onResend={onResend}>
        {children}
      </Resend>
    </>
  );
}

function Resend({ id, onResend, children }: { id: string; onResend: () => Promise<void>; children?: ReactNode }) {
  const [secondsLeft, setSecondsLeft] = useState(() => Math.ceil(msUntilResend(id) / 1_000));
  const [status, setStatus] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setSecondsLeft(Math.ceil(msUntilResend(id) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [id]);
  const send = async () => {
    setBusy(true);
    setStatus(null);
    try {
      await onResend();
      setStatus('New code sent. The old one no longer works.');
    } catch (error) {
      if (!(error instanceof ApiError)) setStatus('The code could not be sent. Try again.');
      else if (!error.announced) setStatus(error.message);
    }
    setBusy(false);
  };
  return (
    <>
      <p className={styles.after} data-apart>
        <button type="button" className={styles.plain} disabled={secondsLeft > 0 || busy} onClick={() => void send()}>
          {secondsLeft > 0 ? `Send a new code in ${secondsLeft} s` : 'Send a new code'}
        </button>
        {children}
      </p>
      <output className={styles.status}>{status}</output>
    </>
  );
}

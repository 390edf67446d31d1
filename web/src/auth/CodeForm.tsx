/**
 * Six digits that came by mail or text message, and asking for new ones. A code that came with a link is filled in and waits for one click: programs
 * that look at links before people do must not use it up.
 */
import { Button, TextInput } from '@mantine/core';
import type { confirmPhone } from '@parley/contract/auth/sign_up.ts';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { ApiError, type ApiResponse, type CallInput } from '../kernel/http/client.ts';
import styles from './Auth.module.css';
import { msUntilResend } from './resend.ts';

export const codeDigits = (text: string): string => text.replace(/\D/g, '').slice(0, 6);

export interface CodeFormProps<E extends AnyEndpoint> {
  /** PUT with `{id}` in its path and `{code}` as its body. */
  endpoint: E;
  id: string;
  code?: string;
  action?: string;
  invalidates?: readonly string[];
  onDone: (answer: ApiResponse<E>) => void;
  /** Sends another code; throws what is to be said. */
  onResend: () => Promise<void>;
  /** Beside "Send a new code". */
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
  // Every such endpoint has the shape of this one.
  const { form, onSubmit, sending, problem } = useContractForm(endpoint as unknown as typeof confirmPhone, {
    initial: { code: codeDigits(code) },
    input: (body) => ({ params: { id }, body }) as CallInput<typeof confirmPhone>,
    ...(invalidates ? { invalidates } : {}),
    guard: false,
    onDone: (answer) => onDone(answer as unknown as ApiResponse<E>),
  });
  const field = form.getInputProps('code');
  return (
    <>
      <form noValidate onSubmit={onSubmit} className={styles.fields}>
        {problem && (
          <p className={styles.refused} role="alert">
            {problem}
          </p>
        )}
        <TextInput
          label="Code"
          description="Six digits, good for 10 minutes."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus={!code}
          placeholder="000000"
          classNames={{ input: styles.code }}
          key={form.key('code')}
          {...field}
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            // Pasted with spaces, a dash or the words around it.
            event.currentTarget.value = codeDigits(event.currentTarget.value);
            field.onChange(event);
          }}
        />
        <Button type="submit" loading={sending} fullWidth autoFocus={Boolean(code)}>
          {action}
        </Button>
      </form>
      <Resend key={id} id={id} onResend={onResend}>
        {children}
      </Resend>
    </>
  );
}

function Resend({ id, onResend, children }: { id: string; onResend: () => Promise<void>; children?: ReactNode }) {
  const [left, setLeft] = useState(() => Math.ceil(msUntilResend(id) / 1_000));
  const [said, setSaid] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.ceil(msUntilResend(id) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [id]);
  const send = async () => {
    setBusy(true);
    setSaid(null);
    try {
      await onResend();
      setSaid('A new code is on its way. The old one no longer works.');
    } catch (error) {
      if (!(error instanceof ApiError)) setSaid('The code could not be sent. Try again.');
      else if (!error.announced) setSaid(error.message);
    }
    setBusy(false);
  };
  return (
    <>
      <p className={styles.after} data-apart>
        <button type="button" className={styles.plain} disabled={left > 0 || busy} onClick={() => void send()}>
          {left > 0 ? `Send a new code in ${left} s` : 'Send a new code'}
        </button>
        {children}
      </p>
      <output className={styles.said}>{said}</output>
    </>
  );
}

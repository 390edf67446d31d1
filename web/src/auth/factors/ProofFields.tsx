/**
 * Proving once more who one is, as fields of a form. The server says when: `useProof` shows them after its first
 * refusal (PROOF_REQUIRED), or from the beginning where the password is asked for each time. Whoever has no password
 * gives a code or a passkey; what is grave asks for it beside the password.
 */
import { Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Reauthentication as Proof } from '@parley/contract/auth/reauthentication.ts';
import { getSecondFactors } from '@parley/contract/auth/second_factors.ts';
import { IconFingerprint } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { ApiError } from '../../kernel/http/client.ts';
import { toastError, useEndpoint } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { PasswordText } from '../../ui/form/PasswordText.tsx';
import styles from '../Auth.module.css';
import { answerByPasskey, hasPasskeys } from './passkey.ts';

export type Texts = Record<string, string>;
type Asks = 'nothing' | 'password' | 'factor' | 'both';

export const NO_PROOF = { current_password: '', factor_code: '' };
export const PROOF_LABELS = { current_password: 'Password', factor_code: 'Code' };
export const isProofAsked = (error: ApiError): boolean => error.name === 'PROOF_REQUIRED';

export interface ProofAsked {
  asks: Asks;
  /** For `useContractForm`: of all values those that are asked for. */
  body: (values: Texts) => Record<string, unknown>;
  check: (values: Texts) => Record<string, string | null>;
  /** True: the form asks from now on; what the server said is no mistake of anybody's. */
  onRefused: (error: ApiError) => boolean;
  passkey: { current: Proof['passkey'] | null };
}

export interface ProofOptions {
  /** The password from the beginning. */
  always?: boolean;
  /** And a second factor, of whoever has one. */
  grave?: boolean;
  /** The server has demanded it already. */
  asked?: boolean;
}

export function useProof({ always = false, grave = false, asked = false }: ProofOptions = {}): ProofAsked {
  const { user } = useSession();
  const [refused, setRefused] = useState(asked);
  const [factorRefused, setFactorRefused] = useState(false);
  const passkey = useRef<Proof['passkey'] | null>(null);
  const own = user.has_password;
  const password = own && (always || grave || refused);
  const factor = own ? factorRefused || (grave && user.second_factor) : refused || (grave && user.second_factor);
  const asks: Asks = password ? (factor ? 'both' : 'password') : factor ? 'factor' : 'nothing';
  return {
    asks,
    passkey,
    body: ({ current_password, factor_code, ...rest }) => ({
      ...rest,
      ...(password ? { current_password } : {}),
      ...(factor && factor_code ? { factor_code } : {}),
      ...(factor && passkey.current ? { passkey: passkey.current } : {}),
    }),
    check: ({ current_password, factor_code }) => ({
      current_password: password && !current_password ? 'Password is required!' : null,
      factor_code: factor && !factor_code && !passkey.current ? 'Code is required!' : null,
    }),
    onRefused: (error) => {
      passkey.current = null;
      if (!isProofAsked(error)) return false;
      // The password was right, and is not enough.
      if (password && !factor && error.errors[0]?.field === 'factor_code') {
        setFactorRefused(true);
        return true;
      }
      if (asks !== 'nothing') return false;
      setRefused(true);
      return true;
    },
  };
}

export interface ProofFieldsProps {
  form: UseFormReturnType<Texts>;
  proof: ProofAsked;
  label?: string;
  autoFocus?: boolean;
  onSubmit: () => void;
}

export function ProofFields({ form, proof, label = 'Your password', autoFocus = false, onSubmit }: ProofFieldsProps) {
  const password = proof.asks === 'password' || proof.asks === 'both';
  const factor = proof.asks === 'factor' || proof.asks === 'both';
  return (
    <>
      {password && (
        <PasswordText
          label={label}
          autoComplete="current-password"
          autoFocus={autoFocus}
          data-path="current_password"
          key={form.key('current_password')}
          {...form.getInputProps('current_password')}
        />
      )}
      {factor && <FactorFields form={form} proof={proof} autoFocus={autoFocus && !password} onSubmit={onSubmit} />}
    </>
  );
}

function FactorFields({ form, proof, autoFocus, onSubmit }: ProofFieldsProps) {
  const factors = useEndpoint(getSecondFactors);
  const [busy, setBusy] = useState(false);
  const { totp = false, recovery_codes_left = 0, passkeys = 0 } = factors.data?.data ?? {};
  const codes = totp || recovery_codes_left > 0;
  const givePasskey = async () => {
    setBusy(true);
    try {
      proof.passkey.current = await answerByPasskey();
      if (proof.passkey.current) onSubmit();
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };
  const field = form.getInputProps('factor_code') as { error?: string };
  return (
    <>
      {codes && (
        <TextInput
          label={totp ? 'Code of the authenticator, or a recovery code' : 'Recovery code'}
          autoComplete="one-time-code"
          autoFocus={autoFocus}
          data-path="factor_code"
          key={form.key('factor_code')}
          {...field}
        />
      )}
      {!codes && field.error && (
        <p className={styles.refused} role="alert">
          Confirm that it is you, with your passkey.
        </p>
      )}
      {passkeys > 0 && hasPasskeys() && (
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconFingerprint size={18} stroke={1.6} aria-hidden />}
          onClick={() => void givePasskey()}
        >
          Use your passkey
        </Button>
      )}
    </>
  );
}

/**
 * The fields for re-authentication. `useReauthentication` shows them once the server requires them (PROOF_REQUIRED), or
 * from the start with `always`. Users without a password enter a code or use a passkey. `strict` requires both the
 * password and the second factor from users who have both.
 */
import { Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Reauthentication } from '@parley/contract/auth/reauthentication.ts';
import { getSecondFactors } from '@parley/contract/auth/second_factors.ts';
import { IconFingerprint } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { ApiError } from '../../kernel/http/client.ts';
import { toastError, useEndpoint } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { PasswordText } from '../../ui/form/PasswordText.tsx';
import styles from '../Auth.module.css';
import { authenticateWithPasskey, hasPasskeys } from './passkey.ts';

export type Texts = Record<string, string>;
type Needs = 'nothing' | 'password' | 'factor' | 'both';

export const EMPTY_REAUTHENTICATION = { current_password: '', factor_code: '' };
export const REAUTHENTICATION_LABELS = { current_password: 'Password', factor_code: 'Code' };
export const isReauthenticationRequired = (error: ApiError): boolean => error.name === 'PROOF_REQUIRED';

interface ReauthenticationState {
  needs: Needs;
  /** Builds the body for `useContractForm`: the values without the fields that are not needed. */
  body: (values: Texts) => Record<string, unknown>;
  check: (values: Texts) => Record<string, string | null>;
  /** True if the form now shows more fields, so the error is not the user's mistake. */
  onRefused: (error: ApiError) => boolean;
  passkey: { current: Reauthentication['passkey'] | null };
}

interface ReauthenticationOptions {
  /** Shows the password field from the start. */
  always?: boolean;
  /** Requires the second factor as well, if the user has one. */
  strict?: boolean;
  /** True if the server has already required re-authentication. */
  required?: boolean;
}

export function useReauthentication({
  always = false,
  strict: grave = false,
  required: asked = false,
}: ReauthenticationOptions = {}): ReauthenticationState {
  const { user } = useSession();
  const [refused, setRefused] = useState(asked);
  const [factorRefused, setFactorRefused] = useState(false);
  const passkey = useRef<Reauthentication['passkey'] | null>(null);
  const own = user.has_password;
  const password = own && (always || grave || refused);
  const factor = own ? factorRefused || (grave && user.second_factor) : refused || (grave && user.second_factor);
  const asks: Needs = password ? (factor ? 'both' : 'password') : factor ? 'factor' : 'nothing';
  return {
    needs: asks,
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
      if (!isReauthenticationRequired(error)) return false;
      // The password was correct, but a second factor is required as well.
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

interface ReauthenticationFieldsProps {
  form: UseFormReturnType<Texts>;
  reauthentication: ReauthenticationState;
  label?: string;
  autoFocus?: boolean;
  onSubmit: () => void;
}

export function ReauthenticationFields({
  form,
  reauthentication: proof,
  label = 'Your password',
  autoFocus = false,
  onSubmit,
}: ReauthenticationFieldsProps) {
  const password = proof.needs === 'password' || proof.needs === 'both';
  const factor = proof.needs === 'factor' || proof.needs === 'both';
  return (
    <>
      {password && (
        <Field
          form={form}
          name="current_password"
          as={PasswordText}
          label={label}
          autoComplete="current-password"
          autoFocus={autoFocus}
          data-path="current_password"
        />
      )}
      {factor && (
        <FactorFields form={form} reauthentication={proof} autoFocus={autoFocus && !password} onSubmit={onSubmit} />
      )}
    </>
  );
}

function FactorFields({ form, reauthentication: proof, autoFocus, onSubmit }: ReauthenticationFieldsProps) {
  const factors = useEndpoint(getSecondFactors);
  const [busy, setBusy] = useState(false);
  const { totp = false, recovery_codes_left = 0, passkeys = 0 } = factors.data?.data ?? {};
  const codes = totp || recovery_codes_left > 0;
  const authenticate = async () => {
    setBusy(true);
    try {
      proof.passkey.current = await authenticateWithPasskey();
      if (proof.passkey.current) onSubmit();
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };
  return (
    <>
      {codes && (
        <Field
          form={form}
          name="factor_code"
          as={TextInput}
          label={totp ? 'Authenticator code or recovery code' : 'Recovery code'}
          autoComplete="one-time-code"
          autoFocus={autoFocus}
          data-path="factor_code"
        />
      )}
      {!codes && form.errors.factor_code && (
        <p className={styles.problem} role="alert">
          Confirm your identity with your passkey.
        </p>
      )}
      {passkeys > 0 && hasPasskeys() && (
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconFingerprint size={18} stroke={1.6} aria-hidden />}
          onClick={() => void authenticate()}
        >
          Use your passkey
        </Button>
      )}
    </>
  );
}

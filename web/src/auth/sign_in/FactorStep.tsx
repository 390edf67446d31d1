/** The second factor of a sign-in: an authenticator code, a recovery code, or a passkey. */

import { Button, TextInput } from '@mantine/core';
import { verifyLogin } from '@parley/contract/auth/sign_up.ts';
import type { ClientProblem } from '@parley/contract/problem_codes.ts';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import styles from '../Auth.module.css';
import { AuthHeader } from '../AuthHeader.tsx';
import { hasPasskeys, signInByPasskey } from '../factors/passkey.ts';
import { readFactor, useOutcome } from './outcome.ts';
import { signInErrorText } from './sign_in_errors.ts';

type Method = 'totp' | 'recovery_code';

const METHODS: Record<Method, { description: string; label: string; other: string }> = {
  totp: {
    description: 'Open your authenticator app and enter the code it shows for this account.',
    label: 'Code',
    other: 'Use a recovery code instead',
  },
  recovery_code: {
    description: 'Enter one of the recovery codes you saved when you set up the authenticator. Each code works once.',
    label: 'Recovery code',
    other: 'Use the authenticator instead',
  },
};

/** The default export is for lazy loading. */
export default function FactorStep({ onBack }: { onBack: (problem: string | null) => void }) {
  const [signIn] = useState(readFactor);
  const methods = signIn?.methods ?? [];
  const [method, setMethod] = useState<Method>(
    methods.includes('totp') || !methods.includes('recovery_code') ? 'totp' : 'recovery_code',
  );
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const outcome = useOutcome();
  const codes = methods.includes('totp') || methods.includes('recovery_code');

  const byPasskey = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const result = await signInByPasskey();
      if (result) return outcome(result);
    } catch (error) {
      setProblem(signInErrorText(error));
    }
    setBusy(false);
  };
  return (
    <>
      <AuthHeader title="Confirm it’s you" problem={problem}>
        {codes ? METHODS[method].description : 'Use your passkey.'}
      </AuthHeader>
      {codes && <CodeFields key={method} method={method} id={signIn?.verification_id ?? ''} onBack={onBack} />}
      {methods.includes('passkey') && hasPasskeys() && (
        <div className={styles.alternative}>
          <Button
            fullWidth
            variant="default"
            leftSection={<IconFingerprint size={17} stroke={1.7} aria-hidden />}
            loading={busy}
            onClick={() => void byPasskey()}
          >
            Use a passkey
          </Button>
        </div>
      )}
      <p className={styles.after} data-apart>
        {codes && methods.includes('recovery_code') && methods.includes('totp') && (
          <button
            type="button"
            className={styles.plain}
            onClick={() => setMethod(method === 'totp' ? 'recovery_code' : 'totp')}
          >
            {METHODS[method].other}
          </button>
        )}
        <button type="button" className={styles.plain} onClick={() => onBack(null)}>
          Sign in as another user
        </button>
      </p>
    </>
  );
}

const ENDED: ReadonlySet<ClientProblem> = new Set(['VERIFICATION_CODE_NOT_FOUND', 'VERIFICATION_EXPIRED']);

function CodeFields({ method, id, onBack }: { method: Method; id: string; onBack: (problem: string) => void }) {
  const outcome = useOutcome();
  const { form, bind, sending, problem } = useContractForm(verifyLogin, {
    initial: { code: '' },
    labels: { code: METHODS[method].label },
    body: ({ code }) => ({ method, code: method === 'totp' ? code.replace(/\s/g, '') : code }),
    input: ({ code }) => ({
      params: { id },
      body: { method, code: method === 'totp' ? code.replace(/\s/g, '') : code },
    }),
    guard: false,
    onDone: ({ data }) => outcome(data),
    onRejected: (error) => {
      if (ENDED.has(error.name))
        onBack('The sign-in took too long, or there were too many failed attempts. Start again.');
    },
  });
  return (
    <Form {...bind} aria-label="Two-factor authentication" className={styles.fields}>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Field
        form={form}
        name="code"
        as={TextInput}
        label={METHODS[method].label}
        autoFocus
        autoComplete={method === 'totp' ? 'one-time-code' : 'off'}
        inputMode={method === 'totp' ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        classNames={{ input: (method === 'totp' ? styles.code : styles.recovery) ?? '' }}
      />
      <Button type="submit" loading={sending} fullWidth>
        Sign in
      </Button>
    </Form>
  );
}

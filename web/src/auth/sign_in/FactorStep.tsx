/** The second factor of a sign-in: a code of the authenticator or, when that is lost, one of the recovery codes. */

import { Button, TextInput } from '@mantine/core';
import { verifyLogin } from '@parley/contract/auth/sign_up.ts';
import type { ClientProblem } from '@parley/contract/problem_codes.ts';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import styles from '../Auth.module.css';
import { hasPasskeys, signInByPasskey } from '../factors/passkey.ts';
import { Head } from '../Head.tsx';
import { readFactor, useOutcome } from './outcome.ts';
import { refusalWords } from './refusals.ts';

type Method = 'totp' | 'recovery_code';

const WORDS: Record<Method, { line: string; label: string; other: string }> = {
  totp: {
    line: 'Open your authenticator app and enter the code it shows for Parley.',
    label: 'Code',
    other: 'Use a recovery code instead',
  },
  recovery_code: {
    line: 'Enter one of the recovery codes you kept when you set up the authenticator. Each works once.',
    label: 'Recovery code',
    other: 'Use the authenticator instead',
  },
};

/** A default export because it is loaded lazily. */
export default function FactorStep({ onBack }: { onBack: (problem: string | null) => void }) {
  const [answer] = useState(readFactor);
  const methods = answer?.methods ?? [];
  const [method, setMethod] = useState<Method>(
    methods.includes('totp') || !methods.includes('recovery_code') ? 'totp' : 'recovery_code',
  );
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const outcome = useOutcome();
  const codes = methods.includes('totp') || methods.includes('recovery_code');

  const byPasskey = async () => {
    setBusy(true);
    setRefused(null);
    try {
      const found = await signInByPasskey();
      if (found) return outcome(found);
    } catch (error) {
      setRefused(refusalWords(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Head title="Confirm that it is you" problem={refused}>
        {codes ? WORDS[method].line : 'Use the passkey that you have set up.'}
      </Head>
      {codes && <CodeFields key={method} method={method} id={answer?.verification_id ?? ''} onBack={onBack} />}
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
            {WORDS[method].other}
          </button>
        )}
        <button type="button" className={styles.plain} onClick={() => onBack(null)}>
          Sign in as somebody else
        </button>
      </p>
    </>
  );
}

const ENDED: ReadonlySet<ClientProblem> = new Set(['VERIFICATION_CODE_NOT_FOUND', 'VERIFICATION_EXPIRED']);

function CodeFields({ method, id, onBack }: { method: Method; id: string; onBack: (problem: string) => void }) {
  const outcome = useOutcome();
  const { form, onSubmit, sending, problem } = useContractForm(verifyLogin, {
    initial: { code: '' },
    labels: { code: WORDS[method].label },
    body: ({ code }) => ({ method, code: method === 'totp' ? code.replace(/\s/g, '') : code }),
    input: ({ code }) => ({
      params: { id },
      body: { method, code: method === 'totp' ? code.replace(/\s/g, '') : code },
    }),
    guard: false,
    onDone: ({ data }) => outcome(data),
    onRejected: (error) => {
      if (ENDED.has(error.name)) onBack('The sign-in took too long or was tried too often. Begin again.');
    },
  });
  return (
    <form noValidate aria-label="Second factor" onSubmit={onSubmit} className={styles.fields}>
      {problem && (
        <p className={styles.refused} role="alert">
          {problem}
        </p>
      )}
      <TextInput
        label={WORDS[method].label}
        autoFocus
        autoComplete={method === 'totp' ? 'one-time-code' : 'off'}
        inputMode={method === 'totp' ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        classNames={{ input: method === 'totp' ? styles.code : styles.recovery }}
        key={form.key('code')}
        {...form.getInputProps('code')}
      />
      <Button type="submit" loading={sending} fullWidth>
        Sign in
      </Button>
    </form>
  );
}

/** Sign-in without a password: a passkey if the browser supports them, and one button per configured provider. */
import { Button } from '@mantine/core';
import { listProviders, startSocialSignIn } from '@parley/contract/auth/social_networks.ts';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../../kernel/http/client.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { safePath } from '../../kernel/http/token.ts';
import styles from '../Auth.module.css';
import { hasPasskeys, signInByPasskey } from '../factors/passkey.ts';
import { useOutcome } from './outcome.ts';
import { ProviderIcon } from './ProviderIcon.tsx';
import { signInErrorText } from './sign_in_errors.ts';

interface AlternativeSignInsProps {
  /** True on the sign-up page, where users cannot have a passkey yet. */
  onlyProviders?: boolean;
  onNext: () => void;
  onRefused: (problem: string | null) => void;
}

/** The default export is for lazy loading. */
export default function AlternativeSignIns({ onlyProviders = false, onNext, onRefused }: AlternativeSignInsProps) {
  const outcome = useOutcome();
  const providers = useEndpoint(listProviders, {}, { staleTime: Number.POSITIVE_INFINITY });
  const [busy, setBusy] = useState<string | null>(null);
  const passkeys = !onlyProviders && hasPasskeys();
  const list = providers.data?.data ?? [];
  // All buttons appear at once, so that none of them moves while the user reaches for it.
  if (providers.isPending || (!passkeys && list.length === 0)) return null;

  const run = async (key: string, work: () => Promise<boolean>) => {
    setBusy(key);
    onRefused(null);
    try {
      // The button stays busy while the browser leaves the page.
      if (await work()) return;
    } catch (error) {
      onRefused(signInErrorText(error));
    }
    setBusy(null);
  };
  const byPasskey = async () => {
    const result = await signInByPasskey();
    if (!result) return false;
    outcome(result);
    onNext();
    return true;
  };
  const byProvider = async (provider: string) => {
    const return_url = safePath(new URLSearchParams(window.location.search).get('returnUrl'));
    const { data } = await call(startSocialSignIn, {
      body: { provider, purpose: 'sign_in', ...(return_url ? { return_url } : {}) },
    });
    window.location.assign(data.url);
    return true;
  };
  return (
    <section aria-label={onlyProviders ? 'Other ways to sign up' : 'Other ways to sign in'}>
      <p className={styles.or} aria-hidden>
        or
      </p>
      <div className={styles.alternatives}>
        {list.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            leftSection={<ProviderIcon id={id} />}
            loading={busy === id}
            disabled={busy !== null && busy !== id}
            onClick={() => void run(id, () => byProvider(id))}
          >
            Continue with {name}
          </Button>
        ))}
        {passkeys && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={17} stroke={1.7} aria-hidden />}
            loading={busy === 'passkey'}
            disabled={busy !== null && busy !== 'passkey'}
            onClick={() => void run('passkey', byPasskey)}
          >
            Use a passkey
          </Button>
        )}
      </div>
    </section>
  );
}

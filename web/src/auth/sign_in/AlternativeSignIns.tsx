/** Ways to sign in without a password: a passkey where the browser knows them, and a button for every provider that is set up. */
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

export interface OtherWaysProps {
  /** Where there is no account yet a passkey opens nothing. */
  onlyProviders?: boolean;
  onNext: () => void;
  onRefused: (words: string | null) => void;
}

/** A default export because it is loaded lazily. */
export default function OtherWays({ onlyProviders = false, onNext, onRefused }: OtherWaysProps) {
  const outcome = useOutcome();
  const providers = useEndpoint(listProviders, {}, { staleTime: Number.POSITIVE_INFINITY });
  const [busy, setBusy] = useState<string | null>(null);
  const passkeys = !onlyProviders && hasPasskeys();
  const list = providers.data?.data ?? [];
  // All at once: a button that comes later would push the one that is there already.
  if (providers.isPending || (!passkeys && list.length === 0)) return null;

  const act = async (what: string, work: () => Promise<boolean>) => {
    setBusy(what);
    onRefused(null);
    try {
      // Whoever is being led away keeps seeing that something is happening.
      if (await work()) return;
    } catch (error) {
      onRefused(signInErrorText(error));
    }
    setBusy(null);
  };
  const byPasskey = async () => {
    const answer = await signInByPasskey();
    if (!answer) return false;
    outcome(answer);
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
    <section aria-label={onlyProviders ? 'Other ways to begin' : 'Other ways to sign in'}>
      <p className={styles.or} aria-hidden>
        or
      </p>
      <div className={styles.ways}>
        {list.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            leftSection={<ProviderIcon id={id} />}
            loading={busy === id}
            disabled={busy !== null && busy !== id}
            onClick={() => void act(id, () => byProvider(id))}
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
            onClick={() => void act('passkey', byPasskey)}
          >
            Use a passkey
          </Button>
        )}
      </div>
    </section>
  );
}

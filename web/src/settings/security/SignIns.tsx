/** Sign-in providers: which are connected. Nothing is drawn where none is set up. */
import { Button } from '@mantine/core';
import {
  connectSocialNetwork,
  disconnectSocialNetwork,
  listSocialNetworks,
  startSocialSignIn,
} from '@parley/contract/auth/social_networks.ts';
import { useEffect, useState } from 'react';
import { isReauthenticationRequired } from '../../auth/factors/ReauthenticationFields.tsx';
import { ReauthenticationForm } from '../../auth/factors/ReauthenticationForm.tsx';
import { CONNECTED, connect, socialHeader } from '../../auth/sign_in/connect.ts';
import { clearFragment, readFragment } from '../../auth/sign_in/fragment.ts';
import { ProviderIcon } from '../../auth/sign_in/ProviderIcon.tsx';
import { socialErrorText } from '../../auth/sign_in/social_errors.ts';
import { toastError, useAction, useEndpoint } from '../../kernel/http/query.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Section } from '../Section.tsx';
import settings from '../Settings.module.css';
import styles from './Security.module.css';

/** What waits until who it is has been proven: the provider's word in hand, or a provider to let go. */
type Proving = { kind: 'connect'; token: string } | { kind: 'disconnect'; provider: string };

export function SignIns() {
  // Asked only when what the provider said has been used: an answer on its way already would not know of it.
  const [returning, setReturning] = useState(() => Boolean(readFragment()?.token));
  const networks = useEndpoint(listSocialNetworks, {}, { enabled: !returning });
  const [leaving, setLeaving] = useState<string | null>(null);
  const [proving, setProving] = useState<Proving | null>(null);
  const start = useAction(startSocialSignIn, { onSuccess: ({ data }) => window.location.assign(data.url) });
  const done = (words: string) => () => {
    toast.success(words);
    setProving(null);
  };
  const disconnect = useAction(disconnectSocialNetwork, {
    invalidates: ['users'],
    onSuccess: done('Disconnected'),
    onError: (error, { params }) =>
      isReauthenticationRequired(error)
        ? setProving({ kind: 'disconnect', provider: params.provider })
        : toastError(error),
  });

  // Back from the provider: what it said is used once.
  useEffect(() => {
    const found = readFragment();
    clearFragment();
    if (found?.token) {
      const { token } = found;
      void connect(token)
        .then((asked) => asked && setProving({ kind: 'connect', token }))
        .finally(() => setReturning(false));
    }
    if (found?.error) toast.error(socialErrorText(found.error));
  }, []);

  const list = networks.data?.data ?? [];
  if (!networks.error && list.length === 0) return null;
  const ask = async (provider: string, name: string) => {
    const sure = await confirm({
      title: `Disconnect ${name}?`,
      consequence: `You can no longer sign in with ${name}. You can connect it again at any time.`,
      action: 'Disconnect',
    });
    if (sure) disconnect.mutate({ params: { provider }, body: {} });
  };
  return (
    <Section title="Connected sign-ins" line="Sign in with an account that you have elsewhere.">
      {networks.error ? (
        <ErrorState title="Your sign-ins could not be loaded" onRetry={() => void networks.refetch()}>
          {networks.error.message}
        </ErrorState>
      ) : (
        <ul className={settings.rows} aria-label="Connected sign-ins">
          {list.map(({ provider, name, connected, email, connect_date }) => (
            <li key={provider}>
              <ProviderIcon id={provider} />
              <span className={settings.rowWords}>
                <span className={settings.rowName}>{name}</span>
                <span className={styles.rowLine}>
                  {connected ? (
                    <>
                      {email}, since <DateTime value={connect_date} show="date" />
                    </>
                  ) : (
                    'Not connected'
                  )}
                </span>
              </span>
              {connected ? (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Disconnect ${name}`}
                  onClick={() => void ask(provider, name)}
                >
                  Disconnect
                </Button>
              ) : (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Connect ${name}`}
                  loading={leaving === provider && !start.error}
                  onClick={() => {
                    setLeaving(provider);
                    start.mutate({ body: { provider, purpose: 'connect' } });
                  }}
                >
                  Connect
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {proving && <p className={settings.hint}>You signed in a while ago. Confirm that it is you.</p>}
      {proving?.kind === 'connect' && (
        <ReauthenticationForm
          endpoint={connectSocialNetwork}
          action="Connect"
          required
          headers={() => socialHeader(proving.token)}
          onDone={done(CONNECTED)}
          onCancel={() => setProving(null)}
        />
      )}
      {proving?.kind === 'disconnect' && (
        <ReauthenticationForm
          key={proving.provider}
          endpoint={disconnectSocialNetwork}
          action="Disconnect"
          danger
          required
          input={(body) => ({ params: { provider: proving.provider }, body })}
          invalidates={['users']}
          onDone={done('Disconnected')}
          onCancel={() => setProving(null)}
        />
      )}
    </Section>
  );
}

/** The sign-in providers and which of them are connected. Hidden if the installation has none. */
import { Button } from '@mantine/core';
import {
  connectSocialNetwork,
  disconnectSocialNetwork,
  listSocialNetworks,
  type SocialNetwork,
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

/** The change awaiting re-authentication: connecting a provider with its token, or disconnecting one. */
type PendingChange = { kind: 'connect'; token: string } | { kind: 'disconnect'; provider: string };

export function SignInProviders() {
  const [pending, setPending] = useState<PendingChange | null>(null);
  const isReturning = useProviderReturn((token) => setPending({ kind: 'connect', token }));
  // The list loads after the provider's token has been used. Otherwise it would not include the new connection.
  const networks = useEndpoint(listSocialNetworks, {}, { enabled: !isReturning });
  const list = networks.data?.data ?? [];
  if (!networks.error && list.length === 0) return null;
  return (
    <Section title="Connected sign-in providers" description="Sign in with an account from another provider.">
      {networks.error ? (
        <ErrorState title="Your sign-in providers could not be loaded" onRetry={() => void networks.refetch()}>
          {networks.error.message}
        </ErrorState>
      ) : (
        <ul className={settings.rows} aria-label="Connected sign-in providers">
          {list.map((network) => (
            <ProviderRow
              key={network.provider}
              network={network}
              onProofRequired={() => setPending({ kind: 'disconnect', provider: network.provider })}
            />
          ))}
        </ul>
      )}
      {pending && <Reauthentication pending={pending} onEnd={() => setPending(null)} />}
    </Section>
  );
}

/** Uses the token or the error that a provider returned, exactly once. Returns true while a token is being used. */
function useProviderReturn(onProofRequired: (token: string) => void): boolean {
  const [isReturning, setReturning] = useState(() => Boolean(readFragment()?.token));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after the return from the provider
  useEffect(() => {
    const fragment = readFragment();
    clearFragment();
    if (fragment?.token) {
      const { token } = fragment;
      void connect(token)
        .then((isProofRequired) => isProofRequired && onProofRequired(token))
        .finally(() => setReturning(false));
    }
    if (fragment?.error) toast.error(socialErrorText(fragment.error));
  }, []);
  return isReturning;
}

function ProviderRow({ network, onProofRequired }: { network: SocialNetwork; onProofRequired: () => void }) {
  const { provider, name, connected, email, connect_date } = network;
  return (
    <li>
      <ProviderIcon id={provider} />
      <span className={settings.rowText}>
        <span className={settings.rowName}>{name}</span>
        <span className={styles.rowDetail}>
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
        <DisconnectButton network={network} onProofRequired={onProofRequired} />
      ) : (
        <ConnectButton network={network} />
      )}
    </li>
  );
}

function ConnectButton({ network: { provider, name } }: { network: SocialNetwork }) {
  const start = useAction(startSocialSignIn, { onSuccess: ({ data }) => window.location.assign(data.url) });
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`Connect ${name}`}
      // The button keeps its loading state while the browser opens the provider's page.
      loading={start.isPending || start.isSuccess}
      onClick={() => start.mutate({ body: { provider, purpose: 'connect' } })}
    >
      Connect
    </Button>
  );
}

interface DisconnectButtonProps {
  network: SocialNetwork;
  onProofRequired: () => void;
}

function DisconnectButton({ network: { provider, name }, onProofRequired }: DisconnectButtonProps) {
  const disconnect = useAction(disconnectSocialNetwork, {
    invalidates: ['users'],
    onSuccess: () => toast.success('Disconnected'),
    onError: (error) => (isReauthenticationRequired(error) ? onProofRequired() : toastError(error)),
  });
  const confirmDisconnect = async () => {
    const confirmed = await confirm({
      title: `Disconnect ${name}?`,
      consequence: `You will no longer be able to sign in with ${name}. You can reconnect it at any time.`,
      action: 'Disconnect',
    });
    if (confirmed) disconnect.mutate({ params: { provider }, body: {} });
  };
  return (
    <Button variant="default" size="xs" aria-label={`Disconnect ${name}`} onClick={() => void confirmDisconnect()}>
      Disconnect
    </Button>
  );
}

function Reauthentication({ pending, onEnd }: { pending: PendingChange; onEnd: () => void }) {
  const finish = (message: string) => () => {
    toast.success(message);
    onEnd();
  };
  return (
    <>
      <p className={settings.hint}>You signed in a while ago. Confirm it’s you.</p>
      {pending.kind === 'connect' ? (
        <ReauthenticationForm
          endpoint={connectSocialNetwork}
          action="Connect"
          required
          headers={() => socialHeader(pending.token)}
          onDone={finish(CONNECTED)}
          onCancel={onEnd}
        />
      ) : (
        <ReauthenticationForm
          key={pending.provider}
          endpoint={disconnectSocialNetwork}
          action="Disconnect"
          danger
          required
          input={(body) => ({ params: { provider: pending.provider }, body })}
          invalidates={['users']}
          onDone={finish('Disconnected')}
          onCancel={onEnd}
        />
      )}
    </>
  );
}

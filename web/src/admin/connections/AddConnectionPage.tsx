/**
 * Connects a provider in three steps: choose it, enter its credentials, and send a test message. The step is in the
 * URL, so Back returns to the previous one, and a reload keeps it.
 */
import { createConnection, getConnection } from '@parley/contract/connections/connections.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { ADD_CONNECTION, CONNECTIONS } from '../../paths.ts';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { ConnectionReady } from './ConnectionReady.tsx';
import { ProviderCards } from './ProviderCards.tsx';
import { findChoice, type ProviderChoice } from './provider_choices.ts';

export default function AddConnectionPage() {
  const { provider, connection } = useSearch({ strict: false }) as { provider?: string; connection?: string };
  // The server never returns the secret, but the callback URL of some providers contains it.
  const [secret, setSecret] = useState('');
  const choice = findChoice(provider);
  if (choice && connection) return <TestStep choice={choice} id={connection} secret={secret} />;
  if (choice) return <CredentialsStep key={choice.key} choice={choice} onSecret={setSecret} />;
  return (
    <>
      <Back to={CONNECTIONS}>Connections</Back>
      <PageHeader
        title="Connect a provider"
        description="Choose the provider or the carrier you have an account with."
      />
      <ProviderCards />
    </>
  );
}

function CredentialsStep({ choice, onSecret }: { choice: ProviderChoice; onSecret: (secret: string) => void }) {
  const navigate = useNavigate();
  const { key, adapter, guide, preset, front, requires } = choice;
  return (
    <>
      <Back to={ADD_CONNECTION}>All providers</Back>
      <PageHeader
        title={`Connect ${guide.inner_name ?? guide.name}`}
        description={
          <>
            {guide.keys}{' '}
            {guide.keys_url && (
              <a href={guide.keys_url} target="_blank" rel="noreferrer">
                Open {new URL(guide.keys_url).host}
              </a>
            )}
          </>
        }
      />
      <ConnectionForm
        adapter={adapter}
        preset={preset}
        front={front}
        requires={requires}
        name={front === null ? '' : guide.name}
        connection={null}
        endpoint={createConnection}
        onDone={({ id }, { callback_secret }) => {
          onSecret(typeof callback_secret === 'string' ? callback_secret : '');
          // Back must not lead to the form, because it would add the connection again.
          void navigate({ to: ADD_CONNECTION, search: { provider: key, connection: id } as never, replace: true });
        }}
      />
    </>
  );
}

const REFRESH_MS = 2_000;

function TestStep({ choice, id, secret }: { choice: ProviderChoice; id: string; secret: string }) {
  const query = useEndpoint(getConnection, { params: { id } }, { refetchInterval: REFRESH_MS });
  return (
    <RecordPage query={query} noun="connection" back={<Back to={CONNECTIONS}>Connections</Back>}>
      {(connection) => <ConnectionReady connection={connection} guide={choice.guide} secret={secret} />}
    </RecordPage>
  );
}

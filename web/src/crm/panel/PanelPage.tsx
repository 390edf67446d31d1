/** The panel that the CRM shows beside a deal or a person. It is in a frame, so it has no session of the user. */

import { Button } from '@mantine/core';
import { getPipedriveCompany, listPipedrivePeople, listPipedriveSenders } from '@parley/contract/crm/pipedrive.ts';
import { type ReactNode, useEffect } from 'react';
import type { ApiError } from '../../kernel/http/client.ts';
import { INTEGRATIONS } from '../../paths.ts';
import { brandName } from '../../ui/brand.ts';
import { ZoneProvider } from '../../ui/data/zone.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { startHost } from './host.ts';
import styles from './Panel.module.css';
import { PanelConversation } from './PanelConversation.tsx';
import { PanelContext, useOpenPanel, usePanelQuery, usePanelSession } from './panel_call.ts';

const HEIGHT = 620;

interface PanelAddress {
  token: string;
  resource: 'person' | 'deal';
  id: string;
  theme: string | null;
}

function readAddress(): PanelAddress {
  const search = new URLSearchParams(window.location.search);
  return {
    token: search.get('token') ?? '',
    resource: search.get('resource') === 'deal' ? 'deal' : 'person',
    id: search.get('selectedIds')?.split(',')[0] ?? '',
    theme: search.get('theme'),
  };
}

export default function PanelPage() {
  const { token, resource, id, theme } = readAddress();
  const session = useOpenPanel(token);
  useEffect(() => {
    void startHost(HEIGHT);
    // The CRM chooses the theme. The user's own choice in Parley does not change.
    if (theme === 'dark' || theme === 'light') document.documentElement.dataset.mantineColorScheme = theme;
  }, [theme]);
  return (
    <main className={styles.page}>
      <h1 className={styles.hidden}>{brandName()}</h1>
      {session.data ? (
        <PanelContext value={session.data}>
          <Record resource={resource} id={id} />
        </PanelContext>
      ) : session.error ? (
        <Failure error={session.error} onRetry={() => void session.refetch()} />
      ) : (
        <Waiting />
      )}
    </main>
  );
}

const Waiting = () => (
  <div role="status" aria-label="Loading">
    <SkeletonLines lines={6} />
  </div>
);

/** A person who has not connected their login can do so in a separate window. */
function Failure({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const needsLogin = error.status === 403 || error.status === 404;
  if (!needsLogin)
    return (
      <ErrorState title="The panel could not be loaded" onRetry={onRetry}>
        {error.message}
      </ErrorState>
    );
  return (
    <EmptyState title="Connect your login" action={<ConnectButton onConnected={onRetry} />}>
      {error.message}
    </EmptyState>
  );
}

const ConnectButton = ({ onConnected }: { onConnected: () => void }) => (
  <div className={styles.actions}>
    <Button component="a" href={INTEGRATIONS} target="_blank" rel="noopener">
      Open {brandName()}
    </Button>
    <Button variant="default" onClick={onConnected}>
      Reload
    </Button>
  </div>
);

function Record({ resource, id }: { resource: 'person' | 'deal'; id: string }) {
  const { company_id } = usePanelSession();
  const company = usePanelQuery(getPipedriveCompany, { params: { id: company_id } });
  const people = usePanelQuery(listPipedrivePeople, { query: { resource, id } });
  const senders = usePanelQuery(listPipedriveSenders, {});
  const failed = [company, people, senders].find(({ error }) => error);
  if (failed?.error) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!company.data || !people.data || !senders.data) return <Waiting />;
  const withNumbers = people.data.data.filter(({ numbers }) => numbers.some(({ number }) => number !== null));
  if (people.data.data.length === 0)
    return <Nothing title="No person">Link a person to this deal to message them.</Nothing>;
  if (withNumbers.length === 0)
    return <Nothing title="No phone number">Add a phone number to the person in Pipedrive, then reload.</Nothing>;
  if (senders.data.data.length === 0)
    return <Nothing title="No sender">Create a sender in {brandName()} to send messages.</Nothing>;
  return (
    <ZoneProvider value={company.data.data.timezone}>
      <PanelConversation company={company.data.data} people={withNumbers} senders={senders.data.data} />
    </ZoneProvider>
  );
}

const Nothing = ({ title, children }: { title: string; children: ReactNode }) => (
  <EmptyState title={title}>{children}</EmptyState>
);

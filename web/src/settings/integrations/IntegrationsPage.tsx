/** The CRMs, each with its connection and settings. */
import { Button, Select, Switch } from '@mantine/core';
import {
  authorizeCrm,
  CRM_STATUS,
  CRMS,
  type Crm,
  type CrmConnection,
  listCrms,
  removeCrm,
  retryCrmLogs,
  updateCrm,
} from '@parley/contract/crm/crm.ts';
import { getCrmSync } from '@parley/contract/crm/sync.ts';
import { listSenders } from '@parley/contract/senders/senders.ts';
import { Link, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { INTEGRATIONS, linkTo } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { PageSkeleton } from '../../ui/feedback/PageSkeleton.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';
import { SettingsLayout } from '../SettingsLayout.tsx';

// Loads only when it opens.
const SyncPage = lazyPart(() => import('./sync/SyncPage.tsx'));

/** With `crm` in the address, the contact sync with that CRM, if it is connected. */
export default function IntegrationsPage() {
  const { crm } = useSearch({ strict: false }) as { crm?: string };
  const query = useEndpoint(listCrms);
  const provider = CRMS.find((name) => name === crm);
  const found = query.data?.data.find((one) => one.provider === provider);
  if (!provider || query.isError || (found && !found.connection)) return <Connections query={query} />;
  return <Suspense fallback={<PageSkeleton />}>{found ? <SyncPage provider={provider} /> : <PageSkeleton />}</Suspense>;
}

function Connections({ query }: { query: ReturnType<typeof useEndpoint<typeof listCrms>> }) {
  return (
    <SettingsLayout title="Integrations" description="Connect your CRM to message people from their records.">
      <RecordPage query={query} noun="integration">
        {(crms) => (
          <>
            {crms.map((crm) => (
              <Section key={crm.provider} title={crm.label} description={crm.about}>
                {crm.connection ? <Connected crm={crm} connection={crm.connection} /> : <NotConnected crm={crm} />}
              </Section>
            ))}
          </>
        )}
      </RecordPage>
    </SettingsLayout>
  );
}

function NotConnected({ crm }: { crm: Crm }) {
  if (!crm.is_available)
    return <p className={styles.hint}>{crm.label} is not available yet. Contact support to set it up.</p>;
  return (
    <>
      <p className={styles.hint}>Not connected.</p>
      <Buttons>
        <ConnectButton crm={crm} label={`Connect ${crm.label}`} />
      </Buttons>
    </>
  );
}

/** Opens the CRM, which redirects back to Parley. */
function ConnectButton({ crm, label, quiet = false }: { crm: Crm; label: string; quiet?: boolean }) {
  const authorize = useAction(authorizeCrm, { onSuccess: ({ data }) => window.location.assign(data.url) });
  return (
    <Allow needs={authorizeCrm}>
      <Button
        variant={quiet ? 'default' : 'filled'}
        loading={authorize.isPending || authorize.isSuccess}
        onClick={() => authorize.mutate({ params: { provider: crm.provider } })}
      >
        {label}
      </Button>
    </Allow>
  );
}

function Connected({ crm, connection }: { crm: Crm; connection: CrmConnection }) {
  const params = { provider: crm.provider };
  const remove = useAction(removeCrm, {
    invalidates: ['crm_deals'],
    onSuccess: () => toast.success(`${crm.label} was disconnected`),
  });
  const disconnect = async () => {
    const isConfirmed = await confirm({
      title: `Disconnect ${crm.label}?`,
      consequence: `Panels in ${crm.label} will stop working. New messages will not be logged. Activities are kept.`,
      action: `Disconnect ${crm.label}`,
      danger: true,
    });
    if (isConfirmed) remove.mutate({ params });
  };
  return (
    <>
      <div className={styles.fact}>
        <span className={styles.factText}>
          <span className={styles.factLabel}>Company</span>
          {connection.company_url ? (
            <a href={connection.company_url} target="_blank" rel="noopener noreferrer">
              {connection.company_name}
            </a>
          ) : (
            <span className={styles.factValue}>{connection.company_name}</span>
          )}
        </span>
        <StatusBadge {...CRM_STATUS[connection.state]} />
      </div>
      {connection.last_error && <Notice tone="fail">{connection.last_error}</Notice>}
      <People crm={crm} connection={connection} />
      <Logging connection={connection} />
      <Buttons>
        <Allow needs={getCrmSync}>
          <Button component={Link} {...linkTo(INTEGRATIONS, { crm: crm.provider })} variant="default">
            Contact sync and deals
          </Button>
        </Allow>
        <ConnectButton crm={crm} label={connection.state === 'active' ? 'Connect your login' : 'Connect again'} quiet />
        <Allow needs={removeCrm}>
          <Button color="red" variant="light" loading={remove.isPending} onClick={() => void disconnect()}>
            Disconnect {crm.label}
          </Button>
        </Allow>
      </Buttons>
    </>
  );
}

function People({ crm, connection: { users } }: { crm: Crm; connection: CrmConnection }) {
  if (users.length === 0) return <p className={styles.hint}>No users have connected their {crm.label} account.</p>;
  return (
    <ul className={styles.people} aria-label="Connected users">
      {users.map(({ id, name, email, user_name, state }) => (
        <li key={id} className={styles.fact}>
          <span className={styles.factText}>
            <bdi>{name}</bdi>
            <span className={styles.factLabel}>
              {email}
              {user_name && `, sends as ${user_name}`}
            </span>
          </span>
          {state === 'broken' && <StatusBadge {...CRM_STATUS.broken} />}
        </li>
      ))}
    </ul>
  );
}

function Logging({ connection }: { connection: CrmConnection }) {
  const { provider, logged_count, waiting_count, failed_count } = connection;
  const params = { provider };
  const reason = useReason(updateCrm);
  const senders = useEndpoint(listSenders, { query: { page_size: 300 } }, { enabled: useReason(listSenders) === null });
  const update = useAction(updateCrm, { onSuccess: () => toast.success('Settings saved') });
  const retry = useAction(retryCrmLogs, {
    onSuccess: ({ data }) => toast.success(`${formatCount(data.retried_count, 'message')} will be logged again`),
  });
  const usable = (senders.data?.data ?? []).filter(({ status }) => status === 'approved' || status === 'available');
  return (
    <>
      <Select
        label="Default sender"
        description="Selected when the panel opens."
        placeholder="First sender"
        data={usable.map(({ id, name }) => ({ value: id, label: name }))}
        value={connection.sender_id}
        disabled={reason !== null || update.isPending}
        onChange={(sender_id) => update.mutate({ params, body: { sender_id } })}
        clearable
      />
      <Switch
        label="Log messages and replies as activities"
        checked={connection.logs_messages}
        disabled={reason !== null || update.isPending}
        onChange={({ currentTarget: { checked } }) => update.mutate({ params, body: { logs_messages: checked } })}
      />
      <p className={styles.hint}>
        Last 30 days: {formatCount(logged_count, 'message')} logged, {formatNumber(waiting_count)} waiting,{' '}
        {formatNumber(failed_count)} failed. Connected since <DateTime value={connection.create_date} />.
      </p>
      {failed_count > 0 && (
        <Buttons>
          <Allow needs={retryCrmLogs}>
            <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate({ params })}>
              Log {formatCount(failed_count, 'message')} again
            </Button>
          </Allow>
        </Buttons>
      )}
    </>
  );
}

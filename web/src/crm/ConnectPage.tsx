import { Button } from '@mantine/core';
import { CRM_LABELS, type CrmName, type connectCrm } from '@parley/contract/crm/crm.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, call } from '../kernel/http/client.ts';
import { useSessionContext } from '../kernel/session/session.tsx';
import { INTEGRATIONS, linkTo, SIGN_IN } from '../paths.ts';
import { brandName } from '../ui/brand.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { WordMark } from '../ui/layout/WordMark.tsx';
import styles from './Connect.module.css';

interface ConnectPageProps {
  provider: CrmName;
  endpoint: () => Promise<typeof connectCrm>;
}

/** A code works once, no matter how often the page renders. */
const requests = new Map<string, Promise<unknown>>();

/**
 * Finishes a connection. A person who started in Parley is connected immediately. One who started in the CRM is asked
 * first, because a link from someone else may have brought them here.
 */
export function ConnectPage({ provider, endpoint }: ConnectPageProps) {
  const { state } = useSessionContext();
  const search = new URLSearchParams(window.location.search);
  const code = search.get('code');
  const label = CRM_LABELS[provider];
  if (search.get('error'))
    return (
      <Card title={`${label} was not connected`} action={<ToIntegrations />}>
        You did not authorize the connection in {label}.
      </Card>
    );
  if (!code)
    return (
      <Card title={`Connect ${label}`} action={<ToIntegrations />}>
        Start the connection in {brandName()}, or install the app in {label}.
      </Card>
    );
  if (state.kind !== 'in')
    return (
      <Card
        title={`Sign in to connect ${label}`}
        action={
          <Button
            component={Link}
            {...linkTo(SIGN_IN, { returnUrl: window.location.pathname + window.location.search })}
            fullWidth
          >
            Sign in
          </Button>
        }
      >
        Use the account that sends your messages. You have 5 minutes to finish connecting.
      </Card>
    );
  return (
    <Finish
      label={label}
      company={state.session.account.company_name}
      answer={{ code, state: search.get('state') }}
      endpoint={endpoint}
      provider={provider}
    />
  );
}

interface FinishProps extends Pick<ConnectPageProps, 'endpoint' | 'provider'> {
  label: string;
  company: string;
  answer: { code: string; state: string | null };
}

function Finish({ label, company, answer: { code, state }, endpoint, provider }: FinishProps) {
  const navigate = useNavigate();
  const [error, setError] = useState<ApiError | null>(null);
  const [isConfirmed, setConfirmed] = useState(state !== null);
  useEffect(() => {
    if (!isConfirmed) return;
    const body = { code, ...(state === null ? {} : { state }) };
    const connect = async () => call(await endpoint(), { params: { provider }, body });
    const request = requests.get(code) ?? connect();
    requests.set(code, request);
    request.then(
      () => {
        toast.success(`${label} is connected`);
        void navigate({ to: INTEGRATIONS, replace: true });
      },
      (reason: unknown) =>
        setError(reason instanceof ApiError ? reason : new ApiError(0, [], 'The connection failed. Connect again.')),
    );
  }, [code, state, isConfirmed, endpoint, provider, label, navigate]);
  if (error)
    return (
      <Card title={`${label} was not connected`} action={<ToIntegrations />}>
        {error.message}
      </Card>
    );
  if (isConfirmed) return <Card title={`Connecting ${label}…`}>This takes a few seconds.</Card>;
  return (
    <Card
      title={`Connect ${label} to ${company}?`}
      action={
        <>
          <Button fullWidth onClick={() => setConfirmed(true)}>
            Connect {label}
          </Button>
          <ToIntegrations />
        </>
      }
    >
      {company} sends messages from {label}, and logs them there as activities. Continue only if you installed the app
      yourself.
    </Card>
  );
}

const ToIntegrations = () => (
  <Button component={Link} to={INTEGRATIONS} variant="default" fullWidth>
    Go to integrations
  </Button>
);

function Card({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <WordMark />
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.text}>{children}</p>
        {action && <div className={styles.actions}>{action}</div>}
      </div>
    </main>
  );
}

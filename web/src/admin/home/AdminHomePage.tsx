/** What operators look at first: who waits, whether everything runs, who is new. */
import { type Customer, getHealth, listCustomers } from '@parley/contract/admin/customers.ts';
import { KIND_LABELS, listRequests, type Request } from '@parley/contract/admin/requests.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../dashboard/Card.tsx';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { ACCOUNTS, accountPath, HEALTH, REQUESTS } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { AccountBadge } from '../AccountBadge.tsx';
import { HealthChecks } from '../health/HealthChecks.tsx';
import styles from './Home.module.css';

const REFRESH_MS = 10_000;
const SHOWN = 5;

/** Of everything health looks at, what belongs on the first page; trouble is shown in any case. */
const ALWAYS: ReadonlySet<string> = new Set(['workers', 'lines', 'messages', 'jobs', 'mails']);

export default function AdminHomePage() {
  const { user } = useSession();
  const closed = useReason(listCustomers.needs);
  return (
    <>
      <PageHeader
        title={`Hello, ${user.first_name || user.full_name}`}
        description="Who is waiting for you, and whether everything runs."
      />
      {closed ? <EmptyState title="Connections and routes are in the menu">{closed}</EmptyState> : <Overview />}
    </>
  );
}

function Overview() {
  const health = useEndpoint(getHealth, {}, { refetchInterval: REFRESH_MS });
  const requests = useEndpoint(listRequests, { query: { page_size: 10, filter: { statuses: ['waiting'] } } });
  const customers = useEndpoint(listCustomers, { query: { page_size: 10 } });
  const checks = health.data?.data.checks.filter(({ name, status }) => status !== 'good' || ALWAYS.has(name));
  const waiting = requests.data?.pagination.total;
  return (
    <div className={styles.body}>
      <Part query={health} what="The state of the installation">
        {checks && (
          <section aria-label="Health">
            <HealthChecks checks={checks} />
            <Link to={HEALTH} className={styles.more}>
              All of health
            </Link>
          </section>
        )}
      </Part>
      <div className={styles.columns}>
        <Card
          title="Waiting for a decision"
          {...(waiting ? { note: formatCount(waiting, 'request') } : {})}
          more={{ label: 'Open the queue', href: REQUESTS }}
        >
          <Part query={requests} what="The queue">
            {requests.data && <Waiting requests={requests.data.data.slice(0, SHOWN)} />}
          </Part>
        </Card>
        <Card title="New accounts" more={{ label: 'All accounts', href: ACCOUNTS }}>
          <Part query={customers} what="The accounts">
            {customers.data && <Newest customers={customers.data.data.slice(0, SHOWN)} />}
          </Part>
        </Card>
      </div>
    </div>
  );
}

interface PartProps {
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown };
  what: string;
  children: ReactNode;
}

function Part({ query, what, children }: PartProps) {
  if (query.data) return children;
  if (query.error)
    return (
      <ErrorState
        title={`${what} could not be loaded`}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {query.error.message}
      </ErrorState>
    );
  return (
    <div className={styles.bones} role="status" aria-label="Loading">
      <SkeletonLines lines={4} />
    </div>
  );
}

function Waiting({ requests }: { requests: readonly Request[] }) {
  if (requests.length === 0)
    return <p className={styles.none}>Nobody is waiting. New requests appear here as customers send them.</p>;
  return (
    <ul className={styles.rows}>
      {requests.map(({ id, kind, name, create_date }) => (
        <li key={id}>
          <Link to={REQUESTS} search={{ open: id } as never} className={styles.name}>
            {name}
          </Link>
          <span className={styles.dim}>
            {KIND_LABELS[kind]} · <DateTime value={create_date} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Newest({ customers }: { customers: readonly Omit<Customer, 'messages_30_days'>[] }) {
  if (customers.length === 0) return <p className={styles.none}>No company has signed up yet.</p>;
  return (
    <ul className={styles.rows}>
      {customers.map((customer) => (
        <li key={customer.id}>
          <Link to={accountPath(customer.id)} className={styles.name}>
            {customer.company_name}
          </Link>
          <AccountBadge account={customer} />
        </li>
      ))}
    </ul>
  );
}

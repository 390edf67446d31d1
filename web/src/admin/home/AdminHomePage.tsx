/** The operators' start page: health, waiting requests, and new accounts. */
import { type Customer, getHealth, listCustomers } from '@parley/contract/admin/customers.ts';
import { KIND_LABELS, listRequests, type Request } from '@parley/contract/admin/requests.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../dashboard/Card.tsx';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { ACCOUNTS, accountPath, HEALTH, REQUESTS } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Figure } from '../../ui/data/Figure.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { AccountBadge } from '../AccountBadge.tsx';
import { HealthChecks } from '../health/HealthChecks.tsx';
import { SetupCard } from '../setup/SetupCard.tsx';
import styles from './Home.module.css';

const REFRESH_MS = 10_000;
const SHOWN = 5;

/** The checks that are shown even when they pass. Failed checks are always shown. */
const ALWAYS: ReadonlySet<string> = new Set(['workers', 'lines', 'receipts', 'messages', 'jobs', 'mails']);

export default function AdminHomePage() {
  const { user } = useSession();
  const reason = useReason(listCustomers.needs);
  return (
    <>
      <PageHeader
        title={`Hello, ${user.first_name || user.full_name}`}
        description="Requests to review, and the health of this installation."
      />
      {reason ? <EmptyState title="Use the menu to open connections and routes">{reason}</EmptyState> : <Overview />}
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
      <SetupCard />
      <QueryPart query={health} subject="The health status">
        {checks && (
          <section aria-label="Health">
            <HealthChecks checks={checks} />
            <Link to={HEALTH} className={styles.more}>
              View health
            </Link>
          </section>
        )}
      </QueryPart>
      <div className={styles.columns}>
        <Card
          title="Waiting for review"
          {...(waiting
            ? { note: <Figure href={`${REQUESTS}?statuses=waiting`}>{formatCount(waiting, 'request')}</Figure> }
            : {})}
          more={{ label: 'View requests', href: REQUESTS }}
        >
          <QueryPart query={requests} subject="The requests">
            {requests.data && <WaitingRequests requests={requests.data.data.slice(0, SHOWN)} />}
          </QueryPart>
        </Card>
        <Card title="New accounts" more={{ label: 'View accounts', href: ACCOUNTS }}>
          <QueryPart query={customers} subject="The accounts">
            {customers.data && <NewAccounts customers={customers.data.data.slice(0, SHOWN)} />}
          </QueryPart>
        </Card>
      </div>
    </div>
  );
}

interface QueryPartProps {
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** The subject of the error title, such as "The accounts". */
  subject: string;
  children: ReactNode;
}

function QueryPart({ query, subject, children }: QueryPartProps) {
  if (query.data) return children;
  if (query.error)
    return (
      <ErrorState
        title={`${subject} could not be loaded`}
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

function WaitingRequests({ requests }: { requests: readonly Request[] }) {
  if (requests.length === 0)
    return <p className={styles.none}>No requests are waiting. New requests appear here when customers submit them.</p>;
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

function NewAccounts({ customers }: { customers: readonly Omit<Customer, 'messages_30_days'>[] }) {
  if (customers.length === 0)
    return <p className={styles.none}>No accounts yet. An account appears here when a company signs up.</p>;
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

import { Button } from '@mantine/core';
import { getHealth, type Health, runDoctor } from '@parley/contract/admin/customers.ts';
import { IconStethoscope } from '@tabler/icons-react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { PageSkeleton } from '../../ui/feedback/PageSkeleton.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { CodeStops } from './CodeStops.tsx';
import health_styles from './Health.module.css';
import { HealthChecks } from './HealthChecks.tsx';
import { HEALTH_WORDS, waited } from './health_words.ts';

/** Queues move all the time. */
const REFRESH_MS = 5_000;

type Queue = Health['queues'][number];
type Worker = Health['workers'][number];

const count = (value: number) => (
  <span className={value === 0 ? styles.idle : styles.number}>{formatNumber(value)}</span>
);

const QUEUES: Column<Queue>[] = [
  {
    key: 'name',
    title: 'Queue',
    fixed: true,
    width: '100%',
    render: (row) => <code className={health_styles.code}>{row.name}</code>,
  },
  { key: 'waiting', title: 'Due', fixed: true, align: 'end', render: (row) => count(row.waiting) },
  { key: 'active', title: 'Under way', align: 'end', narrow: false, render: (row) => count(row.active) },
  { key: 'failed', title: 'Given up', fixed: true, align: 'end', render: (row) => count(row.failed) },
  { key: 'oldest', title: 'Oldest', align: 'end', narrow: false, render: (row) => waited(row.oldest_seconds) },
];
const WORKERS: Column<Worker>[] = [
  { key: 'host', title: 'Process', fixed: true, width: '100%', render: (row) => row.host || row.id.slice(-8) },
  { key: 'role', title: 'Role', render: (row) => row.role },
  {
    key: 'alive',
    title: 'State',
    fixed: true,
    render: (row) => <StatusBadge status={row.alive ? 'alive' : 'silent'} words={HEALTH_WORDS} />,
  },
  { key: 'seen', title: 'Last heard', narrow: false, render: (row) => <DateTime value={row.last_seen_date} /> },
];

export default function HealthPage() {
  const answer = useEndpoint(getHealth, {}, { refetchInterval: REFRESH_MS });
  const doctor = useAction(runDoctor, {
    onSuccess: ({ data }) => {
      if (data.findings.length === 0) toast.success('All claims hold');
      else toast.warning('Some claims are broken');
    },
  });
  const health = answer.data?.data;
  if (answer.error && !health)
    return (
      <ErrorState
        title="The state of the installation could not be loaded"
        onRetry={() => void answer.refetch()}
        retrying={answer.isFetching}
      >
        {answer.error.message}
      </ErrorState>
    );
  if (!health) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title="Health"
        description={`Release ${health.release}. Asked again every few seconds.`}
        badge={<StatusBadge status={health.status} words={HEALTH_WORDS} />}
        action={
          <Allow needs={runDoctor.needs}>
            <Button
              leftSection={<IconStethoscope size={16} aria-hidden />}
              loading={doctor.isPending}
              onClick={() => doctor.mutate({ body: {} })}
            >
              Run doctor
            </Button>
          </Allow>
        }
      />
      {answer.error && (
        <Notice tone="fail" className={health_styles.notice}>
          The last answer did not come: {answer.error.message}
        </Notice>
      )}
      <HealthChecks checks={health.checks} />
      <CodeStops />
      <Doctor doctor={health.doctor} />
      <section className={health_styles.block} aria-label="Workers">
        <h2>Workers</h2>
        <DataTable
          grow
          id="health_workers"
          label="Processes that work"
          columns={WORKERS}
          rows={health.workers}
          rowKey={(row) => row.id}
          empty={
            <EmptyState title="No worker runs">Nothing is sent and no job is done until one is started.</EmptyState>
          }
        />
      </section>
      <section className={health_styles.block} aria-label="Queues">
        <h2>Queues</h2>
        <DataTable
          grow
          id="health_queues"
          label="What waits in queues"
          columns={QUEUES}
          rows={health.queues}
          rowKey={(row) => row.name}
          empty={<EmptyState title="No queues" />}
        />
      </section>
    </>
  );
}

function Doctor({ doctor: { date, findings } }: { doctor: Health['doctor'] }) {
  if (date === null)
    return (
      <p className={health_styles.hint}>
        The doctor asks every claim there is about messages and money, changes nothing, and takes some seconds. It has
        not run yet.
      </p>
    );
  return (
    <section className={health_styles.block} aria-label="Doctor">
      <h2>
        Doctor <DateTime value={date} />
      </h2>
      {findings.length === 0 ? (
        <Notice tone="ok">All claims about messages and money hold.</Notice>
      ) : (
        <ul className={health_styles.findings}>
          {findings.map(({ check, count: found, text }) => (
            <li key={`${check} ${text}`}>
              <code className={health_styles.code}>{check}</code>
              <span>{text}</span>
              <span className={styles.count}>{found > 0 && (found >= 5 ? '5 or more rows' : `${found} rows`)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

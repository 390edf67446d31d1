import { Button } from '@mantine/core';
import { getHealth, HEALTH_STATUS, type Health, runDoctor, WORKER_STATE } from '@parley/contract/admin/customers.ts';
import { IconStethoscope } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { Allow } from '../../kernel/session/allow.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SkeletonBlocks } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { CodeStops } from './CodeStops.tsx';
import health_styles from './Health.module.css';
import { HealthChecks } from './HealthChecks.tsx';
import { formatWait } from './health_words.ts';
import { WaitingMessages } from './WaitingMessages.tsx';

const RouteAnomalies = lazyPart(() => import('./RouteAnomalies.tsx'));
const TrafficStops = lazyPart(() => import('./TrafficStops.tsx'));

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
  { key: 'active', title: 'Running', align: 'end', narrow: false, render: (row) => count(row.active) },
  { key: 'failed', title: 'Failed', fixed: true, align: 'end', render: (row) => count(row.failed) },
  { key: 'oldest', title: 'Oldest', align: 'end', narrow: false, render: (row) => formatWait(row.oldest_seconds) },
];
const WORKERS: Column<Worker>[] = [
  { key: 'host', title: 'Process', fixed: true, width: '100%', render: (row) => row.host || row.id.slice(-8) },
  { key: 'role', title: 'Role', render: (row) => row.role },
  {
    key: 'alive',
    title: 'State',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...WORKER_STATE[row.alive ? 'alive' : 'silent']} />,
  },
  { key: 'seen', title: 'Last seen', narrow: false, render: (row) => <DateTime value={row.last_seen_date} /> },
];

export default function HealthPage() {
  const query = useEndpoint(getHealth, {}, { refetchInterval: REFRESH_MS });
  return (
    <RecordPage query={query} noun="health status">
      {(health) => <HealthContent health={health} error={query.error} />}
    </RecordPage>
  );
}

function HealthContent({ health, error }: { health: Health; error: Error | null }) {
  const doctor = useAction(runDoctor, {
    onSuccess: ({ data }) => {
      if (data.findings.length === 0) toast.success('All consistency checks passed');
      else toast.warning('Some consistency checks failed');
    },
  });
  return (
    <>
      <PageHeader
        title="Health"
        description={`Release ${health.release}. Refreshes every few seconds.`}
        badge={<StatusBadge {...HEALTH_STATUS[health.status]} />}
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
      {error && (
        <Notice tone="fail" className={health_styles.notice}>
          The last refresh failed: {error.message}
        </Notice>
      )}
      <HealthChecks checks={health.checks} />
      <CodeStops />
      <Suspense fallback={null}>
        <TrafficStops />
      </Suspense>
      <Suspense
        fallback={
          <div className={health_styles.block}>
            <SkeletonBlocks heights={[24, 36, 240]} />
          </div>
        }
      >
        <RouteAnomalies />
      </Suspense>
      <Doctor doctor={health.doctor} />
      <section id="workers" className={health_styles.block} aria-label="Workers">
        <h2>Workers</h2>
        <DataTable
          grow
          id="health_workers"
          label="Workers"
          columns={WORKERS}
          rows={health.workers}
          rowKey={(row) => row.id}
          empty={<EmptyState title="No workers running">Start a worker to send messages and run jobs.</EmptyState>}
        />
      </section>
      <WaitingMessages waiting={health.waiting} />
      <Queues queues={health.queues} />
    </>
  );
}

const isIdle = ({ waiting, active, failed }: Queue): boolean => waiting + active + failed === 0;

/** The queues with work or failures. The idle ones are shown on request. */
function Queues({ queues }: { queues: readonly Queue[] }) {
  const [showsIdle, setShowsIdle] = useState(false);
  const busy = queues.filter((queue) => !isIdle(queue));
  const idleCount = queues.length - busy.length;
  return (
    <section id="queues" className={health_styles.block} aria-label="Queues">
      <h2>Queues</h2>
      <DataTable
        grow
        id="health_queues"
        label="Queues"
        columns={QUEUES}
        rows={showsIdle ? queues : busy}
        rowKey={(row) => row.name}
        empty={<EmptyState title="All queues are idle">Messages and jobs that are due appear here.</EmptyState>}
      />
      {idleCount > 0 && (
        <Button
          variant="subtle"
          size="xs"
          className={health_styles.more ?? ''}
          aria-expanded={showsIdle}
          onClick={() => setShowsIdle(!showsIdle)}
        >
          {showsIdle ? 'Hide idle queues' : `Show ${formatCount(idleCount, 'idle queue')}`}
        </Button>
      )}
    </section>
  );
}

/** The result of the last consistency checks. */
function Doctor({ doctor: { date, findings } }: { doctor: Health['doctor'] }) {
  if (date === null)
    return (
      <p id="doctor" className={health_styles.hint}>
        The doctor runs all consistency checks. It is read-only and takes a few seconds. It has not run yet.
      </p>
    );
  return (
    <section id="doctor" className={health_styles.block} aria-label="Doctor">
      <h2>
        Doctor <DateTime value={date} />
      </h2>
      {findings.length === 0 ? (
        <Notice tone="ok">All consistency checks passed.</Notice>
      ) : (
        <ul className={health_styles.findings}>
          {findings.map(({ check, count: rows, text }) => (
            <li key={`${check} ${text}`}>
              <code className={health_styles.code}>{check}</code>
              <span>{text}</span>
              <span className={styles.count}>
                {rows > 0 && (rows >= 5 ? '5 or more rows' : formatCount(rows, 'row'))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/**
 * Background jobs for operations. Jobs are named, typed, retried, and enqueued in the transaction that needs them. A
 * job may run twice (a worker can die after finishing the work and before reporting it), so the operation must be
 * idempotent. Messages have their own queue.
 */
import { PgBoss } from 'pg-boss';
import type { Db, Tx } from '../db/db.ts';
import type { Kernel } from '../kernel.ts';

interface JobType<D extends object = object> {
  readonly name: string;
  readonly retry: number;
  readonly retry_seconds: number;
  /** If a run takes longer than this, the job is given to another worker. */
  readonly expire_seconds: number;
  /** A schedule in UTC for enqueuing the job. */
  readonly cron?: string;
  /** Maximum number of parallel runs in one process. */
  readonly concurrency: number;
  /**
   * At most one job with the same key waits. If another such job is enqueued in the meantime, it is merged into the
   * waiting job.
   */
  readonly key: ((data: D) => string) | null;
  /** At most one job of a group runs at the same time, in all processes together. */
  readonly group: ((data: D) => string) | null;
}

interface JobDetail<D extends object> {
  retry?: number;
  retry_seconds?: number;
  expire_seconds?: number;
  cron?: string;
  concurrency?: number;
  key?: (data: D) => string;
  group?: (data: D) => string;
}

export function job<D extends object>(name: string, detail: JobDetail<D> = {}): JobType<D> {
  return {
    name,
    retry: detail.retry ?? 5,
    retry_seconds: detail.retry_seconds ?? 5,
    expire_seconds: detail.expire_seconds ?? 900,
    concurrency: detail.concurrency ?? 1,
    key: detail.key ?? null,
    group: detail.group ?? null,
    ...(detail.cron ? { cron: detail.cron } : {}),
  };
}

export interface JobWork<D extends object = object> {
  type: JobType<D>;
  run(kernel: Kernel, data: D, signal: AbortSignal): Promise<void>;
}

export const work = <D extends object>(type: JobType<D>, run: JobWork<D>['run']): JobWork => ({ type, run }) as JobWork;

const bosses = new WeakMap<Db, PgBoss>();

/** Enqueues a job, which becomes visible to workers when the transaction commits. */
export async function enqueue<D extends object>(
  tx: Tx,
  type: JobType<D>,
  data: D,
  options: { start_after?: Date } = {},
): Promise<void> {
  const boss = bosses.get(tx.db.root);
  if (!boss) throw new Error('jobs are not started');
  await boss.send(type.name, data, {
    ...(options.start_after ? { startAfter: options.start_after } : {}),
    ...(type.key ? { singletonKey: type.key(data) } : {}),
    ...(type.group ? { group: { id: type.group(data) } } : {}),
    db: { executeSql: async (text, values) => ({ rows: (await tx.client.query(text, values as unknown[])).rows }) },
  });
}

export interface Jobs {
  stop(): Promise<void>;
}

/**
 * Creates the tables of the queue and the objects that `startJobs` would create, so that a copy of this database has
 * them.
 */
export async function installJobs(url: string, all: readonly JobWork[]): Promise<void> {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
  await boss.start();
  await createQueues(boss, all, true);
  await boss.stop();
}

/** Every process can enqueue jobs. Only workers run them. */
export async function startJobs(kernel: Kernel, all: readonly JobWork[], running: boolean): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: kernel.db.url,
    application_name: 'parley jobs',
    max: running ? 4 : 2,
    supervise: running,
    schedule: running,
    useListenNotify: running,
    superviseIntervalSeconds: 30,
    monitorIntervalSeconds: 30,
    cronMonitorIntervalSeconds: 15,
  });
  boss.on('error', (error) => kernel.log.error({ err: error }, 'jobs'));
  boss.on('warning', (warning) => kernel.log.warn({ warning }, 'jobs'));
  await boss.start();
  bosses.set(kernel.db.root, boss);
  await createQueues(boss, all, running);
  const abort = new AbortController();
  const workers = new Map<string, string[]>();
  if (running)
    for (const { type, run } of all)
      for (let worker = 0; worker < type.concurrency; worker++) {
        const id = await workQueue(kernel, boss, { type, run }, abort.signal);
        workers.set(type.name, [...(workers.get(type.name) ?? []), id]);
      }
  const watch = running ? watchQueues(kernel, boss, workers) : null;
  return {
    async stop() {
      abort.abort();
      await watch?.stop();
      await boss.stop({ graceful: true, timeout: 5_000 });
      bosses.delete(kernel.db);
    },
  };
}

/** Creates the missing queues and the missing or changed schedules. Most starts find all of them. */
async function createQueues(boss: PgBoss, all: readonly JobWork[], scheduled: boolean): Promise<void> {
  const existing = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const { type } of all)
    if (!existing.has(type.name))
      await boss.createQueue(type.name, {
        policy: type.key ? 'short' : 'standard',
        notify: true,
        retryLimit: type.retry,
        retryDelay: type.retry_seconds,
        retryBackoff: true,
        retryDelayMax: 3_600,
        expireInSeconds: type.expire_seconds,
        heartbeatSeconds: 10,
        deleteAfterSeconds: 86_400,
      });
  if (!scheduled) return;
  const schedules = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
  for (const { type } of all)
    if (type.cron && schedules.get(type.name) !== type.cron) await boss.schedule(type.name, type.cron);
}

/** A worker that has finished a job requests the next one immediately. It sleeps only if no job was waiting. */
async function workQueue(kernel: Kernel, boss: PgBoss, { type, run }: JobWork, signal: AbortSignal): Promise<string> {
  const options = {
    // Only a backstop: `watchQueues` wakes the workers.
    pollingIntervalSeconds: 60,
    notifyPollingIntervalSeconds: 60,
    ...(type.group ? { groupConcurrency: 1 } : {}),
  };
  const id: string = await boss.work(type.name, options, async ([taken]) => {
    if (!taken) return;
    const started = Date.now();
    try {
      await run(kernel, (taken.data ?? {}) as object, signal);
      kernel.log.debug({ job: type.name, ms: Date.now() - started }, 'job done');
    } catch (error) {
      kernel.log.error({ err: error, job: type.name, job_id: taken.id }, 'job failed');
      throw error;
    } finally {
      boss.notifyWorker(id);
    }
  });
  return id;
}

const WATCH_MS = 2_000;
/** One index lookup per queue. */
const DUE_QUEUES = `
  select q.name from unnest($1::text[]) as q (name)
  where exists (
    select from pgboss.job j
    where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
  )`;

/**
 * Wakes the workers of queues with due jobs. A new job announces itself, but a retry or a delayed job does not, and
 * without a connection for announcements none does. One statement for all queues costs less than one for each.
 */
function watchQueues(kernel: Kernel, boss: PgBoss, workers: ReadonlyMap<string, string[]>): Jobs {
  const names = [...workers.keys()];
  let watching: Promise<void> | null = null;
  const watch = async (): Promise<void> => {
    try {
      const { rows } = await boss.getDb().executeSql(DUE_QUEUES, [names]);
      for (const { name } of rows as { name: string }[])
        for (const id of workers.get(name) ?? []) boss.notifyWorker(id);
    } catch (error) {
      kernel.log.error({ err: error }, 'jobs');
    } finally {
      watching = null;
    }
  };
  const timer = setInterval(() => {
    watching ??= watch();
  }, WATCH_MS);
  return {
    async stop() {
      clearInterval(timer);
      await watching;
    },
  };
}

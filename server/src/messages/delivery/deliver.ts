/**
 * The delivery worker: it keeps binds open, submits queued messages, stores reports and inbound messages, and runs
 * recovery tasks every second. Any number of workers can run at once; they share only the database.
 */
import { newId } from '../../kernel/clock.ts';
import type { HoldStep } from '../../kernel/epoch/epoch.ts';
import { createOutbound } from '../../kernel/http/outbound.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { InboundIntake } from '../inbound/intake.ts';
import { completeIncoming, completeReport } from '../inbound/numbering.ts';
import { listenDispatch } from '../model/dispatch_wake.ts';
import { CarrierRecorder } from '../payloads/recorder.ts';
import { Backlog } from '../queue/backlog.ts';
import { Pace } from '../queue/pace.ts';
import { HealthJudge } from '../routing/connection_health.ts';
import { Rerouter } from '../routing/reroute.ts';
import { settleAmbiguous } from '../status/ambiguous.ts';
import { expireQueued } from '../status/expiry.ts';
import { passOnDue } from '../status/fallback_timers.ts';
import { holdMessages, settleHeld } from '../status/held.ts';
import { createReportBatcher, retryUnmatched } from '../status/reports.ts';
import { onMatchable, trimUnmatched } from '../status/unmatched.ts';
import type { HeldBind } from './bind.ts';
import { BindPool } from './binds.ts';
import { runConnectionTests } from './connection_tests.ts';
import { CycleMemory, watchEpoch } from './epoch_watch.ts';
import { Lookups } from './lookups.ts';
import { Submitter } from './submitter.ts';
import { everySecond } from './ticker.ts';
import { endDeadWorkers, endWorker, renewWorker } from './worker_lease.ts';

const LOG_EVERY_MS = 5_000;
/**
 * Reports younger than this are retried every second, because their response may be stored at any moment. Older reports
 * are retried less often.
 */
const YOUNG = '2 minutes';
const OLD = '72 hours';
const OLD_EVERY_MS = 300_000;

/** `steps` run in the transaction that holds sending after the database was replaced. */
export async function startDelivery(
  kernel: Kernel,
  steps: readonly HoldStep[] = [],
): Promise<{ stop(): Promise<void> }> {
  const { db, log } = kernel;
  const worker_id = newId();
  const queues = new Map<string, { backlog: Backlog; pace: Pace }>();
  const submitters = new Set<Submitter>();
  const reports = createReportBatcher(db);
  const logged = createErrorLogger(log);
  const memory = new CycleMemory();
  const recorder = new CarrierRecorder(db);
  const inbound = new InboundIntake(kernel, recorder);
  const outbound = createOutbound(kernel.config);
  const checkEpoch = watchEpoch(kernel, worker_id, memory, [holdMessages, ...steps]);

  const findQueue = (connection_id: string) => {
    const queue = queues.get(connection_id) ?? { backlog: new Backlog(db, connection_id), pace: new Pace() };
    queues.set(connection_id, queue);
    return queue;
  };
  const wake = (isUrgent: boolean) => {
    for (const { backlog } of queues.values()) backlog.wake(isUrgent);
    for (const submitter of submitters) submitter.wake();
  };
  const binds = new BindPool(kernel, worker_id, {
    events: (connection) => ({
      report(report, show) {
        recorder.watchReceipt(connection.id, report, show);
        return logged('report', reports.add({ connection_id: connection.id, report: completeReport(report) }));
      },
      incoming: (incoming, show) =>
        logged('inbound message', inbound.add(connection, completeIncoming(incoming), show)),
    }),
    opened(bind) {
      const submitter = new Submitter({ kernel, worker_id, memory, recorder, ...findQueue(bind.connection_id) }, bind);
      submitters.add(submitter);
      void submitter.ended.then(() => submitters.delete(submitter));
      watchUp(bind, () => keeper.soon());
    },
  });
  // Runs before the first claim, lease, or recovery task.
  await checkEpoch();
  const listening = listenDispatch(db, wake);

  const keeper = everySecond(log, 'could not renew the binds', async () => {
    await checkEpoch();
    await renewWorker(db, worker_id);
    await binds.keep();
    await listening.keep();
  });
  const tasks = {
    ...createRecoveryTasks(kernel, recorder, inbound),
    'connection tests': () => runConnectionTests(db, binds, outbound),
  };
  // A failing task must not keep the others from running.
  const sweeper = everySecond(log, 'recovery failed', async () => {
    for (const [name, task] of Object.entries(tasks))
      await task().catch((error) => log.error({ err: error, task: name }, 'recovery task failed'));
  });
  const unsubscribe = onMatchable(() => sweeper.soon());
  // Frees the binds of a killed predecessor, so that the first binds need not wait for its lease to expire.
  await endDeadWorkers(db).catch((error) => log.error({ err: error }, 'could not end dead workers'));
  keeper.soon();
  sweeper.soon();

  return {
    async stop() {
      unsubscribe();
      await sweeper.stop();
      await keeper.stop();
      await binds.stop();
      await reports.idle();
      await inbound.idle();
      await recorder.stop();
      await listening.stop();
      await endWorker(db, worker_id).catch((error) => log.error({ err: error }, 'could not end the worker'));
    },
  };
}

/** Calls `changed` whenever the bind goes up or down. */
function watchUp(bind: HeldBind, changed: () => void): void {
  let wasUp = bind.up;
  bind.watch(() => {
    if (bind.up === wasUp) return;
    wasUp = bind.up;
    changed();
  });
}

/**
 * Logs storage errors and rethrows them, so that the carrier gets an error and sends the item again. The log is
 * throttled, because thousands of items fail when the database is down.
 */
function createErrorLogger(log: Kernel['log']): (kind: string, stored: Promise<void>) => Promise<void> {
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return async (kind, stored) => {
    await stored.catch((error) => {
      refused++;
      if (performance.now() - loggedAt > LOG_EVERY_MS) {
        log.error({ err: error, refused }, `could not store a carrier's ${kind}`);
        loggedAt = performance.now();
        refused = 0;
      }
      throw error;
    });
  };
}

/** The tasks that every worker runs once a second, in order. */
function createRecoveryTasks(
  kernel: Kernel,
  recorder: CarrierRecorder,
  inbound: InboundIntake,
): Record<string, () => Promise<unknown>> {
  const { db } = kernel;
  const rerouter = new Rerouter(db);
  const lookups = new Lookups(kernel);
  const health = new HealthJudge(db);
  let retriedAt = performance.now();
  return {
    'dead workers': () => endDeadWorkers(db),
    'young reports': () => retryUnmatched(db, YOUNG),
    'ambiguous submissions': () => settleAmbiguous(db),
    lookups: async () => lookups.start(),
    'held messages': () => settleHeld(db),
    expiry: () => expireQueued(db),
    fallbacks: () => passOnDue(db),
    'connection health': () => health.run(),
    rerouting: () => rerouter.run(),
    'carrier payloads': () => recorder.keep(),
    'incomplete messages': () => inbound.storeIncomplete(),
    'old reports': async () => {
      if (performance.now() - retriedAt < OLD_EVERY_MS) return;
      retriedAt = performance.now();
      await retryUnmatched(db, OLD);
      await trimUnmatched(db);
    },
  };
}

/**
 * Everything a worker does to deliver: it holds lines, feeds them from the queue, takes in what comes back, and once a second looks after what was left
 * behind. Any number of workers do this at once; none knows of the others but through the database.
 */
import { newId } from '../kernel/clock.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { Backlog } from './claim.ts';
import { expireQueued } from './expiry.ts';
import { Feed } from './feed.ts';
import { InboundIntake, receive, tell } from './inbound.ts';
import { takeIncomplete } from './inbound_parts.ts';
import { endDeadWorkers, endWorker, renewWorker } from './lease.ts';
import { passOnDue } from './leg_times.ts';
import { Lines } from './lines.ts';
import { gatherReports, retryUnmatched } from './reports.ts';
import { Detours } from './reroute.ts';
import { settleUnknown } from './unknown.ts';
import { onMatchable } from './unmatched.ts';
import { listenDispatch } from './wake.ts';

const EVERY_MS = 1_000;
/** A line that came up, or was lost, is told soon but not at every flicker. */
const SOON_MS = 100;
const COMPLAIN_EVERY_MS = 5_000;
/** Reports whose message may be written down any moment; older ones are tried less often. */
const YOUNG = '2 minutes';
const OLD = '72 hours';
const OLD_EVERY_MS = 300_000;

export async function startDelivery(kernel: Kernel): Promise<{ stop(): Promise<void> }> {
  const { db, log } = kernel;
  const worker_id = newId();
  const backlogs = new Map<string, Backlog>();
  const feeds = new Set<Feed>();
  const reports = gatherReports(db);
  const inbound = new InboundIntake(kernel);
  const detours = new Detours(db);

  const backlogOf = (connection_id: string): Backlog => {
    const backlog = backlogs.get(connection_id) ?? new Backlog(db, connection_id);
    backlogs.set(connection_id, backlog);
    return backlog;
  };
  const wake = () => {
    for (const backlog of backlogs.values()) backlog.wake();
    for (const feed of feeds) feed.wake();
  };
  // The carrier is refused and will tell it again; that is no reason to keep why to ourselves. A database that is away refuses thousands.
  let refused = 0;
  let complained_at = Number.NEGATIVE_INFINITY;
  const told = async (what: string, stored: Promise<void>): Promise<void> => {
    await stored.catch((error) => {
      refused++;
      if (performance.now() - complained_at > COMPLAIN_EVERY_MS) {
        log.error({ err: error, refused }, `storing a ${what}`);
        complained_at = performance.now();
        refused = 0;
      }
      throw error;
    });
  };
  const lines = new Lines(kernel, worker_id, {
    events: (connection) => ({
      report: (report) => told('report', reports.add({ connection_id: connection.id, report })),
      incoming: (incoming) => told('incoming message', inbound.take(connection, incoming)),
    }),
    opened(line) {
      const feed = new Feed({ kernel, worker_id, backlog: backlogOf(line.connection_id) }, line);
      feeds.add(feed);
      void feed.ended.then(() => feeds.delete(feed));
      let was = line.up;
      line.watch(() => {
        if (line.up === was) return;
        was = line.up;
        keeper.soon();
      });
    },
  });
  const listening = listenDispatch(db, wake);

  const keeper = everySecond(log, 'lines', async () => {
    await renewWorker(db, worker_id);
    await lines.keep();
    await listening.keep();
  });
  let oldTried = performance.now();
  const chores: Record<string, () => Promise<unknown>> = {
    'dead workers': () => endDeadWorkers(db),
    'young reports': () => retryUnmatched(db, YOUNG),
    'open submissions': () => settleUnknown(db),
    expiry: () => expireQueued(db),
    fallbacks: () => passOnDue(db),
    detours: () => detours.look(),
    'incomplete messages': async () => tell(kernel, await db.tx(async (tx) => receive(tx, await takeIncomplete(tx)))),
    'old reports': async () => {
      if (performance.now() - oldTried < OLD_EVERY_MS) return;
      oldTried = performance.now();
      await retryUnmatched(db, OLD);
    },
  };
  // One that fails must not keep the others from their work.
  const sweeper = everySecond(log, 'sweep', async () => {
    for (const [name, chore] of Object.entries(chores))
      await chore().catch((error) => log.error({ err: error, chore: name }, 'sweep'));
  });
  const unsubscribe = onMatchable(() => sweeper.soon());
  // The first lines must not wait for the lease of a predecessor that was killed.
  await endDeadWorkers(db).catch((error) => log.error({ err: error }, 'dead workers'));
  keeper.soon();
  sweeper.soon();

  return {
    async stop() {
      unsubscribe();
      await sweeper.stop();
      await keeper.stop();
      await lines.stop();
      await reports.idle();
      await inbound.idle();
      await listening.stop();
      await endWorker(db, worker_id).catch((error) => log.error({ err: error }, 'leaving'));
    },
  };
}

interface Ticker {
  /** Before the second is over. */
  soon(): void;
  stop(): Promise<void>;
}

/** One run at a time; a run that fails is logged and tried again a second later. */
function everySecond(log: Kernel['log'], name: string, run: () => Promise<void>): Ticker {
  let stopped = false;
  let again = false;
  let wake: () => void = () => {};
  const pause = (ms: number, until: () => boolean) =>
    new Promise<void>((resolve) => {
      if (until()) return resolve();
      const timer = setTimeout(resolve, ms);
      wake = () => {
        if (!until()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = (async () => {
    while (!stopped) {
      again = false;
      await run().catch((error) => log.error({ err: error }, name));
      await pause(SOON_MS, () => stopped);
      await pause(EVERY_MS - SOON_MS, () => stopped || again);
    }
  })();
  return {
    soon() {
      again = true;
      wake();
    },
    async stop() {
      stopped = true;
      wake();
      await loop;
    },
  };
}

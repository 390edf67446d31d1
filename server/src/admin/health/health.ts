/**
 * Reports the state of the installation to operators: queues, workers, binds, ledger, proxy, and database. It is cheap
 * enough to be polled every few seconds. `runDoctor` runs all checks and stores the findings.
 */
import type { Health } from '@parley/contract/admin/customers.ts';
import { examineWithin } from '../../doctor/doctor.ts';
import { newId } from '../../kernel/clock.ts';
import { type Db, raw } from '../../kernel/db/db.ts';
import { listMissingMigrations } from '../../kernel/db/migrate.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { pingScanner } from '../../kernel/untrusted/malware.ts';
import { listCodeStops } from '../../verify/verify.ts';
import { getSendingHold } from '../sending/sending_hold.ts';
import {
  checkBinds,
  checkCarrierErrors,
  checkCodes,
  checkConnectionHealth,
  checkDailyLimits,
  checkDatabase,
  checkDevices,
  checkDoctor,
  checkEvents,
  checkJobs,
  checkMails,
  checkMessages,
  checkMoney,
  checkPayments,
  checkProxy,
  checkReceipts,
  checkScanner,
  checkSending,
  checkWorkers,
} from './checks.ts';
import * as queries from './health_queries.ts';
import { RELEASE } from './release.ts';
import { listWaiting } from './waiting.ts';

/** The lease duration of a worker. Must match messages/delivery/worker_lease.ts, which renews the lease. */
const LEASE_SECONDS = 5;
/** Time limit for the checks. An operator is waiting for the response, and the browser gives up after 30 seconds. */
const DOCTOR_MS = 22_000;

type Reader = Pick<Kernel, 'db' | 'config'>;

/** `proxy` is the address of an untrusted proxy that this request came through (see kernel/http/proxy.ts). */
export async function getHealth(kernel: Reader, proxy: string | null): Promise<Health> {
  const { db } = kernel;
  const [{ checks, messages, jobs, workers, doctor, database_bytes }, samples, waiting] = await Promise.all([
    readChecks(kernel, proxy),
    queries.listSamples(db),
    listWaiting(db),
  ]);
  const worst = (['bad', 'warning'] as const).find((level) => checks.some(({ status }) => status === level)) ?? 'good';
  const { ambiguous: _, ...queue } = messages;
  return {
    status: worst,
    checks: checks.map(({ figure, ...check }) => ({ ...check, trend: readTrend(check.name, figure, samples) })),
    queues: [queue, ...jobs],
    waiting,
    workers,
    doctor,
    release: RELEASE,
    database_bytes,
  };
}

/** Stores the figures of the checks. Their trend shows operators how long something has been wrong. */
export async function sampleHealth(kernel: Reader): Promise<void> {
  const { checks } = await readChecks(kernel, null);
  const sample = Object.fromEntries(
    checks.flatMap(({ name, figure }) => (figure === undefined ? [] : [[name, figure] as const])),
  );
  await kernel.db.tx((tx) => queries.insertSample(tx, sample));
}

const readTrend = (name: string, figure: number | undefined, samples: readonly queries.Sample[]): number[] =>
  figure === undefined ? [] : [...samples.flatMap((sample) => sample[name] ?? []), figure];

async function readChecks({ db, config }: Reader, proxy: string | null) {
  const scanner = findScannerError(config.CLAMAV_ADDRESS);
  const started = performance.now();
  const [
    messages,
    jobs,
    workers,
    connections,
    unmatched,
    errors,
    devices,
    figures,
    stops,
    doctor,
    missing,
    hold,
    limits,
  ] = await Promise.all([
    queries.readMessageQueue(db),
    queries.listJobQueues(db),
    queries.listWorkers(db, LEASE_SECONDS),
    queries.listConnectionStates(db),
    queries.countUnmatchedReceipts(db),
    queries.listCarrierErrors(db),
    queries.listDevices(db),
    queries.readFigures(db),
    listCodeStops(db),
    queries.findLastDoctorRun(db),
    listMissingMigrations((text) => db.rows(raw(text))),
    getSendingHold(db),
    queries.listDailyLimits(db),
  ]);
  const elapsed_ms = performance.now() - started;
  const checks = [
    checkWorkers(workers),
    checkSending(hold),
    checkBinds(connections),
    checkConnectionHealth(connections),
    checkReceipts(unmatched),
    checkCarrierErrors(errors),
    ...checkDevices(devices),
    ...checkDailyLimits(limits),
    checkMessages(messages),
    checkJobs(jobs),
    checkMails(figures, Boolean(config.SMTP_URL)),
    checkEvents(figures.outbox_seconds),
    checkMoney(figures),
    checkPayments(figures),
    checkCodes(stops),
    checkProxy(proxy, config.TRUST_PROXY !== false),
    checkDatabase(figures.database_bytes, elapsed_ms, missing),
    checkDoctor(doctor),
    ...checkScanner(config.CLAMAV_ADDRESS, await scanner),
  ];
  return { checks, messages, jobs, workers, doctor, database_bytes: figures.database_bytes };
}

/** Returns null if the scanner responds or none is set. */
const findScannerError = (address: string | null): Promise<string | null> =>
  address === null
    ? Promise.resolve(null)
    : pingScanner(address).then(
        () => null,
        (error: Error) => error.message,
      );

const running = new WeakMap<Db, Promise<Health['doctor']>>();

/** Runs one doctor at a time. A caller that arrives during a run gets the result of that run. */
export function runDoctor(ctx: Ctx): Promise<Health['doctor']> {
  const { db } = ctx.kernel;
  const run = running.get(db) ?? runChecks(ctx).finally(() => running.delete(db));
  running.set(db, run);
  return run;
}

async function runChecks({ kernel, actor }: Ctx): Promise<Health['doctor']> {
  const failed = (await examineWithin(kernel.db, DOCTOR_MS)).filter(({ ok }) => !ok);
  const findings = failed.map(({ id, title, rows }) => ({ check: id, count: rows.length, text: title }));
  await kernel.db.tx((tx) => queries.insertDoctor(tx, newId(), actor.user_id!, findings));
  if (failed.length > 0) kernel.log.error({ failed: failed.map(({ id, title }) => ({ id, title })) }, 'doctor');
  return queries.findLastDoctorRun(kernel.db);
}

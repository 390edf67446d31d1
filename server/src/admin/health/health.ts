/**
 * Reports the state of the installation to operators: queues, workers, binds, ledger, proxy, and database. It is cheap
 * enough to be polled every few seconds. `runDoctor` runs all checks and stores the findings.
 */
import type { Health } from '@parley/contract/admin/customers.ts';
import { examineWithin } from '../../doctor/doctor.ts';
import { newId } from '../../kernel/clock.ts';
import { type Db, raw } from '../../kernel/db/db.ts';
import { missingMigrations } from '../../kernel/db/migrate.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { PROXY_ADVICE } from '../../kernel/http/proxy.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { listCodeStops } from '../../verify/verify.ts';
import * as queries from './health_queries.ts';
import { RELEASE } from './release.ts';

type Check = Health['checks'][number];
type Level = Health['status'];

/** The lease duration of a worker. Must match messages/delivery/worker_lease.ts, which renews the lease. */
const LEASE_SECONDS = 5;
/** Time limit for the checks. An operator is waiting for the response, and the browser gives up after 30 seconds. */
const DOCTOR_MS = 22_000;

const count = (n: number, singular: string, plural = `${singular}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? singular : plural}`;

export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

const level = (value: number, warning: number, bad: number): Level =>
  value >= bad ? 'bad' : value >= warning ? 'warning' : 'good';

/** `proxy` is the address of an untrusted proxy that this request came through (see kernel/http/proxy.ts). */
export async function getHealth({ db, config }: Pick<Kernel, 'db' | 'config'>, proxy: string | null): Promise<Health> {
  const started = performance.now();
  const [messages, jobs, workers, binds, figures, stops, doctor, missing] = await Promise.all([
    queries.readMessageQueue(db),
    queries.listJobQueues(db),
    queries.listWorkers(db, LEASE_SECONDS),
    queries.countBinds(db),
    queries.readFigures(db),
    listCodeStops(db),
    queries.findLastDoctorRun(db),
    missingMigrations((text) => db.rows(raw(text))),
  ]);
  const elapsed_ms = performance.now() - started;
  const checks = [
    checkWorkers(workers),
    checkBinds(binds),
    checkMessages(messages),
    checkJobs(jobs),
    checkMails(figures, Boolean(config.SMTP_URL)),
    checkEvents(figures.outbox_seconds),
    checkMoney(figures),
    checkCodes(stops),
    checkProxy(proxy, config.TRUST_PROXY !== false),
    checkDatabase(figures.database_bytes, elapsed_ms, missing),
    checkDoctor(doctor),
  ];
  const worst = (['bad', 'warning'] as const).find((level) => checks.some(({ status }) => status === level)) ?? 'good';
  const { ambiguous: _, ...queue } = messages;
  return {
    status: worst,
    checks,
    queues: [queue, ...jobs],
    workers,
    doctor,
    release: RELEASE,
    database_bytes: figures.database_bytes,
  };
}

function checkWorkers(workers: Health['workers']): Check {
  const alive = workers.filter((worker) => worker.alive).length;
  return {
    name: 'workers',
    label: 'Workers',
    status: alive === 0 ? 'bad' : 'good',
    value: alive === 0 ? 'None' : count(alive, 'worker'),
    detail:
      alive === 0 ? 'Messages are not sent and jobs do not run. Start a process with --role=worker or --role=all.' : '',
  };
}

function checkBinds({ up, configured, detail }: queries.Binds): Check {
  return {
    name: 'lines',
    label: 'Carrier binds',
    status: configured > 0 && up === 0 ? 'bad' : up < configured ? 'warning' : 'good',
    value: configured === 0 ? 'None' : `${up} of ${configured} up`,
    detail: configured === 0 ? 'No connection is enabled.' : detail,
  };
}

function checkMessages({
  waiting,
  oldest_seconds,
  ambiguous,
}: Awaited<ReturnType<typeof queries.readMessageQueue>>): Check {
  const age = oldest_seconds ?? 0;
  const unresolved = ambiguous > 0 ? `${count(ambiguous, 'message')} without a carrier response after a crash.` : '';
  return {
    name: 'messages',
    label: 'Messages waiting',
    status: waiting > 0 ? level(age, 60, 900) : 'good',
    value: waiting > 10_000 ? 'More than 10,000' : waiting.toLocaleString('en-US'),
    detail: [age >= 60 ? `The oldest has been due for ${duration(age)}.` : '', unresolved].filter(Boolean).join(' '),
  };
}

function checkJobs(jobs: readonly queries.Queue[]): Check {
  const waiting = jobs.reduce((sum, job) => sum + job.waiting, 0);
  const failed = jobs.filter((job) => job.failed > 0);
  const age = Math.max(0, ...jobs.map((job) => job.oldest_seconds ?? 0));
  const late = level(age, 120, 1_800);
  return {
    name: 'jobs',
    label: 'Jobs waiting',
    status: late === 'good' && failed.length > 0 ? 'warning' : late,
    value: waiting.toLocaleString('en-US'),
    detail: [
      late === 'good' ? '' : `The oldest has been due for ${duration(age)}.`,
      failed.length > 0
        ? `Failed in the last day: ${failed.map((job) => `${job.name} (${job.failed})`).join(', ')}.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  };
}

function checkMails(
  { mails_waiting, mails_oldest_seconds, mails_failed }: queries.Figures,
  has_server: boolean,
): Check {
  const late = mails_waiting > 0 ? level(mails_oldest_seconds ?? 0, 300, 3_600) : 'good';
  return {
    name: 'mails',
    label: 'Emails waiting',
    status: !has_server ? 'warning' : late === 'good' && mails_failed > 0 ? 'warning' : late,
    value: mails_waiting.toLocaleString('en-US'),
    detail: [
      has_server ? '' : 'No mail server is set (SMTP_URL). Emails wait in the outbox until it is set.',
      late === 'good' ? '' : `The oldest has been waiting for ${duration(mails_oldest_seconds ?? 0)}.`,
      mails_failed > 0 ? `${count(mails_failed, 'email')} could not be delivered in the last day.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  };
}

const checkEvents = (seconds: number): Check => ({
  name: 'events',
  label: 'Live event delay',
  status: level(seconds, 5, 60),
  value: duration(seconds),
  detail: seconds >= 5 ? 'Open pages and webhooks receive changes late.' : '',
});

function checkMoney({ ledger_mismatch, ledger_age_seconds }: queries.Figures): Check {
  const is_old = (ledger_age_seconds ?? 0) > 7_200;
  return {
    name: 'money',
    label: 'Ledger',
    status: ledger_mismatch > 0 ? 'bad' : is_old ? 'warning' : 'good',
    value: ledger_mismatch > 0 ? `${count(ledger_mismatch, 'sum')} wrong` : 'Balanced',
    detail:
      ledger_mismatch > 0
        ? 'Run the doctor to find the accounts.'
        : is_old
          ? `Last checked ${duration(ledger_age_seconds ?? 0)} ago. The usual interval is half an hour.`
          : '',
  };
}

const checkCodes = ({ length }: readonly unknown[]): Check => ({
  name: 'codes',
  label: 'Verification codes by SMS',
  status: length > 0 ? 'warning' : 'good',
  value: length > 0 ? count(length, 'code stop') : 'No restrictions',
  detail: length > 0 ? 'The number of unused codes rose suddenly. Check for fraud, then allow codes again.' : '',
});

const checkProxy = (proxy: string | null, is_set: boolean): Check => ({
  name: 'proxy',
  label: 'Reverse proxy',
  status: proxy === null ? 'good' : 'warning',
  value: proxy !== null ? 'Not trusted' : is_set ? 'Trusted' : 'None seen',
  detail:
    proxy === null
      ? ''
      : `${proxy} sends X-Forwarded-For but is not in TRUST_PROXY. ${PROXY_ADVICE} ` +
        `If this is your proxy, set TRUST_PROXY=${proxy}.`,
});

function checkDatabase(bytes: number, elapsed_ms: number, missing: readonly string[]): Check {
  return {
    name: 'database',
    label: 'Database',
    status: missing.length > 0 ? 'bad' : level(elapsed_ms, 1_000, 5_000),
    value: size(bytes),
    detail:
      missing.length > 0
        ? `Migrations are missing: ${missing.join(', ')}.`
        : elapsed_ms >= 1_000
          ? `These checks took ${(elapsed_ms / 1_000).toFixed(1)} s.`
          : '',
  };
}

export function size(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

const checkDoctor = ({ date, findings }: Health['doctor']): Check => ({
  name: 'doctor',
  label: 'Last doctor run',
  status: findings.length > 0 ? 'bad' : 'good',
  value:
    date === null
      ? 'Never run'
      : findings.length > 0
        ? `${count(findings.length, 'check')} failed`
        : 'All checks passed',
  detail: '',
});

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

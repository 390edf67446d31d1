/**
 * How the installation is, for people: what waits, what is down, what does not add up. Cheap enough to be asked every few seconds. `runDoctor` asks
 * every claim there is and keeps what it found; it changes nothing else.
 */
import type { Health } from '@parley/contract/admin/customers.ts';
import { examineWithin } from '../doctor/doctor.ts';
import { newId } from '../kernel/clock.ts';
import type { Db } from '../kernel/db/db.ts';
import { missingMigrations } from '../kernel/db/migrate.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { PROXY_ADVICE } from '../kernel/http/proxy.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { listCodeStops } from '../verify/verify.ts';
import * as queries from './health_queries.ts';
import { RELEASE } from './release.ts';

type Check = Health['checks'][number];
type Level = Health['status'];

/** As messages/lease.ts renews it. */
const LEASE_SECONDS = 5;
/** Somebody waits for the answer, and their browser for 30 seconds at most. */
const DOCTOR_MS = 22_000;

const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

const level = (value: number, warning: number, bad: number): Level =>
  value >= bad ? 'bad' : value >= warning ? 'warning' : 'good';

/** `proxy`: what this very question came through, when it is not believed (kernel/proxy.ts). */
export async function getHealth({ db, config }: Pick<Kernel, 'db' | 'config'>, proxy: string | null): Promise<Health> {
  const started = performance.now();
  const [messages, jobs, workers, lines, figures, stops, doctor, missing] = await Promise.all([
    queries.messageQueue(db),
    queries.jobQueues(db),
    queries.workers(db, LEASE_SECONDS),
    queries.lines(db),
    queries.figures(db),
    listCodeStops(db),
    queries.lastDoctor(db),
    missingMigrations((text) => db.rows({ strings: [text], values: [] })),
  ]);
  const answered = performance.now() - started;
  const checks = [
    workersCheck(workers),
    linesCheck(lines),
    messagesCheck(messages),
    jobsCheck(jobs),
    mailsCheck(figures, Boolean(config.SMTP_URL)),
    eventsCheck(figures.outbox_seconds),
    moneyCheck(figures),
    codesCheck(stops),
    proxyCheck(proxy, config.TRUST_PROXY !== false),
    databaseCheck(figures.database_bytes, answered, missing),
    doctorCheck(doctor),
  ];
  const worst = (['bad', 'warning'] as const).find((one) => checks.some(({ status }) => status === one)) ?? 'good';
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

function workersCheck(workers: Health['workers']): Check {
  const alive = workers.filter((worker) => worker.alive).length;
  return {
    name: 'workers',
    label: 'Workers',
    status: alive === 0 ? 'bad' : 'good',
    value: alive === 0 ? 'None' : count(alive, 'worker'),
    detail: alive === 0 ? 'Nothing is sent and no job is done. Start a process with --role=worker or --role=all.' : '',
  };
}

function linesCheck({ up, wanted, detail }: queries.Lines): Check {
  return {
    name: 'lines',
    label: 'Lines to carriers',
    status: wanted > 0 && up === 0 ? 'bad' : up < wanted ? 'warning' : 'good',
    value: wanted === 0 ? 'None' : `${up} of ${wanted} up`,
    detail: wanted === 0 ? 'No connection is enabled.' : detail,
  };
}

function messagesCheck({
  waiting,
  oldest_seconds,
  ambiguous,
}: Awaited<ReturnType<typeof queries.messageQueue>>): Check {
  const age = oldest_seconds ?? 0;
  const unsure = ambiguous > 0 ? `${count(ambiguous, 'message')} of which the carrier’s answer was lost.` : '';
  return {
    name: 'messages',
    label: 'Messages waiting',
    status: waiting > 0 ? level(age, 60, 900) : 'good',
    value: waiting > 10_000 ? 'More than 10,000' : waiting.toLocaleString('en-US'),
    detail: [age >= 60 ? `The oldest has been due for ${duration(age)}.` : '', unsure].filter(Boolean).join(' '),
  };
}

function jobsCheck(jobs: readonly queries.Queue[]): Check {
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
        ? `Given up within a day: ${failed.map((job) => `${job.name} (${job.failed})`).join(', ')}.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  };
}

function mailsCheck({ mails_waiting, mails_oldest_seconds, mails_failed }: queries.Figures, set: boolean): Check {
  const late = mails_waiting > 0 ? level(mails_oldest_seconds ?? 0, 300, 3_600) : 'good';
  return {
    name: 'mails',
    label: 'Mails waiting',
    status: !set ? 'warning' : late === 'good' && mails_failed > 0 ? 'warning' : late,
    value: mails_waiting.toLocaleString('en-US'),
    detail: [
      set ? '' : 'No mail server is set (SMTP_URL): mails are kept until there is one.',
      late === 'good' ? '' : `The oldest has waited for ${duration(mails_oldest_seconds ?? 0)}.`,
      mails_failed > 0 ? `${count(mails_failed, 'mail')} could not be delivered within a day.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  };
}

const eventsCheck = (seconds: number): Check => ({
  name: 'events',
  label: 'Live events behind',
  status: level(seconds, 5, 60),
  value: duration(seconds),
  detail: seconds >= 5 ? 'Open pages and webhooks hear of changes later than they should.' : '',
});

function moneyCheck({ ledger_mismatch, ledger_age_seconds }: queries.Figures): Check {
  const old = (ledger_age_seconds ?? 0) > 7_200;
  return {
    name: 'money',
    label: 'Books',
    status: ledger_mismatch > 0 ? 'bad' : old ? 'warning' : 'good',
    value: ledger_mismatch > 0 ? `${count(ledger_mismatch, 'sum')} wrong` : 'They add up',
    detail:
      ledger_mismatch > 0
        ? 'Let the doctor say where.'
        : old
          ? `Last looked at ${duration(ledger_age_seconds ?? 0)} ago; twice an hour is usual.`
          : '',
  };
}

const codesCheck = ({ length }: readonly unknown[]): Check => ({
  name: 'codes',
  label: 'Codes to phones',
  status: length > 0 ? 'warning' : 'good',
  value: length > 0 ? `Stopped in ${count(length, 'place')}` : 'They go everywhere',
  detail:
    length > 0
      ? 'Codes that nobody gave back grew suddenly there. Look whether it was fraud, then allow them again.'
      : '',
});

const proxyCheck = (proxy: string | null, named: boolean): Check => ({
  name: 'proxy',
  label: 'Reverse proxy',
  status: proxy === null ? 'good' : 'warning',
  value: proxy !== null ? 'Not believed' : named ? 'Named' : 'None seen',
  detail:
    proxy === null
      ? ''
      : `X-Forwarded-For arrives from ${proxy}, which TRUST_PROXY does not name. ${PROXY_ADVICE} If it is your proxy, start with TRUST_PROXY=${proxy}.`,
});

function databaseCheck(bytes: number, answered_ms: number, missing: readonly string[]): Check {
  return {
    name: 'database',
    label: 'Database',
    status: missing.length > 0 ? 'bad' : level(answered_ms, 1_000, 5_000),
    value: size(bytes),
    detail:
      missing.length > 0
        ? `Migrations are missing: ${missing.join(', ')}.`
        : answered_ms >= 1_000
          ? `It took ${(answered_ms / 1_000).toFixed(1)} s to answer all of this.`
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

const doctorCheck = ({ date, findings }: Health['doctor']): Check => ({
  name: 'doctor',
  label: 'Last doctor',
  status: findings.length > 0 ? 'bad' : 'good',
  value:
    date === null ? 'Never run' : findings.length > 0 ? `${count(findings.length, 'claim')} broken` : 'All claims hold',
  detail: '',
});

const under_way = new WeakMap<Db, Promise<Health['doctor']>>();

/** One at a time: whoever comes second is given what the first found. */
export function runDoctor(ctx: Ctx): Promise<Health['doctor']> {
  const { db } = ctx.kernel;
  const run = under_way.get(db) ?? examined(ctx).finally(() => under_way.delete(db));
  under_way.set(db, run);
  return run;
}

async function examined({ kernel, actor }: Ctx): Promise<Health['doctor']> {
  const broken = (await examineWithin(kernel.db, DOCTOR_MS)).filter(({ ok }) => !ok);
  const findings = broken.map(({ id, title, rows }) => ({ check: id, count: rows.length, text: title }));
  await kernel.db.tx((tx) => queries.insertDoctor(tx, newId(), actor.user_id!, findings));
  if (broken.length > 0) kernel.log.error({ broken: broken.map(({ id, title }) => ({ id, title })) }, 'doctor');
  return queries.lastDoctor(kernel.db);
}

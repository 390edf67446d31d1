/**
 * Compares each hour of an account's traffic with the same hour of previous weeks. One transaction compares an hour,
 * starts and ends anomalies, stores their emails and events, and moves the mark of the account, so that a repeated run
 * does nothing.
 */
import {
  ANOMALY_METRICS,
  type Anomaly,
  type AnomalyMetric,
  anomalyEnded,
  anomalyStarted,
} from '@parley/contract/insights/anomalies.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { mailAnomalies } from './anomaly_mails.ts';
import * as queries from './anomaly_queries.ts';
import { type AlertSettings, defaultSettings } from './anomaly_settings.ts';
import { type HourFigures, type Judgment, judge, nextStep, readFigure } from './baseline.ts';
import * as hours from './traffic_hours.ts';
import { HOUR_MS } from './traffic_hours.ts';

/** The number of previous weeks in a comparison. */
export const WEEKS = 6;
/** After a longer pause of the job, only the newest hours are compared. */
const MAX_LATE_HOURS = 6;

interface AccountRow {
  id: string;
  is_operator: boolean;
  timezone: string;
  created: number;
  judged_until: number;
  settings: AlertSettings | null;
}

type Services = Pick<Kernel, 'db' | 'config'>;

/** Compares all hours that are due. Can be repeated at any time. */
export async function detectAnomalies(
  kernel: Services,
  signal?: AbortSignal,
  now: Date = kernel.db.clock.now(),
): Promise<void> {
  const accounts = await listAccounts(kernel.db);
  // Routes are compared last, because they add up the hours of all accounts.
  for (const account of accounts.toSorted((a, b) => Number(a.is_operator) - Number(b.is_operator)))
    await judgeDueHours(kernel, account, now, signal);
}

/** `detectAnomalies` for one account. */
export async function detectAccountAnomalies(kernel: Services, account_id: string, now: Date): Promise<void> {
  for (const account of await listAccounts(kernel.db, account_id)) await judgeDueHours(kernel, account, now);
}

const listAccounts = (db: Db, id: string | null = null) =>
  db.rows<AccountRow>(sql`
    select a.id, a.kind = 'OPERATOR' as is_operator, a.timezone, extract(epoch from a.create_date)::float8 * 1000
             as created, coalesce(extract(epoch from k.judged_until)::float8 * 1000, 0) as judged_until,
           case when s.account_id is not null then json_build_object('enabled', s.enabled, 'metrics', s.metrics,
             'sensitivity', s.sensitivity, 'send_emails', s.send_emails, 'emails', s.emails,
             'notify_in_app', s.notify_in_app) end as settings
    from accounts a left join anomaly_alerts s on s.account_id = a.id
    left join anomaly_marks k on k.account_id = a.id ${id === null ? sql`` : sql`where a.id = ${id}`}`);

async function judgeDueHours(kernel: Services, account: AccountRow, now: Date, signal?: AbortSignal): Promise<void> {
  const end = Math.floor((now.getTime() - hours.SETTLE_MS) / HOUR_MS) * HOUR_MS;
  const from = Math.max(account.judged_until, end - MAX_LATE_HOURS * HOUR_MS, toHour(account.created));
  for (let hour = from; hour < end; hour += HOUR_MS) {
    if (signal?.aborted) return;
    await judgeAccount(kernel, account, new Date(hour));
  }
  if (from < end) await hours.pruneHours(kernel.db, account.id, now);
}

const toHour = (ms: number): number => Math.ceil(ms / HOUR_MS) * HOUR_MS;

async function judgeAccount(kernel: Services, account: AccountRow, hour: Date): Promise<void> {
  const { db } = kernel;
  const settings = account.settings ?? defaultSettings(account);
  const before = account.is_operator || settings.enabled ? await listWeeks(db, account, hour) : [];
  if (account.is_operator) await hours.markCounted(db, account.id, hour);
  else if (settings.enabled) await countHours(db, account.id, [hour, ...before]);
  else if (await hours.hasTraffic(db, account.id, hour)) await countHours(db, account.id, [hour]);
  await db.tx((tx) => judgeHour(tx, kernel, account, hour, before));
}

/** The same hour of previous weeks in the account's time zone, since the account was created. */
async function listWeeks(db: Db, { timezone, created }: AccountRow, hour: Date): Promise<Date[]> {
  const rows = await db.rows<{ at: number }>(sql`
    select extract(epoch from
      (${hour}::timestamptz at time zone ${timezone} - make_interval(weeks => w)) at time zone ${timezone}
    )::float8 as at
    from generate_series(1, ${WEEKS}::int) w`);
  return rows
    .map(({ at }) => Math.floor((at * 1000) / HOUR_MS) * HOUR_MS)
    .filter((at) => at >= toHour(created))
    .map((at) => new Date(at));
}

async function countHours(db: Db, account_id: string, wanted: readonly Date[]): Promise<void> {
  for (const hour of await hours.listUncounted(db, account_id, wanted))
    await db.tx((tx) => hours.countHour(tx, account_id, hour));
}

interface Comparison {
  metric: AnomalyMetric;
  value: string;
  judgment: Judgment | null;
  compared: Anomaly['compared'];
}

async function judgeHour(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  account: AccountRow,
  hour: Date,
  before: readonly Date[],
): Promise<void> {
  const { id: account_id, is_operator } = account;
  if ((await queries.lockMark(tx, account_id)) > hour.getTime()) return;
  const end = new Date(hour.getTime() + HOUR_MS);
  await queries.moveMark(tx, account_id, end);
  // The settings may have changed since the run began.
  const settings = (await queries.findSettings(tx, account_id)) ?? defaultSettings(account);
  if (!settings.enabled) return;
  const open = await queries.listOpen(tx, account_id);
  const cooling = new Set((await queries.listCooling(tx, account_id, end)).map(toKey));
  const scope = is_operator ? 'route' : 'country';
  const compared = await compare(tx, account, settings, hour, before, new Set(open.map(({ value }) => value)));
  const started: Anomaly[] = [];
  const ended: Anomaly[] = [];
  for (const comparison of compared) {
    const { metric, value, judgment } = comparison;
    const current = open.find((row) => toKey(row) === toKey(comparison)) ?? null;
    const step = nextStep(current, judgment, cooling.has(toKey(comparison)));
    const latest = judgment?.observed ?? null;
    if (step.action === 'open' && judgment && judgment.verdict !== 'normal') {
      const { observed, expected, low, high, sample, verdict: direction } = judgment;
      const row = { metric, scope, value, direction, observed, expected, low, high, sample } as const;
      started.push(
        await queries.insertAnomaly(tx, account_id, newId(), hour, { ...row, compared: comparison.compared }),
      );
    } else if (step.action === 'keep') await queries.keepAnomaly(tx, account_id, current!.id, hour, latest, step);
    else if (step.action === 'end')
      ended.push(await queries.endAnomaly(tx, account_id, current!.id, { hour, latest, reason: step.reason }));
  }
  const options = { live: settings.notify_in_app };
  for (const anomaly of started) emit(tx, anomalyStarted, account_id, anomaly, options);
  for (const anomaly of ended) emit(tx, anomalyEnded, account_id, anomaly, options);
  if (settings.send_emails && started.length + ended.length > 0)
    await mailAnomalies(tx, kernel, { account_id, emails: settings.emails, hour, started, ended });
}

const toKey = ({ metric, value }: { metric: AnomalyMetric; value: string }): string => `${metric} ${value}`;

/** Compares the figures of each country or route that has traffic, had traffic in one of the weeks, or is anomalous. */
async function compare(
  tx: Tx,
  { id: account_id, is_operator }: AccountRow,
  { metrics, sensitivity }: AlertSettings,
  hour: Date,
  before: readonly Date[],
  anomalous: ReadonlySet<string>,
): Promise<Comparison[]> {
  const missing = new Set((await hours.listUncounted(tx, account_id, before)).map((at) => at.getTime()));
  const weeks = before.filter((at) => !missing.has(at.getTime()));
  const all = [hour, ...weeks];
  const found = is_operator ? await hours.readRoutes(tx, all) : await hours.readCountries(tx, account_id, all);
  const born = is_operator ? await readConnectionDates(tx) : null;
  const values = new Set([...anomalous, ...[...found.values()].flatMap((byValue) => [...byValue.keys()])]);
  const figuresAt = (at: Date, value: string): HourFigures => found.get(at.getTime())?.get(value) ?? hours.NO_TRAFFIC;
  return [...values].flatMap((value) => {
    const own = weeks.filter((at) => born === null || at.getTime() >= (born.get(value) ?? Number.POSITIVE_INFINITY));
    const past = own.map((at) => figuresAt(at, value));
    return ANOMALY_METRICS.filter((metric) => metrics.includes(metric) && !(is_operator && metric === 'spend')).map(
      (metric) => ({
        metric,
        value,
        judgment: judge(metric, figuresAt(hour, value), past, sensitivity),
        compared: own.map((at, index) => ({ hour: wire(at), ...readFigure(metric, past[index]!) })),
      }),
    );
  });
}

const wire = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');

/** A connection has no usual traffic before it was added. */
async function readConnectionDates(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.rows<{ id: string; at: number }>(sql`
    select id::text, extract(epoch from create_date)::float8 * 1000 as at from connections`);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

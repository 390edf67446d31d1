/** Figures of an account by day and by one dimension, for the charts and the dashboard. */

import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  CHART_PERIODS,
  type Charts,
  type getCharts,
  type getDeliveryCharts,
  MAX_CHART_DAYS,
  MAX_CHART_GROUPS,
} from '@parley/contract/insights/charts.ts';
import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { findMark, listChangedSlots } from '../messages/messages.ts';
import * as queries from './queries.ts';
import { FIGURE_NAMES, type Figures, NO_FIGURES } from './queries.ts';

export { countPast } from './slots.ts';

type Query = Parsed<typeof getCharts>['query'];
type PeriodQuery = Parsed<typeof getDeliveryCharts>['query'];
type Group = Figures & { value: string; label: string; before: Figures };
/** `Charts` before the limit of the groups. */
type AllCharts = Omit<Charts, 'days' | 'total' | 'before' | 'opt_outs' | 'groups' | 'groups_total'> & {
  days: (Figures & { date: string })[];
  total: Figures;
  before: Figures;
  groups: Group[];
};

const DAY_MS = 86_400_000;

export async function readCharts(db: Queryable, actor: Actor, now: Date, query: Query): Promise<Charts> {
  const { account_id } = actor;
  const { span, currency, last, length } = await readSpan(db, account_id, now, query);
  const charts = await countSpan(db, span, { currency, last, length, by: query.by ?? 'channel' });
  const opt_outs = await queries.countOptOuts(db, span);
  const groups = charts.groups.slice(0, MAX_CHART_GROUPS);
  const labels = await queries.readLabels(
    db,
    account_id,
    charts.by,
    groups.map(({ value }) => value),
  );
  return {
    ...charts,
    opt_outs,
    groups: groups.map((group) => ({ ...group, label: labels.get(group.value) ?? group.value })),
    groups_total: charts.groups.length,
  };
}

/** The days of a period and its midnights in the account's time zone. Throws CHART_PERIOD_INVALID. */
export async function readDays(db: Queryable, account_id: string, now: Date, query: PeriodQuery) {
  const calendar = await queries.readCalendar(db, account_id, now, readPeriod(query));
  const length = dayNumber(calendar.last) - dayNumber(calendar.first) + 1;
  if (length < 1 || length > MAX_CHART_DAYS) throw new Problem('CHART_PERIOD_INVALID', { field: 'to' });
  const [from, begin, until] = [calendar.from, calendar.begin, calendar.until].map((at) => new Date(at * 1000));
  return { ...calendar, length, from: from!, begin: begin!, until: until! };
}

/** Throws CHART_PERIOD_INVALID. */
export async function readSpan(db: Queryable, account_id: string, now: Date, query: PeriodQuery) {
  const { zone, currency, first, last, length, from, begin, until } = await readDays(db, account_id, now, query);
  const mark = await findMark(db, account_id);
  const live_from = mark && mark > from ? mark : from;
  const changed = await listChangedSlots(db, account_id, from, live_from);
  const channel = query.filter?.channel ?? null;
  const span = { account_id, zone, first, live_from, changed, channel, from, begin, until };
  return { span, currency: currency as Charts['currency'], last, length };
}

export async function countAll(db: Queryable, account_id: string, now: Date, query: Query): Promise<AllCharts> {
  const { span, ...rest } = await readSpan(db, account_id, now, query);
  return countSpan(db, span, { ...rest, by: query.by ?? 'channel' });
}

async function countSpan(
  db: Queryable,
  span: queries.Span,
  { currency, last, length, by }: Pick<AllCharts, 'currency' | 'by'> & { last: string; length: number },
): Promise<AllCharts> {
  const { first, zone } = span;
  const rows = await queries.listCounts(db, span, by);
  const days = new Map(rows.filter(({ day }) => day !== null).map((row) => [row.day, pickFigures(row)]));
  const dates = Array.from({ length: 2 * length }, (_, at) => dateAfter(first, at - length));
  const sumDays = (some: readonly string[]) => some.reduce((sum, date) => addFigures(sum, days.get(date)), NO_FIGURES);
  return {
    period: { from: first, to: last },
    previous: { from: dates[0]!, to: dates[length - 1]! },
    time_zone: zone,
    currency,
    days: dates.slice(length).map((date) => ({ date, ...(days.get(date) ?? NO_FIGURES) })),
    total: sumDays(dates.slice(length)),
    before: sumDays(dates.slice(0, length)),
    by,
    groups: toGroups(rows),
  };
}

/** The groups of the period, largest first, with their figures of the period before. */
function toGroups(rows: readonly queries.CountRow[]): Group[] {
  const byValue = rows.filter((row): row is queries.CountRow & { value: string } => row.value !== null);
  const before = new Map(byValue.filter(({ is_before }) => is_before).map((row) => [row.value, pickFigures(row)]));
  return byValue
    .filter(({ is_before }) => !is_before)
    .map((row) => ({
      value: row.value,
      label: row.value,
      ...pickFigures(row),
      before: before.get(row.value) ?? NO_FIGURES,
    }))
    .sort((a, b) => b.messages - a.messages || (a.value < b.value ? -1 : 1));
}

/** Throws CHART_PERIOD_INVALID unless both ends of the period are given, or neither. */
function readPeriod({ days = CHART_PERIODS[0], from, to }: PeriodQuery) {
  if ((from === undefined) !== (to === undefined))
    throw new Problem('CHART_PERIOD_INVALID', { field: from === undefined ? 'from' : 'to' });
  return { first: from ?? null, last: to ?? null, days };
}

const pickFigures = (row: Figures): Figures =>
  Object.fromEntries(FIGURE_NAMES.map((name) => [name, row[name]])) as Figures;
const addFigures = (sum: Figures, row: Figures = NO_FIGURES): Figures =>
  Object.fromEntries(FIGURE_NAMES.map((name) => [name, sum[name] + row[name]])) as Figures;

const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;
export const dateAfter = (date: string, days: number): string =>
  new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10);

/** Values that the user has no permission to see are zero. */
export async function readDashboard(
  db: Queryable,
  actor: Actor,
  now: Date,
  days: (typeof CHART_PERIODS)[number],
): Promise<Dashboard> {
  const charts = await countAll(db, actor.account_id, now, { days, by: 'channel' });
  const mask = maskFor(actor);
  return {
    days: charts.days.map(({ date, ...figures }) => ({ date, ...mask(figures) })),
    total: mask(charts.total),
    before: mask(charts.before),
    channels: charts.groups
      .map(({ value, ...figures }) => ({ channel: value, ...mask(figures) }))
      .sort((a, b) => (a.channel < b.channel ? -1 : 1)),
    steps: await queries.readSteps(db, actor.account_id, actor.user_id),
  };
}

type DashboardFigures = Dashboard['total'];

function maskFor({ permissions: own, pending }: Actor): (figures: Figures) => DashboardFigures {
  const permissions = pending ? {} : own;
  const canViewMessages = permits(permissions, 'MESSAGES:view');
  const canViewSpend = permits(permissions, 'PAYMENTS:view');
  return ({ sent, delivered, failed, received, spend_micros }) => ({
    ...(canViewMessages ? { sent, delivered, failed, received } : { sent: 0, delivered: 0, failed: 0, received: 0 }),
    spend_micros: canViewSpend ? spend_micros : 0,
  });
}

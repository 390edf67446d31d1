/**
 * Reports of the inbox: response and resolution times, volume, and backlog. They count the episodes of conversations,
 * each for one user: the assignee, or else the user who replied first. What a caller sees depends on that user, like
 * the buckets of the inbox.
 */

import type { Parsed } from '@parley/contract/endpoint.ts';
import { MAX_CHART_GROUPS } from '@parley/contract/insights/charts.ts';
import type {
  getInboxReport,
  InboxReport,
  ReportDimension,
  ReportFigures,
} from '@parley/contract/insights/inbox_reports.ts';
import type {
  listReportedConversations,
  ReportedConversation,
} from '@parley/contract/insights/reported_conversations.ts';
import { visibleBuckets } from '../inbox/inbox.ts';
import type { Queryable } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './inbox_report_queries.ts';
import { dateAfter, readDays } from './insights.ts';

const NO_FIGURES: ReportFigures = {
  ...{ opened: 0, answered: 0, closed: 0, response_seconds: null, resolution_seconds: null },
  ...{ response_targets: 0, response_in_time: 0, resolution_targets: 0, resolution_in_time: 0 },
};

const toScope = (actor: Actor, filter: Omit<queries.ReportScope, 'account_id' | 'user_id' | 'buckets'>) => ({
  ...filter,
  ...{ account_id: actor.account_id, user_id: actor.user_id, buckets: visibleBuckets(actor) },
});

export async function readInboxReport(
  db: Queryable,
  actor: Actor,
  now: Date,
  { by = 'agent', filter = {}, ...query }: Parsed<typeof getInboxReport>['query'],
): Promise<InboxReport> {
  const { account_id } = actor;
  const span = await readDays(db, account_id, now, query);
  const scope = toScope(actor, filter);
  const sums = await queries.listSums(db, scope, span);
  const backlog = await queries.countOpen(db, scope, span.from);
  const { days, before_backlog, last_backlog } = toDays(sums, span, backlog);
  return {
    period: { from: span.first, to: span.last },
    previous: { from: dateAfter(span.first, -span.length), to: dateAfter(span.first, -1) },
    time_zone: span.zone,
    total: { ...findTotal(sums, false), backlog: last_backlog },
    before: { ...findTotal(sums, true), backlog: before_backlog },
    days,
    hours: sums.flatMap(({ is_before, weekday, hour, opened, answered, closed }) =>
      is_before || weekday === null || hour === null ? [] : [{ weekday, hour, opened, answered, closed }],
    ),
    by,
    ...(await readGroups(db, account_id, by, await queries.listGroups(db, scope, span, by))),
  };
}

function pickFigures(row: ReportFigures | undefined): ReportFigures {
  const { opened, answered, closed, response_seconds, resolution_seconds } = row ?? NO_FIGURES;
  const { response_targets, response_in_time, resolution_targets, resolution_in_time } = row ?? NO_FIGURES;
  return {
    ...{ opened, answered, closed, response_seconds, resolution_seconds },
    ...{ response_targets, response_in_time, resolution_targets, resolution_in_time },
  };
}

function findTotal(sums: readonly queries.SumRow[], is_before: boolean) {
  const row = sums.find((one) => one.is_before === is_before && one.day === null && one.weekday === null);
  return {
    ...pickFigures(row),
    response_p90_seconds: row?.response_p90_seconds ?? null,
    resolution_p90_seconds: row?.resolution_p90_seconds ?? null,
  };
}

/**
 * The days of the period. The backlog of a day is that of the day before, plus opened and minus closed conversations.
 */
function toDays(sums: readonly queries.SumRow[], { first, length }: { first: string; length: number }, start: number) {
  const byDay = new Map(sums.flatMap((row) => (row.day === null ? [] : [[row.day, row] as const])));
  let backlog = start;
  const all = Array.from({ length: 2 * length }, (_, at) => {
    const date = dateAfter(first, at - length);
    const figures = pickFigures(byDay.get(date));
    backlog += figures.opened - figures.closed;
    return { date, ...figures, backlog };
  });
  return { days: all.slice(length), before_backlog: all[length - 1]!.backlog, last_backlog: backlog };
}

type GroupRow = Awaited<ReturnType<typeof queries.listGroups>>[number];

/** The groups of the period, largest first, with their figures of the period before. */
async function readGroups(db: Queryable, account_id: string, by: ReportDimension, rows: readonly GroupRow[]) {
  const before = new Map(rows.filter(({ is_before }) => is_before).map((row) => [row.value, row]));
  const all = rows
    .filter(({ is_before }) => !is_before)
    .sort((a, b) => b.opened - a.opened || b.closed - a.closed || (a.value < b.value ? -1 : 1));
  const shown = all.slice(0, MAX_CHART_GROUPS);
  const names = await queries.readNames(
    db,
    account_id,
    by,
    shown.map(({ value }) => value),
  );
  return {
    groups: shown.map((row) => ({
      value: row.value,
      label: names.get(row.value) ?? row.value,
      ...pickFigures(row),
      before: pickFigures(before.get(row.value)),
    })),
    groups_total: all.length,
  };
}

export async function listReported(
  db: Queryable,
  actor: Actor,
  now: Date,
  query: Parsed<typeof listReportedConversations>['query'],
): Promise<Paged<ReportedConversation>> {
  const { from, to, event = 'opened', ...filter } = query.filter ?? {};
  const page = readPage(query);
  const span = await readDays(db, actor.account_id, now, { from, to });
  const scope = toScope(actor, filter);
  const rows = await queries.listReported(db, scope, span, event, scope.buckets, page);
  return paged(page, rows, await queries.countReported(db, scope, span, event, page));
}

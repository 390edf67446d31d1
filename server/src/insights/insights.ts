/**
 * The dashboard: messages and spend by day and by channel, compared with the previous period. Values that the user has
 * no permission to see are zero.
 */
import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import { permits } from '@parley/contract/permission.ts';
import type { Queryable } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './queries.ts';
import { findMark } from './slots.ts';

const NO_COUNTS = { sent: 0, delivered: 0, failed: 0, received: 0, spend_micros: 0 };
type Counts = typeof NO_COUNTS;
const KEYS = Object.keys(NO_COUNTS) as (keyof Counts)[];

const addCounts = (sum: Counts, row: Counts): Counts =>
  Object.fromEntries(KEYS.map((key) => [key, sum[key] + row[key]])) as Counts;

export async function dashboard(db: Queryable, actor: Actor, now: Date, length: number): Promise<Dashboard> {
  const { account_id } = actor;
  const { zone, today, from } = await queries.readCalendar(db, account_id, now, 2 * length - 1);
  const begin = new Date(from * 1000);
  const mark = await findMark(db, account_id);
  const live_from = mark && mark > begin ? mark : begin;
  const counts = await queries.listDays(db, { account_id, zone, from: begin, live_from });
  const rows = counts.map((row) => maskRow(row, actor));
  const dates = calendarDays(today, length);
  const first = dates[0] as string;
  const current = rows.filter(({ day }) => day >= first && day <= today);
  const sumRows = (some: readonly queries.DayRow[]): Counts => some.reduce<Counts>(addCounts, NO_COUNTS);
  const channels = [...new Set(current.map(({ channel }) => channel))];
  return {
    days: dates.map((date) => ({ date, ...sumRows(current.filter(({ day }) => day === date)) })),
    total: sumRows(current),
    before: sumRows(rows.filter(({ day }) => day < first)),
    channels: channels.map((channel) => ({ channel, ...sumRows(current.filter((row) => row.channel === channel)) })),
    steps: await queries.readSteps(db, account_id, actor.user_id),
  };
}

function maskRow(row: queries.DayRow, { permissions: own, pending }: Actor): queries.DayRow {
  const permissions = pending ? {} : own;
  return {
    ...row,
    ...(permits(permissions, 'MESSAGES:view') ? {} : { sent: 0, delivered: 0, failed: 0, received: 0 }),
    ...(permits(permissions, 'PAYMENTS:view') ? {} : { spend_micros: 0 }),
  };
}

/** Returns the last `length` dates, including today, oldest first. */
function calendarDays(today: string, length: number): string[] {
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length }, (_, at) => new Date(noon - (length - 1 - at) * 86_400_000).toISOString().slice(0, 10));
}

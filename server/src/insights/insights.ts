/** What the account's messages come to: by day, by channel, and against the same time before. What one may not see counts as nothing. */
import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import { permits } from '@parley/contract/permission.ts';
import type { Queryable } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './queries.ts';
import { markOf } from './slots.ts';

const NONE = { sent: 0, delivered: 0, failed: 0, received: 0, spend_micros: 0 };
type Counts = typeof NONE;
const KEYS = Object.keys(NONE) as (keyof Counts)[];

const add = (sum: Counts, row: Counts): Counts =>
  Object.fromEntries(KEYS.map((key) => [key, sum[key] + row[key]])) as Counts;

export async function dashboard(db: Queryable, actor: Actor, now: Date, length: number): Promise<Dashboard> {
  const { account_id } = actor;
  const { zone, today, from } = await queries.calendar(db, account_id, now, 2 * length - 1);
  const begin = new Date(from * 1000);
  const mark = await markOf(db, account_id);
  const live_from = mark && mark > begin ? mark : begin;
  const counted = await queries.days(db, { account_id, zone, from: begin, live_from });
  const rows = counted.map((row) => visible(row, actor));
  const dates = calendarDays(today, length);
  const first = dates[0] as string;
  const within = rows.filter(({ day }) => day >= first && day <= today);
  const sumOf = (some: readonly queries.DayRow[]): Counts => some.reduce<Counts>(add, NONE);
  const channels = [...new Set(within.map(({ channel }) => channel))];
  return {
    days: dates.map((date) => ({ date, ...sumOf(within.filter(({ day }) => day === date)) })),
    total: sumOf(within),
    before: sumOf(rows.filter(({ day }) => day < first)),
    channels: channels.map((channel) => ({ channel, ...sumOf(within.filter((row) => row.channel === channel)) })),
    steps: await queries.steps(db, account_id, actor.user_id),
  };
}

function visible(row: queries.DayRow, { permissions: own, pending }: Actor): queries.DayRow {
  const permissions = pending ? {} : own;
  return {
    ...row,
    ...(permits(permissions, 'MESSAGES:view') ? {} : { sent: 0, delivered: 0, failed: 0, received: 0 }),
    ...(permits(permissions, 'PAYMENTS:view') ? {} : { spend_micros: 0 }),
  };
}

/** The last `length` dates up to today, oldest first. */
function calendarDays(today: string, length: number): string[] {
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length }, (_, at) => new Date(noon - (length - 1 - at) * 86_400_000).toISOString().slice(0, 10));
}

/** The fixed intervals in which limits count. They are the same in every process and never overlap. */
import type { LimitInterval } from '@parley/contract/guard/limits.ts';

export interface Window {
  readonly start: Date;
  readonly end: Date;
}

const MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** Weeks start on Monday. */
export function windowAt(interval: LimitInterval, at: Date): Window {
  if (interval === 'month') {
    const start = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
    return { start: new Date(start), end: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)) };
  }
  if (interval === 'week') {
    const { start } = windowAt('day', at);
    const monday = start.getTime() - ((start.getUTCDay() + 6) % 7) * MS.day;
    return { start: new Date(monday), end: new Date(monday + 7 * MS.day) };
  }
  const start = Math.floor(at.getTime() / MS[interval]) * MS[interval];
  return { start: new Date(start), end: new Date(start + MS[interval]) };
}

/** The times of the runs of a repeating campaign. */
import { nextRuns } from '@parley/contract/campaigns/repeat_times.ts';
import { type CampaignRepeat, SHOWN_RUNS } from '@parley/contract/campaigns/repeats.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { clockTime, whenClockShows } from './local_time.ts';

interface Series {
  repeat: CampaignRepeat | null;
  repeat_date: string | null;
  schedule: string | null;
  account_zone: string;
}

const CLOCK_CHANGE_MS = 3 * 3_600_000;

/** Returns the next runs at or after a time. The times on the account's clock stay the same all year. */
export function listRunTimes(series: Series, from: Date, limit: number): Date[] {
  const { repeat, account_zone: zone } = series;
  const first = series.repeat_date ?? series.schedule;
  if (!repeat || !first) return [];
  const clock = clockTime(parseTimestamp(first).getTime(), zone);
  // A clock change can move a run to a later time than its own.
  return nextRuns(repeat, clock, clockTime(from.getTime(), zone) - CLOCK_CHANGE_MS, limit + 1)
    .map((time) => new Date(whenClockShows(time, zone)))
    .filter((time) => time.getTime() >= Math.floor(from.getTime() / 1_000) * 1_000)
    .slice(0, limit);
}

const WITH_RUNS: readonly string[] = ['scheduled', 'paused', 'in_complete'];

/** The next runs of a series, beginning with its schedule. */
export const upcomingRuns = (row: Series & { status: string }): Date[] =>
  row.schedule && WITH_RUNS.includes(row.status) ? listRunTimes(row, parseTimestamp(row.schedule), SHOWN_RUNS) : [];

/** Calculates the runs of a repeating campaign. */
import type { CampaignRepeat } from './repeats.ts';

const DAY_MS = 86_400_000;
/** Ends the search in series that began many years ago. */
const MAX_RUNS = 50_000;

/** All runs in order, as clock times in milliseconds: as if the account's clock showed UTC. */
function* listRuns(repeat: CampaignRepeat, first: number): Generator<number> {
  const { every, interval, until, count } = repeat;
  const end = until === null ? Number.POSITIVE_INFINITY : Date.parse(`${until}T00:00:00Z`) + DAY_MS;
  let made = 0;
  for (let round = 0; made < Math.min(count ?? MAX_RUNS, MAX_RUNS); round++) {
    const times =
      every === 'day'
        ? [first + round * interval * DAY_MS]
        : every === 'month'
          ? [sameDay(first, round * interval)]
          : weekTimes(repeat.days, first, round * interval);
    for (const time of times) {
      if (time < first) continue;
      if (time >= end || made >= (count ?? MAX_RUNS)) return;
      made++;
      yield time;
    }
  }
}

/** The last day of a month that has no such day. */
function sameDay(first: number, months: number): number {
  const date = new Date(first);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + (first % DAY_MS);
}

function weekTimes(days: readonly number[], first: number, weeks: number): number[] {
  const day = Math.floor(first / DAY_MS);
  // January 1, 1970, was a Thursday.
  const weekday = ((day + 3) % 7) + 1;
  const monday = day - (weekday - 1) + weeks * 7;
  const chosen = days.length > 0 ? [...new Set(days)].sort((a, b) => a - b) : [weekday];
  return chosen.map((one) => (monday + one - 1) * DAY_MS + (first % DAY_MS));
}

/** Returns the next runs at or after a clock time. */
export function nextRuns(repeat: CampaignRepeat, first: number, from: number, limit: number): number[] {
  const times: number[] = [];
  for (const time of listRuns(repeat, first)) {
    if (time < from) continue;
    times.push(time);
    if (times.length === limit) break;
  }
  return times;
}

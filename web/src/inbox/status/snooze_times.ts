/** The times that the snooze menu offers, in the account's time zone. */
import { fromLocal, toLocal } from '../../ui/controls/local_time.ts';

export interface SnoozeTime {
  label: string;
  at: Date;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MORNING = 'T09:00';
const EVENING = 'T18:00';

export function snoozeTimes(now: Date, zone: string): SnoozeTime[] {
  const today = toLocal(now, zone).slice(0, 10);
  const noon = new Date(`${today}T12:00:00Z`);
  const dayAfter = (days: number) => new Date(noon.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  // Sunday is day 0.
  const untilMonday = (8 - noon.getUTCDay()) % 7 || 7;
  const at = (day: string, time: string) => fromLocal(day + time, zone)!;
  const evening = at(today, EVENING);
  return [
    { label: 'In 1 hour', at: new Date(now.getTime() + HOUR_MS) },
    { label: 'In 3 hours', at: new Date(now.getTime() + 3 * HOUR_MS) },
    ...(evening.getTime() - now.getTime() > HOUR_MS ? [{ label: 'This evening', at: evening }] : []),
    { label: 'Tomorrow morning', at: at(dayAfter(1), MORNING) },
    ...(untilMonday > 1 ? [{ label: 'Monday morning', at: at(dayAfter(untilMonday), MORNING) }] : []),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
}

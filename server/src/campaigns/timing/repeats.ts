/** Finds the next run of a repeating campaign. */
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import type { CampaignRow } from '../model/row.ts';
import { listRunTimes } from '../model/run_times.ts';
import { findFirstLocalTime } from './planner.ts';

export interface NextRun {
  schedule: Date;
  due_date: Date;
  repeat_date: Date;
}

/**
 * Returns the next run after a time, or null if there is none. If the schedule is not one of the runs so far, a user
 * has moved the series, and the runs are calculated from the new time.
 */
export async function findNextRun(db: Queryable, row: CampaignRow, after: Date): Promise<NextRun | null> {
  const schedule = parseTimestamp(row.schedule!);
  const [same] = listRunTimes(row, schedule, 1);
  const repeat_date = same?.getTime() === schedule.getTime() ? (row.repeat_date ?? row.schedule!) : row.schedule!;
  const from = after >= schedule ? after : schedule;
  const next = listRunTimes({ ...row, repeat_date }, from, 2).find((time) => time > after);
  if (!next) return null;
  const due_date = row.timing.local_time ? await findFirstLocalTime(db, row.account_id, next) : next;
  return { schedule: next, due_date, repeat_date: parseTimestamp(repeat_date) };
}

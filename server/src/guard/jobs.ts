/** Ends violations and stops, counts outcomes, sends alerts, and deletes old counters and warnings. */
import { sql } from '../kernel/db/db.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { CAP_IDS } from './frequency.ts';
import { spread, spreadChange } from './inheritance.ts';
import { mailViolation, mailWarning } from './mails.ts';
import { settleHour } from './pumping/detect.ts';
import { mailTrafficStop } from './pumping/mails.ts';
import { pruneCounts } from './pumping/prune.ts';
import { settle } from './pumping/settle.ts';
import { endExpired, reportStop } from './pumping/stops.ts';
import { expire, expireViolation, reportViolation } from './violations.ts';
import { reportWarning } from './warnings.ts';

const prune = job('guard.prune', { cron: '37 * * * *', retry: 0 });
const endStops = job('guard.end_stops', { cron: '* * * * *', retry: 0, expire_seconds: 300 });
const BATCH = 10_000;

export const jobs: readonly JobWork[] = [
  work(expireViolation, ({ db }, ref) => db.tx((tx) => expire(tx, ref))),
  work(reportViolation, (kernel, ref) => kernel.db.tx((tx) => mailViolation(tx, kernel, ref))),
  work(reportWarning, (kernel, ref) => kernel.db.tx((tx) => mailWarning(tx, kernel, ref))),
  work(reportStop, (kernel, ref) => kernel.db.tx((tx) => mailTrafficStop(tx, kernel, ref))),
  work(settleHour, ({ db }, ref) => settle(db, ref)),
  work(endStops, ({ db }, _, signal) => endExpired(db, signal)),
  work(spreadChange, ({ db }, change, signal) => spread(db, change, signal)),
  // The longest interval of a limit is a month, and that of the frequency cap is a week.
  work(prune, async ({ db }, _, signal) => {
    for (let deleted = BATCH; deleted === BATCH && !signal.aborted; )
      deleted = await db.run(sql`
        delete from limit_counters where (account_id, limit_id, window_start, scope) in (
          select account_id, limit_id, window_start, scope from limit_counters
          where window_start < now() - interval '32 days'
            or (limit_id = any(${Object.values(CAP_IDS)}::uuid[]) and window_start < now() - interval '9 days')
          limit ${BATCH})`);
    await pruneCounts(db, signal);
    await db.run(sql`delete from limit_warnings where window_start < now() - interval '32 days'`);
    await db.run(sql`delete from violations where create_date < now() - interval '400 days'`);
  }),
];

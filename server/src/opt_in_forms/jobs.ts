import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { deleteOldSubmissions } from './page_queries.ts';
import { sendWelcome, welcomeJob } from './submissions.ts';

const BATCH = 5_000;
const prune = job('opt_in_forms.prune', { cron: '17 * * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(welcomeJob, sendWelcome),
  work(prune, async ({ db }, _, signal) => {
    while (!signal.aborted && (await deleteOldSubmissions(db, BATCH)) === BATCH);
  }),
];

import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { removeEnded } from './delivery_queries.ts';

const prune = job<object>('push.prune', { cron: '23 * * * *', retry: 0 });

export const jobs: readonly JobWork[] = [
  work(prune, async ({ db, clock }) => {
    await removeEnded(db, clock.now());
  }),
];

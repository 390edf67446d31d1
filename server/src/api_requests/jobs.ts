import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { pruneRequests } from './api_requests.ts';

const DAY_MS = 86_400_000;
const prune = job('api_requests.prune', { cron: '29 * * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(prune, ({ db, clock, config }, _, signal) =>
    pruneRequests(db, new Date(clock.now().getTime() - config.REQUEST_LOG_DAYS * DAY_MS), signal),
  ),
];

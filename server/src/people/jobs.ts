import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { runErasure, sweepErasures } from './erasure_run.ts';
import { eraseJob } from './erasures.ts';
import { enqueueRetention, retentionJob, runRetention } from './retention.ts';

const sweep = job('people.sweep_erasures', { cron: '* * * * *', retry: 0, expire_seconds: 300 });
const expire = job('people.enqueue_expiry', { cron: '41 * * * *', retry: 0, expire_seconds: 600 });

export const jobs: readonly JobWork[] = [
  work(eraseJob, runErasure),
  work(sweep, sweepErasures),
  work(expire, enqueueRetention),
  work(retentionJob, runRetention),
];

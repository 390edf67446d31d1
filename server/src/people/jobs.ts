import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { runErasure, sweepErasures } from './erasure_run.ts';
import { eraseJob } from './erasures.ts';

const sweep = job('people.sweep_erasures', { cron: '* * * * *', retry: 0, expire_seconds: 300 });

export const jobs: readonly JobWork[] = [work(eraseJob, runErasure), work(sweep, sweepErasures)];

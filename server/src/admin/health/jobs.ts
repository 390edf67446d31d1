import { type JobWork, job, work } from '../../kernel/jobs/jobs.ts';
import { sampleHealth } from './health.ts';

const sampleJob = job('health.sample', { cron: '* * * * *', retry: 0 });
export const jobs: readonly JobWork[] = [work(sampleJob, (kernel) => sampleHealth(kernel))];

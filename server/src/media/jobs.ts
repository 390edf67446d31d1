import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { forgetJob } from './media.ts';
import { forgetRemoved, sweepMedia } from './sweep.ts';

const sweepJob = job<object>('media.sweep', { cron: '23 * * * *' });

export const jobs: JobWork[] = [
  work(forgetJob, (kernel, _, signal) => forgetRemoved(kernel, signal)),
  work(sweepJob, (kernel) => sweepMedia(kernel)),
];

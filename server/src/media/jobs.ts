import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { purgeJob } from './removal.ts';
import { purgeRemoved, sweepMedia } from './sweep.ts';

const sweepJob = job<object>('media.sweep', { cron: '23 * * * *' });

export const jobs: JobWork[] = [
  work(purgeJob, (kernel, _, signal) => purgeRemoved(kernel, signal)),
  work(sweepJob, (kernel) => sweepMedia(kernel)),
];

import type { Implementation } from '../kernel/http/endpoint.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { exportJob, sweepExports } from './exports.ts';
import { runSchedules } from './schedules.ts';
import { resumeUploads, runUpload, uploadJob } from './uploads.ts';
import { writeExport } from './write.ts';

const scheduleJob = job<object>('exports.run_schedules', { cron: '1-59/5 * * * *', retry: 0, expire_seconds: 280 });
const resumeJob = job<object>('exports.resume_uploads', { cron: '* * * * *', retry: 0, expire_seconds: 55 });
const sweepJob = job<object>('exports.sweep', { cron: '*/5 * * * *' });

/** The lists are read through their routes. */
export const exportJobs = (routes: readonly Implementation[]): JobWork[] => [
  work(exportJob, (kernel, ids, signal) => writeExport(kernel, routes, ids, signal)),
  work(sweepJob, sweepExports),
  work(resumeJob, resumeUploads),
  work(uploadJob, runUpload),
  work(scheduleJob, (kernel, _, signal) => runSchedules(kernel, signal)),
];

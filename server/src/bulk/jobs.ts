import type { Implementation } from '../kernel/http/endpoint.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { bulkJob, sweepBulkJobs } from './bulk.ts';
import { runBulkJob } from './run.ts';

const sweepJob = job<object>('bulk_jobs.sweep', { cron: '*/5 * * * *' });

/** The rows are read and changed through their routes. */
export const bulkJobs = (routes: readonly Implementation[]): JobWork[] => [
  work(bulkJob, (kernel, ids, signal) => runBulkJob(kernel, routes, ids, signal)),
  work(sweepJob, sweepBulkJobs),
];

import { type JobWork, work } from '../kernel/jobs/jobs.ts';
import { logJob, logMessage } from './logs.ts';
import { runSync, syncJob } from './sync/run.ts';

export const jobs: readonly JobWork[] = [work(logJob, logMessage), work(syncJob, runSync)];

import { type JobWork, work } from '../kernel/jobs/jobs.ts';
import { logJob, logMessage } from './logs.ts';

export const jobs: readonly JobWork[] = [work(logJob, logMessage)];

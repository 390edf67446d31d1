import { type JobWork, work } from '../kernel/jobs.ts';
import { subscribe, subscribeJob } from './connections.ts';

export const jobs: JobWork[] = [work(subscribeJob, (kernel, { id }) => subscribe(kernel, id))];

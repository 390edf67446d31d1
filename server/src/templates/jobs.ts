import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { compareJob, remove, removeJob, resubmitStuck, submit, submitJob } from './carrier_review.ts';
import { compare, compareAll } from './compare.ts';
import { notify, notifyJob } from './settle.ts';

const hourly = job('templates.compare_all', { cron: '19 * * * *', retry: 1, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(submitJob, submit),
  work(removeJob, remove),
  work(notifyJob, notify),
  work(compareJob, async (kernel, { connection_id }) => void (await compare(kernel, connection_id))),
  work(hourly, async (kernel, _, signal) => {
    await resubmitStuck(kernel);
    await compareAll(kernel, signal);
  }),
];

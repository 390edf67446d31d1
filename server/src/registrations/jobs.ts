import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { eraseForms } from './erase.ts';
import { profileJob, pushProfile } from './profile.ts';

const eraseJob = job('senders.erase_forms', { cron: '43 3 * * *', retry: 2, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(profileJob, pushProfile),
  work(eraseJob, async (kernel, _, signal) => void (await eraseForms(kernel, signal))),
];

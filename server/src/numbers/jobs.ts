import { releaseNumbers as releaseJob } from '../accounts/accounts.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { releaseNumbers } from './release.ts';
import { renewNumbers } from './rentals.ts';

const renewJob = job('senders.renew_numbers', { cron: '7 * * * *', retry: 2, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(renewJob, async (kernel, _, signal) => {
    const { renewed, late, released } = await renewNumbers(kernel, signal);
    if (late + released > 0) kernel.log.warn({ renewed, late, released }, 'some rented numbers were not paid');
  }),
  work(releaseJob, async (kernel, { account_id }) => void (await releaseNumbers(kernel, account_id))),
];

import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { eraseClosed } from './erasure.ts';
import { writeTrialMails } from './trial.ts';

const trialMails = job('accounts.trial_mails', { cron: '7 * * * *', retry: 0, expire_seconds: 600 });
const eraseAccounts = job('accounts.erase', { cron: '23 3 * * *', retry: 2, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(trialMails, async (kernel) => void (await writeTrialMails(kernel))),
  work(eraseAccounts, async (kernel, _, signal) => void (await eraseClosed(kernel, signal))),
];

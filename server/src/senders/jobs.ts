import { releaseNumbers as releaseJob } from '../accounts/accounts.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { takeNews, tellJob } from './carrier/news.ts';
import { departJob, leaveCarrier, tidyCallbacks, tidyJob } from './carrier/deregistration.ts';
import { eraseForms } from '../registrations/erase.ts';
import { lookAllJob, lookAt, lookAtAll, lookJob } from './carrier/refresh.ts';
import { profileJob, pushProfile } from '../registrations/profile.ts';
import { releaseNumbers } from '../numbers/release.ts';
import { renewNumbers } from '../numbers/rentals.ts';

const renew = job('senders.renew_numbers', { cron: '7 * * * *', retry: 2, expire_seconds: 1_800 });

const erase = job('senders.erase_forms', { cron: '43 3 * * *', retry: 2, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(renew, async (kernel, _, signal) => {
    const { renewed, late, released } = await renewNumbers(kernel, signal);
    if (late + released > 0) kernel.log.warn({ renewed, late, released }, 'numbers whose rent was not paid');
  }),
  work(profileJob, pushProfile),
  work(departJob, leaveCarrier),
  work(tidyJob, async (kernel, _, signal) => void (await tidyCallbacks(kernel, signal))),
  work(tellJob, takeNews),
  work(lookJob, (kernel, { account_id, sender_id }) => lookAt(kernel, account_id, sender_id)),
  work(lookAllJob, async (kernel, _, signal) => void (await lookAtAll(kernel, signal))),
  work(releaseJob, async (kernel, { account_id }) => void (await releaseNumbers(kernel, account_id))),
  work(erase, async (kernel, _, signal) => void (await eraseForms(kernel, signal))),
];

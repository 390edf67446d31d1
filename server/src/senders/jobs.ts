import { type JobWork, work } from '../kernel/jobs/jobs.ts';
import { deregisterAtCarrier, deregisterJob, unsubscribeCallbacks, unsubscribeJob } from './carrier/deregistration.ts';
import { emailNews, newsEmailJob } from './carrier/news.ts';
import { refreshAllStates, refreshState, refreshStatesJob } from './carrier/refresh.ts';
import { refreshStateJob } from './carrier/refresh_job.ts';

export const jobs: readonly JobWork[] = [
  work(deregisterJob, deregisterAtCarrier),
  work(unsubscribeJob, async (kernel, _, signal) => void (await unsubscribeCallbacks(kernel, signal))),
  work(newsEmailJob, emailNews),
  work(refreshStateJob, (kernel, { account_id, sender_id }) => refreshState(kernel, account_id, sender_id)),
  work(refreshStatesJob, async (kernel, _, signal) => void (await refreshAllStates(kernel, signal))),
];

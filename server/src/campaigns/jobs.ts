import { sendingResumed } from '../billing/billing.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { startFanout } from './fanout/fanout.ts';
import { startImported } from './import.ts';
import { resumeOverdue } from './lifecycle/after_payment.ts';
import { cancelQueued, runCancelQueued } from './lifecycle/cancel.ts';
import { startSchedule } from './lifecycle/schedule.ts';
import { startLoop } from './model/loop.ts';
import { removeSets, runRemoveSets } from './model/reach.ts';
import { startProgress } from './progress/progress.ts';
import { startBreaker } from './safety/breaker.ts';
import { pruneTestCampaigns, runTestCampaign } from './test_run.ts';
import { testRun } from './test_run_job.ts';

const IMPORTS_MS = 1_000;

const prune = job('campaigns.prune_test_data', { cron: '41 3 * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: JobWork[] = [
  work(cancelQueued, runCancelQueued),
  work(removeSets, runRemoveSets),
  work(testRun, runTestCampaign),
  work(prune, ({ db }, _, signal) => pruneTestCampaigns(db, signal)),
  work(sendingResumed, (kernel, { account_id }) => resumeOverdue(kernel, account_id)),
];

/** Starts a worker's campaign loops. */
export function startCampaigns(kernel: Kernel): { stop(): Promise<void> } {
  const imported = startLoop(kernel, 'campaign imports', async () => {
    await startImported(kernel);
    return IMPORTS_MS;
  });
  const loops = [startSchedule(kernel), imported, startFanout(kernel), startProgress(kernel), startBreaker(kernel)];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

import { type JobWork, work } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { startFanout } from './fanout/fanout.ts';
import { cancelQueued, runCancelQueued } from './lifecycle/cancel.ts';
import { startSchedule } from './lifecycle/schedule.ts';
import { startProgress } from './progress/progress.ts';

export const jobs: JobWork[] = [work(cancelQueued, runCancelQueued)];

/** Starts a worker's campaign loops. */
export function startCampaigns(kernel: Kernel): { stop(): Promise<void> } {
  const loops = [startSchedule(kernel), startFanout(kernel), startProgress(kernel)];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

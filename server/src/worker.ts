/** Starts a worker's background work: the event sequencer and the modules' loops. Any number of workers may run. */
import type { Kernel } from './kernel/kernel.ts';
import { startSequencer } from './kernel/live/sequencer.ts';
import { LOOPS, type Loop } from './modules.ts';

export async function startWorker(kernel: Kernel): Promise<Loop> {
  const running: Loop[] = [startSequencer(kernel.db, (error) => kernel.log.error({ err: error }, 'sequencer'))];
  try {
    for (const start of LOOPS) running.push(await start(kernel));
  } catch (error) {
    for (const loop of running.reverse()) await loop.stop();
    throw error;
  }
  return {
    async stop() {
      for (const loop of running.reverse()) await loop.stop();
    },
  };
}

/**
 * Runs a worker loop, one round after another. Each round returns the length of the following pause, and a wake-up ends
 * the pause early. Errors are logged and followed by a pause.
 */
import type { Kernel } from '../../kernel/kernel.ts';

export interface Loop {
  wake(): void;
  stop(): Promise<void>;
}

const AFTER_ERROR_MS = 1_000;

/** `round` returns the length of the following pause in milliseconds. */
export function startLoop(kernel: Kernel, name: string, round: () => Promise<number>): Loop {
  let stopping = false;
  let woken = false;
  let endSleep: (() => void) | null = null;
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const running = (async () => {
    while (!stopping) {
      woken = false;
      let ms = 0;
      try {
        ms = await round();
      } catch (error) {
        ms = AFTER_ERROR_MS;
        kernel.log.error({ err: error }, name);
      }
      if (ms > 0 && !stopping && !woken) await sleep(ms);
    }
  })();
  return {
    wake() {
      woken = true;
      endSleep?.();
    },
    async stop() {
      stopping = true;
      endSleep?.();
      await running;
    },
  };
}

import type { Kernel } from '../../kernel/kernel.ts';

const EVERY_MS = 1_000;
/** Delays the next run, so that a flapping bind is not reported on every change. */
const SOON_MS = 100;

interface Ticker {
  /** Requests the next run before the second has passed. */
  soon(): void;
  stop(): Promise<void>;
}

/** Runs `run` every second, never twice at once. A failed run is logged and repeated a second later. */
export function everySecond(log: Kernel['log'], name: string, run: () => Promise<void>): Ticker {
  let stopped = false;
  let requested = false;
  let wake: () => void = () => {};
  const pause = (ms: number, until: () => boolean) =>
    new Promise<void>((resolve) => {
      if (until()) return resolve();
      const timer = setTimeout(resolve, ms);
      wake = () => {
        if (!until()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = (async () => {
    while (!stopped) {
      requested = false;
      await run().catch((error) => log.error({ err: error }, name));
      await pause(SOON_MS, () => stopped);
      await pause(EVERY_MS - SOON_MS, () => stopped || requested);
    }
  })();
  return {
    soon() {
      requested = true;
      wake();
    },
    async stop() {
      stopped = true;
      wake();
      await loop;
    },
  };
}

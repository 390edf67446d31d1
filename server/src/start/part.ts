/**
 * Keeps a part of Parley (database, server, sandbox) running. It restarts a part that ends, with increasing delays, and
 * gives up if the part cannot stay up. In the meantime, the remaining parts keep running. Stopping leaves no process
 * behind, even during a start.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Running {
  readonly pid: number;
  /** Resolves with a description of how the process ended. */
  readonly ended: Promise<string>;
  stop(force: boolean): Promise<void>;
}

/** Passed to the function that starts a part. */
export interface StartContext {
  /** Aborted when the start is canceled. The start then ends its process and rejects. */
  readonly signal: AbortSignal;
  /** Called as soon as the process exists, even before it is ready. */
  onSpawn(pid: number): void;
}

export type Launch = (context: StartContext) => Promise<Running>;

export interface Part {
  readonly name: string;
  readonly up: boolean;
  /** Resolves once the part is up. Rejects if it is stopped. */
  whenUp(): Promise<void>;
  stop(force: boolean): Promise<void>;
}

export interface Watch {
  say(line: string): void;
  /** Called for every process that is started. */
  recordPart(name: string, pid: number): void;
  giveUp(line: string): void;
  /** Aborted when Parley stops. */
  stopped: AbortSignal;
}

const DELAYS = [100, 500, 1_000, 2_000, 5_000, 10_000];
/** Parley gives up on a part if it ends this many times within this period. */
const MAX_ENDS = 8;
const WITHIN_MS = 120_000;

/**
 * Starts a part and resolves when it is up for the first time. If the first start fails, the caller reports it. `base`
 * is a part that this one cannot run without.
 */
export async function supervise(name: string, launch: Launch, watch: Watch, base?: Part): Promise<Part> {
  const stopRequest = new AbortController();
  const signal = AbortSignal.any([stopRequest.signal, watch.stopped]);
  const context: StartContext = { signal, onSpawn: (pid) => watch.recordPart(name, pid) };
  const stopping = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  stopping.catch(() => {});
  let current: Running | null = await launch(context);
  let ready = Promise.withResolvers<void>();
  ready.resolve();
  const ends: number[] = [];

  const restart = async (): Promise<void> => {
    const reason = current ? await current.ended : 'did not start';
    if (current) {
      ready = Promise.withResolvers<void>();
      ready.promise.catch(() => {});
    }
    current = null;
    if (signal.aborted) return;
    // If the part ends while its base is down, this does not count against the part.
    if (base?.up ?? true) ends.push(Date.now());
    const recent = ends.filter((at) => Date.now() - at < WITHIN_MS).length;
    if (recent >= MAX_ENDS) {
      watch.giveUp(
        `The ${name} ended ${recent} times within two minutes (last: ${reason}). Set LOG_LEVEL=debug to find out why.`,
      );
      return stopRequest.abort();
    }
    watch.say(`The ${name} ended (${reason}); restarting it`);
    await sleep(DELAYS[Math.min(Math.max(recent, 1), DELAYS.length) - 1], undefined, { signal });
    await Promise.race([base?.whenUp(), stopping]);
    try {
      current = await launch(context);
      ready.resolve();
      watch.say(`The ${name} is running again`);
    } catch (error) {
      if (!signal.aborted) watch.say(`The ${name} did not start: ${(error as Error).message}`);
    }
  };
  const watching = (async () => {
    while (!signal.aborted) await restart().catch(() => {});
    ready.reject(new Error('The part is being stopped'));
  })();

  return {
    name,
    get up() {
      return current !== null;
    },
    whenUp: () => ready.promise,
    async stop(force) {
      stopRequest.abort();
      const end = () => current?.stop(force || base?.up === false);
      await end();
      await watching;
      // The part may have come up again in the meantime.
      await end();
    },
  };
}

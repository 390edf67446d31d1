/**
 * A part of a running Parley (database, server, sandbox): started, watched, started again with growing pauses when it ends by itself, given up
 * when it cannot stay up. The others go on meanwhile. A stop leaves no process, also when it comes in the middle of a start.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface Running {
  readonly pid: number;
  /** Settles with how it ended, in words, whatever the reason. */
  readonly ended: Promise<string>;
  stop(force: boolean): Promise<void>;
}

/** What the start of a part is given. */
export interface Starting {
  /** Aborted when it is not wanted any more: the start then ends what it has begun, and rejects. */
  readonly signal: AbortSignal;
  /** To be told as soon as there is a process, ready or not. */
  spawned(pid: number): void;
}

export type Launch = (starting: Starting) => Promise<Running>;

export interface Part {
  readonly name: string;
  readonly up: boolean;
  /** Resolves when it is up, at once when it is; rejects when it is being stopped. */
  whenUp(): Promise<void>;
  stop(force: boolean): Promise<void>;
}

export interface Watch {
  say(line: string): void;
  /** Told of every process. */
  note(name: string, pid: number): void;
  giveUp(line: string): void;
  /** Aborted when everything is to stop. */
  stopped: AbortSignal;
}

const PAUSES = [100, 500, 1_000, 2_000, 5_000, 10_000];
/** A part that ends this often within this time will not come back by trying. */
const MOST_ENDS = 8;
const WITHIN_MS = 120_000;

/** Resolves when the part is up for the first time; a first start that fails is the caller's to tell. `base`: what it cannot run without. */
export async function keep(name: string, launch: Launch, watch: Watch, base?: Part): Promise<Part> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, watch.stopped]);
  const starting: Starting = { signal, spawned: (pid) => watch.note(name, pid) };
  const stopping = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  stopping.catch(() => {});
  let current: Running | null = await launch(starting);
  let there = Promise.withResolvers<void>();
  there.resolve();
  const ends: number[] = [];

  const again = async (): Promise<void> => {
    const how = current ? await current.ended : 'did not start';
    if (current) {
      there = Promise.withResolvers<void>();
      there.promise.catch(() => {});
    }
    current = null;
    if (signal.aborted) return;
    // Without what it leans on it cannot stay up, and nothing is wrong with it.
    if (base?.up ?? true) ends.push(Date.now());
    const recent = ends.filter((at) => Date.now() - at < WITHIN_MS).length;
    if (recent >= MOST_ENDS) {
      watch.giveUp(
        `The ${name} ended ${recent} times within two minutes (last: ${how}). Giving up; LOG_LEVEL=debug may tell more.`,
      );
      return leaving.abort();
    }
    watch.say(`The ${name} ended (${how}); starting it again`);
    await pause(PAUSES[Math.min(Math.max(recent, 1), PAUSES.length) - 1], undefined, { signal });
    await Promise.race([base?.whenUp(), stopping]);
    try {
      current = await launch(starting);
      there.resolve();
      watch.say(`The ${name} is back`);
    } catch (error) {
      if (!signal.aborted) watch.say(`The ${name} did not start: ${(error as Error).message}`);
    }
  };
  const watching = (async () => {
    while (!signal.aborted) await again().catch(() => {});
    there.reject(new Error('it is being stopped'));
  })();

  return {
    name,
    get up() {
      return current !== null;
    },
    whenUp: () => there.promise,
    async stop(force) {
      leaving.abort();
      const end = () => current?.stop(force || base?.up === false);
      await end();
      await watching;
      // One that came up in the very moment.
      await end();
    },
  };
}

/**
 * A part of a running Parley (database, server, sandbox): started, watched, started again with growing pauses when it ends by itself, given up
 * when it cannot stay up. The others go on meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface Running {
  readonly pid: number;
  /** Settles with how it ended, in words, whatever the reason. */
  readonly ended: Promise<string>;
  stop(force: boolean): Promise<void>;
}

export interface Part {
  readonly name: string;
  stop(force: boolean): Promise<void>;
}

export interface Watch {
  say(line: string): void;
  /** Told of every start. */
  note(name: string, pid: number): void;
  giveUp(line: string): void;
}

const PAUSES = [100, 500, 1_000, 2_000, 5_000, 10_000];
/** A part that ends this often within this time will not come back by trying. */
const MOST_ENDS = 8;
const WITHIN_MS = 120_000;

/** Resolves when the part is up for the first time; a first start that fails is the caller's to tell. */
export async function keep(name: string, launch: () => Promise<Running>, watch: Watch): Promise<Part> {
  let current: Running | null = await launch();
  watch.note(name, current.pid);
  let stopping = false;
  const ends: number[] = [];

  const watching = (async () => {
    while (!stopping) {
      const how = current ? await current.ended : 'did not start';
      current = null;
      if (stopping) return;
      const now = Date.now();
      ends.push(now);
      const recent = ends.filter((at) => now - at < WITHIN_MS).length;
      if (recent >= MOST_ENDS) {
        watch.giveUp(
          `The ${name} ended ${recent} times within two minutes (last: ${how}). Giving up; LOG_LEVEL=debug may tell more.`,
        );
        return;
      }
      watch.say(`The ${name} ended (${how}); starting it again`);
      await pause(PAUSES[Math.min(recent - 1, PAUSES.length - 1)]);
      if (stopping) return;
      try {
        current = await launch();
        watch.note(name, current.pid);
        watch.say(`The ${name} is back`);
      } catch (error) {
        watch.say(`The ${name} did not start: ${(error as Error).message}`);
      }
    }
  })();

  return {
    name,
    async stop(force) {
      stopping = true;
      await current?.stop(force);
      await Promise.race([watching, pause(100)]);
    },
  };
}

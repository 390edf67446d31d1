/** A worker as a process of its own, so that it can be killed. Nothing of it is imported. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { World } from './world.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface WorkerProcess {
  readonly pid: number;
  /** How it ended; waits for that. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  signal(name: NodeJS.Signals): void;
  /** Gracefully. */
  stop(): Promise<void>;
}

export async function startWorkerProcess(world: World, settings: Record<string, string> = {}): Promise<WorkerProcess> {
  const { METRICS_PORT: _, ...given } = world.settings;
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...given,
      ROLE: 'worker',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  await new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === '{"ready":true}') resolve();
      else if (process.env.TEST_LOG) console.log(line);
    });
    // One that dies before it is ready has been killed by its failpoint.
    void ended.then(() => resolve());
  });
  return {
    pid: child.pid!,
    ended,
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

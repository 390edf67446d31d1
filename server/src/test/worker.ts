/** Starts a worker as a separate process, so that tests can kill it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import type { World } from './world.ts';

export interface WorkerProcess {
  readonly pid: number;
  /** Resolves with the exit status. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  signal(name: NodeJS.Signals): void;
  /** Stops the worker gracefully. */
  stop(): Promise<void>;
}

export async function startWorkerProcess(world: World, settings: Record<string, string> = {}): Promise<WorkerProcess> {
  const { METRICS_PORT: _, ...inherited } = world.settings;
  const child = spawn(process.execPath, [inject('programs').server], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...inherited,
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
    // A worker that ends before it is ready was killed by its failpoint.
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

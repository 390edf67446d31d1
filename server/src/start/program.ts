/** A Node program of ours as a part: its own process group, its log lines read, ready when it says so, ended gently and then by force. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { end, signal as send } from '../kernel/process.ts';
import type { Running, Starting } from './part.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface ProgramOptions {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Called with every line of its output; true when the line says that it is up. */
  line(text: string): boolean;
  ready_ms?: number;
  stop_ms?: number;
}

export async function startProgram(options: ProgramOptions, { signal, spawned }: Starting): Promise<Running> {
  const child = spawn(process.execPath, options.args, {
    cwd: ROOT,
    env: { ...process.env, ...options.env },
    // Ctrl-C in the terminal is ours to pass on; the channel tells it when we are gone.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (child.pid !== undefined) spawned(child.pid);
  const said: string[] = [];
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, name) => resolve(name ? `killed by ${name}` : `exit code ${code}`));
  });
  const up = new Promise<void>((resolve) => {
    const take = (text: string) => {
      said.push(text);
      if (said.length > 20) said.shift();
      if (options.line(text)) resolve();
    };
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', take);
  });
  const stop = (force: boolean) => stopProgram(child, force, options.stop_ms ?? 20_000);
  await readyInTime(up, ended, signal, said, options.ready_ms ?? 60_000).catch(async (error) => {
    await stop(true);
    throw error;
  });
  return { pid: child.pid!, ended, stop };
}

async function readyInTime(
  up: Promise<void>,
  ended: Promise<string>,
  signal: AbortSignal,
  said: readonly string[],
  ms: number,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`not ready after ${ms / 1000} s`), ms);
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    if (signal.aborted) resolve('stopped');
  });
  const wrong = await Promise.race([up, ended, late]);
  clearTimeout(timer);
  signal.throwIfAborted();
  if (typeof wrong !== 'string') return;
  // The output may come a moment after the end.
  await new Promise((resolve) => setTimeout(resolve, 50));
  throw new Error(whyOf(said) ?? wrong);
}

/** The line a person can act on: what a program prints last before it gives up. */
function whyOf(said: readonly string[]): string | null {
  for (const line of said.toReversed()) {
    if (line.startsWith('{')) {
      const { level, msg, err } = JSON.parse(line) as { level?: string; msg?: string; err?: { message?: string } };
      if (level === 'fatal' || level === 'error') return err?.message ? `${msg}: ${err.message}` : (msg ?? null);
    }
  }
  return said.findLast((line) => /error/i.test(line)) ?? said.at(-1) ?? null;
}

async function stopProgram(child: ChildProcess, force: boolean, ms: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  if (force) {
    send(child.pid, 'SIGKILL');
    await end(child.pid, [['SIGKILL', 2_000]]);
    return;
  }
  await end(child.pid, [
    ['SIGTERM', ms],
    ['SIGKILL', 2_000],
  ]);
}

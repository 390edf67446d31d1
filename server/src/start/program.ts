/**
 * Runs a Node program as a part, in its own process group, and reads its log lines. The program is stopped gracefully
 * first and then killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { end, signal as send } from '../kernel/process.ts';
import type { Running, StartContext } from './part.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface ProgramOptions {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Called with every output line. Returns true if the line reports that the program is ready. */
  line(text: string): boolean;
  ready_ms?: number;
  /** The program sends the message `alive` every second. It is killed if no message arrives for this long. */
  watchdog_ms?: number;
  stop_ms?: number;
}

export async function startProgram(options: ProgramOptions, { signal, onSpawn }: StartContext): Promise<Running> {
  const child = spawn(process.execPath, options.args, {
    cwd: ROOT,
    env: { ...process.env, ...options.env },
    // This process forwards Ctrl-C. The channel tells the program when this process ends.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (child.pid !== undefined) onSpawn(child.pid);
  const output: string[] = [];
  let hung: string | null = null;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, name) => resolve(hung ?? (name ? `killed by ${name}` : `exit code ${code}`)));
  });
  const up = new Promise<void>((resolve) => {
    const onLine = (text: string) => {
      output.push(text);
      if (output.length > 20) output.shift();
      if (options.line(text)) resolve();
    };
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', onLine);
  });
  const stop = (force: boolean) => stopProgram(child, force, options.stop_ms ?? 20_000);
  await waitUntilReady(up, ended, signal, output, options.ready_ms ?? 60_000).catch(async (error) => {
    await stop(true);
    throw error;
  });
  if (options.watchdog_ms)
    watchSigns(child, options.watchdog_ms, () => {
      hung = `it did not respond for ${options.watchdog_ms! / 1_000} s`;
      send(child.pid!, 'SIGKILL');
    });
  return { pid: child.pid!, ended, stop };
}

/**
 * Calls back if the child sends no `alive` message for too long because its event loop is blocked. Counts ticks instead
 * of time, so that the time in which the machine is suspended does not count.
 */
function watchSigns(child: ChildProcess, ms: number, onHang: () => void): void {
  const tick_ms = 1_000;
  let silent = 0;
  const timer = setInterval(() => {
    silent += tick_ms;
    if (silent < ms) return;
    clearInterval(timer);
    onHang();
  }, tick_ms);
  child.on('message', (message) => {
    if (message === 'alive') silent = 0;
  });
  child.once('exit', () => clearInterval(timer));
}

async function waitUntilReady(
  up: Promise<void>,
  ended: Promise<string>,
  signal: AbortSignal,
  output: readonly string[],
  ms: number,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`not ready after ${ms / 1000} s`), ms);
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    if (signal.aborted) resolve('stopped');
  });
  const problem = await Promise.race([up, ended, timeout]);
  clearTimeout(timer);
  signal.throwIfAborted();
  if (typeof problem !== 'string') return;
  // Output may still arrive shortly after the process ends.
  await new Promise((resolve) => setTimeout(resolve, 50));
  throw new Error(findReason(output) ?? problem);
}

/** Returns the line that explains the failure, which is the last error that the program printed. */
function findReason(output: readonly string[]): string | null {
  for (const line of output.toReversed()) {
    if (line.startsWith('{')) {
      const { level, msg, err } = JSON.parse(line) as { level?: string; msg?: string; err?: { message?: string } };
      if (level === 'fatal' || level === 'error') return err?.message ? `${msg}: ${err.message}` : (msg ?? null);
    }
  }
  return output.findLast((line) => /error/i.test(line)) ?? output.at(-1) ?? null;
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

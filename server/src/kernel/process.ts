/**
 * Checks whether other processes on this machine are alive, and ends them. A pid alone does not identify a process,
 * because pids are reused.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // A zombie has ended, but its parent has not collected it.
  return readStat(pid)?.state !== 'Z';
}

interface Stat {
  state: string;
  started: string;
}

function readStat(pid: number): Stat | null {
  if (process.platform === 'linux') {
    try {
      // The name in parentheses may contain any characters, so fields are counted from the last parenthesis. See
      // proc(5), fields 3 (state) and 22 (start).
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return { state: fields[0]!, started: fields[19]! };
    } catch {
      return null;
    }
  }
  try {
    const text = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [state = '', ...started] = text.split(/\s+/);
    return { state: state[0] ?? '', started: started.join(' ') };
  } catch {
    return null;
  }
}

/** Returns a process's start time in the machine's own format. Together with the pid, it identifies one process. */
export function processStart(pid: number): string | null {
  const stat = readStat(pid);
  // An ended process keeps its pid until its parent collects it, which may never happen in a container.
  return stat && stat.state !== 'Z' ? stat.started : null;
}

export function processCommand(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0/g, ' ').trim();
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

export async function hasEnded(pid: number, within_ms: number): Promise<boolean> {
  for (const until = Date.now() + within_ms; Date.now() < until; await pause(20)) if (!isAlive(pid)) return true;
  return !isAlive(pid);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}

/**
 * Sends the signals one after another, and waits up to a time limit after each. Returns true if the process has ended.
 */
export async function end(pid: number, steps: readonly (readonly [NodeJS.Signals, number])[]): Promise<boolean> {
  for (const [name, within_ms] of steps) {
    signal(pid, name);
    if (await hasEnded(pid, within_ms)) return true;
  }
  return false;
}

/** Runs a complete Parley in an empty folder with `node start.mjs`, as a new user would, and removes it afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePorts, isFree } from './ports.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The time limit for startup, which may include installing and building. */
const UP_MS = 240_000;
const DOWN_MS = 60_000;

export interface Parley {
  app: string;
  admin: string;
  sandbox: string;
  data_dir: string;
  stop(): Promise<void>;
}

export async function startParley(log: string): Promise<Parley> {
  const ports = await freePorts();
  const data_dir = mkdtempSync(join(tmpdir(), 'parley-e2e-'));
  mkdirSync(dirname(log), { recursive: true });
  const output = createWriteStream(log);
  const supervisor = spawn(process.execPath, [join(ROOT, 'e2e/system/keeper.ts')], {
    cwd: ROOT,
    env: {
      ...cleanEnvironment(),
      PORT: String(ports.app),
      SANDBOX_PORT: String(ports.sandbox),
      DATA_DIR: data_dir,
      DEMO_HISTORY: 'no',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  const ready = new Promise<void>((resolve) => {
    for (const stream of [supervisor.stdout!, supervisor.stderr!])
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        output.write(`${line}\n`);
        if (/Parley is up after/.test(line)) resolve();
      });
  });
  const stop = async () => {
    const pids = readParts(data_dir).map(({ pid }) => pid);
    await end(supervisor);
    const survivors = pids.filter(isAlive);
    for (const pid of survivors) process.kill(pid, 'SIGKILL');
    const free = await Promise.all([ports.app, ports.sandbox].map(isFree));
    output.end();
    rmSync(data_dir, { recursive: true, force: true });
    if (survivors.length > 0) throw new Error(`Parley was stopped but ${survivors.length} processes are still running`);
    if (!free.every(Boolean)) throw new Error('Parley was stopped but its ports are still in use');
  };
  const problem = await Promise.race([
    ready,
    waitForExit(supervisor).then(() => 'it has ended'),
    new Promise<string>((resolve) => setTimeout(() => resolve('it took too long'), UP_MS).unref()),
  ]);
  if (typeof problem === 'string') {
    await stop().catch(() => {});
    throw new Error(`Parley did not start, ${problem}:\n${lines.slice(-20).join('\n')}`);
  }
  return {
    app: `http://localhost:${ports.app}`,
    admin: `http://admin.localhost:${ports.app}`,
    sandbox: `http://localhost:${ports.sandbox}`,
    data_dir,
    stop,
  };
}

/** Reads the process IDs that a running Parley recorded for its database, sandbox, and server. */
export function readParts(data_dir: string): { name: string; pid: number }[] {
  try {
    return (
      JSON.parse(readFileSync(join(data_dir, 'running.json'), 'utf8')) as { parts: { name: string; pid: number }[] }
    ).parts;
  } catch {
    return [];
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie process is not alive.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The environment for the Parley under test, without settings from the shell that runs the tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inheritedNames = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TMPDIR', 'SHELL', 'NODE_COMPILE_CACHE'];
  const npm = Object.keys(process.env).filter((name) => /^npm_/i.test(name));
  return Object.fromEntries([...inheritedNames, ...npm].map((name) => [name, process.env[name]]));
}

async function end(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  supervisor.kill('SIGTERM');
  const timer = setTimeout(() => supervisor.kill('SIGKILL'), DOWN_MS);
  await waitForExit(supervisor);
  clearTimeout(timer);
}

const waitForExit = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

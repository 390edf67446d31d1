/**
 * The environment for the benchmarks: embedded PostgreSQL, the sandbox, and the server, as separate processes on
 * loopback. Their CPU time is read from the operating system.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKernel } from '@parley/server/src/app.ts';
import { migrate } from '@parley/server/src/kernel/db/migrate.ts';
import type { Kernel } from '@parley/server/src/kernel/kernel.ts';
import { loadConfig } from '@parley/server/src/kernel/settings/config.ts';
import { type Embedded, startEmbedded } from '@parley/server/src/start/postgres/embedded.ts';
import { freePort, type SandboxProcess, startSandbox } from '@parley/server/src/test/world.ts';

const SERVER = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const SANDBOX = fileURLToPath(new URL('../sandbox/src/main.ts', import.meta.url));

export interface Rig {
  readonly kernel: Kernel;
  readonly url: string;
  readonly sandbox: SandboxProcess;
  readonly postgres: Embedded;
  readonly server_pid: number;
  /** CPU seconds used so far by the server, or by the program with this process ID, and all PostgreSQL processes. */
  cpuSeconds(program?: number): Promise<number>;
  /** Starts another server on the same database, with other settings. */
  startServer(settings: Record<string, string>): Promise<{ url: string; process: ChildProcess }>;
  stop(): Promise<void>;
}

export async function startRig(more: Readonly<Record<string, string>> = {}): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  // As in production, fsync is on and commits are durable.
  const postgres = await startEmbedded({ folder });
  await migrate(postgres.url);
  const sandbox = await startSandbox(join(folder, 'sandbox'), SANDBOX);
  const settings = {
    MODE: 'test',
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    ROLE: 'all',
    LOG_LEVEL: 'error',
    REQUESTS_PER_SECOND: '1000000',
    CONNECTIONS_PER_ADDRESS: '20000',
    STREAMS_PER_USER: '1000',
    // Receivers of webhooks run on this machine.
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    ...more,
  };
  const kernel = await createKernel(loadConfig(settings), { url: postgres.url });
  const url = `http://127.0.0.1:${settings.PORT}`;
  const profile = process.env.BENCH_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [];
  const server = spawn(process.execPath, [...profile, SERVER], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const pid of [server.pid!, sandbox.pid, postgres.pid]) children.add(pid);
  await waitUntilReady(url, server);
  return {
    kernel,
    url,
    sandbox,
    postgres,
    server_pid: server.pid!,
    async cpuSeconds(program = server.pid!) {
      const serverSeconds = await readCpuSeconds(program);
      const database = await Promise.all((await listProcessTree(postgres.pid)).map(readCpuSeconds));
      return serverSeconds + database.reduce((sum, seconds) => sum + seconds, 0);
    },
    async startServer(more) {
      const port = String(await freePort());
      const process_settings = { ...process.env, ...settings, PORT: port, ...more };
      const other = spawn(process.execPath, [SERVER], {
        env: process_settings,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      children.add(other.pid!);
      const other_url = `http://127.0.0.1:${port}`;
      await waitUntilReady(other_url, other);
      return { url: other_url, process: other };
    },
    async stop() {
      await kernel.db.close();
      await stopProcess(server, 'SIGTERM');
      await sandbox.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// A canceled benchmark must not leave processes running.
const children = new Set<number>();
const killChildren = () => {
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
  }
};
process.on('exit', killChildren);
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(1));

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    if (server.exitCode !== null) throw new Error('the server stopped while starting');
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server did not become ready');
}

export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals, grace_ms = 10_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), grace_ms);
  await exit;
  clearTimeout(timer);
}

const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Reads the user and system CPU seconds of a process and of its children that have exited. */
export async function readCpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks || 0), 0) / TICKS;
}

async function listProcessTree(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const tree = [root];
  for (const [pid, parent] of parents) if (parent === root) tree.push(pid);
  return tree;
}

export const secondsSince = (start: number): number => (performance.now() - start) / 1000;
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
export const percentile = (values: readonly number[], p: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil((p / 100) * values.length) - 1)] ??
  Number.NaN;

/** A row of the report: Parley's figure, the baseline, their ratio, and whether the target is met. */
export interface Result {
  name: string;
  parley: string;
  baseline: string;
  ratio: string;
  target: string;
  met: boolean;
}

export async function until(
  condition: string,
  check: () => Promise<boolean>,
  ms: number,
  every_ms = 50,
): Promise<void> {
  const end = performance.now() + ms;
  while (!(await check())) {
    if (performance.now() > end) throw new Error(`timed out after ${ms / 1000} s: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, every_ms));
  }
}

interface Api {
  get(path: string): Promise<{ status: number; body: { data: unknown } }>;
  post(path: string, data: unknown): Promise<{ status: number; body: { data: unknown } }>;
}

export function api(url: string, token: string): Api {
  const call = async (path: string, init: RequestInit) => {
    const response = await fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
    });
    const body = (await response.json()) as { data: unknown };
    if (!response.ok) throw new Error(`${path} -> ${response.status} ${JSON.stringify(body)}`);
    return { status: response.status, body };
  };
  return {
    get: (path) => call(path, {}),
    post: (path, data) =>
      call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data }) }),
  };
}

/**
 * Creates a client that keeps one connection open and avoids the overhead of fetch so that differences of milliseconds
 * can be measured.
 */
export function createClient(url: string, token: string): { get(path: string): Promise<unknown>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        request(url + path, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () => {
            if (response.statusCode === 200) resolve(JSON.parse(Buffer.concat(parts).toString()));
            else reject(new Error(`${path} -> ${response.statusCode}`));
          });
        })
          .on('error', reject)
          .end();
      }),
    close: () => agent.destroy(),
  };
}

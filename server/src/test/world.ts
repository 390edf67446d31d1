/**
 * A complete Parley for one test file: its own database, the real app on a free port, and optionally the real sandbox.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import { type App, createKernel, startApp } from '../app.ts';
import { hashCheaplyInTests } from '../auth/passwords/passwords.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Finding } from '../kernel/db/check.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { loadConfig } from '../kernel/settings/config.ts';
import { cloneDatabase } from './database/clone.ts';
import { watchStop } from './database/slow_stop.ts';
import { freePort } from './ports.ts';

export { freePort };

export interface WorldOptions {
  /** With `none`, only a kernel is created, without HTTP, jobs, or loops, for tests that call operations directly. */
  role?: 'all' | 'api' | 'worker' | 'none';
  sandbox?: boolean;
  clock?: Clock;
  settings?: Record<string, string>;
  /** Returns alternative connection settings for the database with this URL. */
  connect?: (url: string) => Promise<Record<string, string>>;
}

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
  body: any;
  text: string;
}

export interface Caller {
  get(path: string): Promise<Reply>;
  post(path: string, data?: unknown, headers?: Record<string, string>): Promise<Reply>;
  put(path: string, data?: unknown): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  upload(
    path: string,
    fields: Record<string, string>,
    file: { name: string; bytes: Uint8Array | string },
  ): Promise<Reply>;
  /** Sends an arbitrary request. */
  raw(path: string, init: RequestInit): Promise<Reply>;
}

export interface World {
  readonly kernel: Kernel;
  readonly app: App | null;
  readonly url: string;
  readonly database_url: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly sandbox: SandboxProcess | null;
  /** Returns a caller with a bearer token, with `{ key }` for an API key, or signed out. */
  as(who?: string | { key: string }): Caller;
  /** Runs all consistency checks on the database. */
  examine(): Promise<Finding[]>;
  stop(): Promise<void>;
}

/**
 * Returns a clock that starts at noon UTC on the 15th of this month and runs as fast as the real one. Tests of daily
 * and monthly rules use it, because the real clock can reach another day or month during a test.
 */
export function midMonthClock(): Clock {
  const today = new Date();
  const ahead = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 15, 12) - today.getTime();
  return { now: () => new Date(Date.now() + ahead) };
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  hashCheaplyInTests();
  const clone = await cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'parley-world-'));
  const sandbox = options.sandbox ? await startSandbox(join(folder, 'sandbox')) : null;
  const role = options.role ?? 'all';
  const settings: Record<string, string> = {
    MODE: 'test',
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: folder,
    DATABASE_URL: clone.url,
    ROLE: role === 'none' ? 'all' : role,
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    REQUESTS_PER_SECOND: '100000',
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    ...(sandbox ? { SMTP_URL: `smtp://127.0.0.1:${sandbox.smtp}` } : {}),
    ...options.settings,
    ...(await options.connect?.(clone.url)),
  };
  const config = loadConfig(settings);
  const kernel = await createKernel(config, {
    url: config.DATABASE_URL!,
    ...(options.clock ? { clock: options.clock } : {}),
  });
  const app = role === 'none' ? null : await startApp(kernel);
  const url = `http://127.0.0.1:${config.PORT}`;
  return {
    kernel,
    app,
    url,
    database_url: clone.url,
    settings,
    sandbox,
    as: (who) => createCaller(url, who),
    async examine() {
      const { examine } = await import('../doctor/doctor.ts');
      const findings = await examine(kernel.db);
      // Only a worker assigns event positions. Without a worker, events would wait too long for check E2.
      return role === 'none' || role === 'api' ? findings.filter(({ id }) => id !== 'E2') : findings;
    },
    async stop() {
      await watchStop('the app', clone.url, app ? app.stop() : kernel.db.close());
      await watchStop('the sandbox', clone.url, sandbox?.stop());
      await watchStop('dropping the database', clone.url, clone.drop());
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createCaller(url: string, who?: string | { key: string }): Caller {
  const auth: Record<string, string> =
    who === undefined ? {} : typeof who === 'string' ? { authorization: `Bearer ${who}` } : { 'x-api-key': who.key };
  const raw = async (path: string, init: RequestInit): Promise<Reply> => {
    const response = await fetch(url + path, {
      ...init,
      headers: { ...auth, ...(init.headers as Record<string, string>) },
    });
    const text = await response.text();
    let body: unknown = null;
    try {
      body = text ? JSON.parse(text) : null;
    } catch {
      // The body is not JSON and is available only as `text`.
    }
    return { status: response.status, headers: response.headers, body, text };
  };
  const withData =
    (method: string) =>
    (path: string, data?: unknown, headers: Record<string, string> = {}) =>
      raw(path, {
        method,
        headers: { ...(data === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
      });
  return {
    raw,
    get: (path) => raw(path, {}),
    post: withData('POST'),
    put: withData('PUT'),
    delete: (path) => raw(path, { method: 'DELETE' }),
    upload(path, fields, file) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append(
        'file',
        new Blob([typeof file.bytes === 'string' ? file.bytes : new Uint8Array(file.bytes)]),
        file.name,
      );
      return raw(path, { method: 'POST', body: form });
    },
  };
}

export interface SandboxProcess {
  readonly http: number;
  readonly smpp: number;
  readonly smpp_tls: number;
  readonly smtp: number;
  readonly url: string;
  readonly pid: number;
  /** Kills the process and starts a new one with the same ports and data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the sandbox as a separate process. `program` is its file. */
export async function startSandbox(
  folder: string,
  program: string = inject('programs').sandbox,
): Promise<SandboxProcess> {
  let child: ChildProcess;
  const start = async (ports: Record<string, string>) => {
    child = spawn(process.execPath, [program], {
      env: { ...process.env, SANDBOX_DATA_DIR: folder, ...ports },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout! })) {
      const ready = JSON.parse(line) as { http: number; smpp: number; smpp_tls: number; smtp: number };
      child.stdout!.resume();
      return ready;
    }
    throw new Error('the sandbox did not start');
  };
  const names = {
    http: 'SANDBOX_PORT',
    smpp: 'SANDBOX_SMPP_PORT',
    smpp_tls: 'SANDBOX_SMPP_TLS_PORT',
    smtp: 'SANDBOX_SMTP_PORT',
  };
  const ports = await start(Object.fromEntries(Object.values(names).map((name) => [name, '0'])));
  const ended = () =>
    new Promise<void>((resolve) =>
      child.exitCode === null && child.signalCode === null ? child.once('exit', () => resolve()) : resolve(),
    );
  return {
    ...ports,
    url: `http://127.0.0.1:${ports.http}`,
    get pid() {
      return child.pid!;
    },
    async crash() {
      child.kill('SIGKILL');
      await ended();
      await start(
        Object.fromEntries(
          Object.entries(names).map(([key, name]) => [name, String(ports[key as keyof typeof ports])]),
        ),
      );
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await ended();
      clearTimeout(timer);
    },
  };
}

/**
 * Time limit for updates that should be prompt: shorter than a stream's heartbeat and long enough for a busy machine.
 */
export const PROMPT_MS = 8_000;

/** Waits until the check returns true, up to a time limit. `condition` names it in the error. */
export async function until(condition: string, check: () => Promise<boolean> | boolean, ms = 60_000): Promise<void> {
  const start = Date.now();
  for (;;) {
    if (await check()) return;
    const waited = Date.now() - start;
    if (waited > ms) throw new Error(`timed out after ${ms} ms: ${condition}`);
    // A long wait checks less often, because checks take time from the work that they wait for.
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(waited / 10, 10), 250)));
  }
}

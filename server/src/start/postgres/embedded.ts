/**
 * The embedded PostgreSQL server: created once in a folder, then started, checked, and stopped. It listens only on a
 * Unix socket, so it uses no port and other machines cannot reach it. It survives being killed at any point: a
 * postmaster that has outlived its parent is stopped first, and an interrupted initdb is repeated.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { end } from '../../kernel/process.ts';
import { readKeptSecret } from '../../kernel/security/secrets.ts';
import { type PostgresAccount, postgresAccount } from './postgres_account.ts';
import {
  createCluster,
  endPostmaster,
  findBinaries,
  postgresEnv,
  runningPostmaster,
  socketFolder,
  socketPath,
} from './postgres_cluster.ts';

export interface Embedded {
  /** URL of the database `parley`, connecting as its owner, who is not a superuser. */
  url: string;
  /** URL for the superuser `postgres`, for statements that the owner may not run. */
  superuser_url: string;
  pid: number;
  /** Resolves with the reason when the postmaster has ended. */
  ended: Promise<string>;
  /** Requests a fast shutdown, which rolls back open transactions. If that takes too long, the server is killed. */
  stop(): Promise<void>;
  /** Ends the server immediately. The next start runs crash recovery. */
  abort(): Promise<void>;
}

interface EmbeddedOptions {
  /** DATA_DIR. The database uses its subfolder `postgres`. */
  folder: string;
  /** Used in tests, where the data does not have to survive a machine crash. */
  throwaway?: boolean;
  /** PostgreSQL settings that override the defaults. */
  settings?: Readonly<Record<string, string>>;
  /** Called if crash recovery delays the start. */
  onWait?: (line: string) => void;
  /** Called with the process id even before the server is ready. */
  onSpawn?: (pid: number) => void;
  /** Aborting it cancels the start: started processes are ended, and the promise rejects. */
  signal?: AbortSignal;
}

// Tuned for a machine with 2 cores and at least 2 GB of memory. Acknowledged work is on disk (synchronous_commit).
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  wal_buffers: '16MB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  autovacuum_naptime: '15s',
  autovacuum_vacuum_cost_limit: '2000',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
};
const THROWAWAY = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '128MB',
  max_wal_size: '256MB',
  // The password protects nothing here, and checking it would cost 4 ms of processor time per connection.
  scram_iterations: '1',
  // Informs the doctor that the settings above are intentional.
  'parley.throwaway': 'on',
  // Several test files run at once, each with at least one Parley.
  max_connections: '400',
};

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { folder } = options;
  const data = join(folder, 'postgres');
  const native = await findBinaries();
  mkdirSync(folder, { recursive: true });
  // Lets the unprivileged account that runs PostgreSQL pass through the folder. Secrets in the folder are readable only
  // by their owner.
  if (process.getuid?.() === 0) chmodSync(folder, (statSync(folder).mode & 0o777) | 0o011);
  const account = postgresAccount(data, [
    join(native, 'bin/postgres'),
    join(native, 'share/postgresql/postgres.bki'),
    folder,
  ]);
  const password = await readKeptSecret(folder, 'postgres-password');
  await endPostmaster(data);
  await createCluster(data, native, account, password, options.throwaway ?? false);
  const sockets = socketFolder(folder, account);
  const log = logFile(folder);

  const settings = {
    ...SETTINGS,
    ...(options.throwaway ? THROWAWAY : {}),
    ...options.settings,
    unix_socket_directories: sockets,
  };
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const urls = addresses(sockets, password);
  for (let attempt = 1; ; attempt++) {
    const from = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    const child = launch(join(native, 'bin/postgres'), args, account, log);
    const ended = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : `exit code ${code}`));
      child.once('error', (error) => resolve(error.message));
    });
    const pid = child.pid ?? 0;
    if (pid > 0) options.onSpawn?.(pid);
    try {
      if (await waitUntilReady(child, urls.superuser_url, options)) {
        await prepare(urls.superuser_url, password);
        const abort = () => stop(pid, ended, ABORT);
        return { ...urls, pid, ended, stop: () => stop(pid, ended), abort };
      }
    } catch (error) {
      await stop(pid, ended, options.signal?.aborted ? ABORT : STOP);
      throw error;
    }
    const failure = lastError(log, from);
    // Child processes of a killed postmaster hold its shared memory for a moment.
    if (attempt < 40 && /pre-existing shared memory|another server might be running/.test(failure)) await pause(250);
    else throw new Error(`PostgreSQL did not start: ${failure || `see ${log}`}`);
  }
}

function addresses(sockets: string, password: string): { url: string; superuser_url: string } {
  const url = (user: string, database: string) =>
    `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(sockets)}`;
  return { url: url('parley', 'parley'), superuser_url: url('postgres', 'postgres') };
}

/** Returns the URL of the server that runs in this folder, or null if none is running. */
export async function findRunningEmbedded(folder: string): Promise<string | null> {
  if (!runningPostmaster(join(folder, 'postgres'))) return null;
  return addresses(socketPath(folder), await readKeptSecret(folder, 'postgres-password')).url;
}

type Steps = Parameters<typeof end>[1];
const STOP: Steps = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];
const ABORT: Steps = STOP.slice(1);

async function stop(pid: number, ended: Promise<string>, steps = STOP): Promise<void> {
  if (pid > 0) await Promise.race([ended, end(pid, steps)]);
}

function logFile(folder: string): string {
  const path = join(folder, 'postgres.log');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000) renameSync(path, `${path}.1`);
  return path;
}

function launch(program: string, args: readonly string[], account: PostgresAccount, log: string): ChildProcess {
  const output = openSync(log, 'a', 0o600);
  try {
    const start = account.command(program, args);
    // Runs in its own session, so that Ctrl-C in the terminal reaches Parley but not the database.
    return spawn(start.file, start.args, {
      ...start.options,
      cwd: '/',
      env: postgresEnv(),
      detached: true,
      stdio: ['ignore', output, output],
    });
  } finally {
    closeSync(output);
  }
}

async function waitUntilReady(child: ChildProcess, url: string, { onWait, signal }: EmbeddedOptions): Promise<boolean> {
  let has_ended = false;
  child.once('exit', () => {
    has_ended = true;
  });
  child.once('error', () => {
    has_ended = true;
  });
  const began = Date.now();
  let is_reported = false;
  while (!has_ended) {
    signal?.throwIfAborted();
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === '28P01')
        throw new Error('the password in DATA_DIR does not match the database: restore the copy from your backup');
    } finally {
      await client.end().catch(() => {});
    }
    if (!is_reported && Date.now() - began > 3_000) {
      is_reported = true;
      onWait?.('PostgreSQL is recovering from an unclean shutdown');
    }
    await pause(25);
  }
  return false;
}

function lastError(log: string, from: number): string {
  const lines = readFileSync(log).subarray(from).toString('utf8').trim().split('\n');
  const line = lines.filter((text) => /FATAL|PANIC|ERROR/.test(text)).at(-1) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '');
}

async function prepare(url: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount: roles } = await client.query(`select from pg_roles where rolname = 'parley'`);
    if (!roles) await client.query(`create role parley login createdb password ${client.escapeLiteral(password)}`);
    const { rowCount: databases } = await client.query(`select from pg_database where datname = 'parley'`);
    if (!databases) await client.query('create database parley owner parley');
  } finally {
    await client.end();
  }
}

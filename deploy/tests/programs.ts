/** Runs programs of a deployment in the foreground without root privileges, and stops them after the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresAccount } from '../../server/src/start/postgres/postgres_account.ts';

export interface Programs {
  readonly folder: string;
  /** Writes a file that the programs can read, and returns its path. */
  write(name: string, text: string): Promise<string>;
  start(command: string, args: readonly string[], env?: Record<string, string>): ChildProcess;
  /** Returns the end of the output of all programs. */
  log(): string;
  stop(): Promise<void>;
}

const LOG_LENGTH = 20_000;

export async function openPrograms(): Promise<Programs> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-deploy-'));
  const { ids } = postgresAccount(folder, []);
  const own = async (path: string) => {
    if (ids) await chown(path, ids.uid, ids.gid);
  };
  await own(folder);
  const children = new Set<ChildProcess>();
  let log = '';
  return {
    folder,
    async write(name, text) {
      const path = join(folder, name);
      await writeFile(path, text, { mode: 0o600 });
      await own(path);
      return path;
    },
    start(command, args, env = {}) {
      const child = spawn(command, args, {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: folder, LANG: 'C.UTF-8', ...env },
        ...ids,
      });
      children.add(child);
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          log = `${log}${chunk}`.slice(-LOG_LENGTH);
        });
      }
      child.once('error', (error) => {
        log += `${command}: ${error.message}\n`;
      });
      child.once('exit', () => children.delete(child));
      return child;
    },
    log: () => log,
    async stop() {
      const ended = [...children].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of children) child.kill('SIGTERM');
      const timer = setTimeout(() => {
        for (const child of children) child.kill('SIGKILL');
      }, 10_000);
      await Promise.all(ended);
      clearTimeout(timer);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

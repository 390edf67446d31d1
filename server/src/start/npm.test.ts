/** Tests that `npm run serve` stops when npm alone is killed, restarts a hung server, and notifies systemd. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive, signal } from '../kernel/process.ts';
import { ROOT } from './program.ts';

let folder: string;
let npm: ChildProcess;
let output = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-npm-'));
  // Replaces systemd-notify and records its messages.
  await writeFile(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> '${folder}/messages'\n`);
  // A shell that waits for the command and outlives npm, as some shells do.
  await writeFile(join(folder, 'shell'), '#!/bin/sh\n/bin/sh "$@"\nexit $?\n');
  for (const name of ['systemd-notify', 'shell']) await chmod(join(folder, name), 0o755);
});
afterAll(async () => {
  for (const { pid } of await listProcesses()) signal(pid, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function serve(): void {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|NODE_OPTIONS|DATABASE_URL|npm_)/.test(name)),
  );
  output = '';
  npm = spawn('npm', ['run', 'serve'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...inherited,
      PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter),
      ROLE: 'worker',
      DATABASE_URL: 'embedded',
      DATA_DIR: join(folder, 'data'),
      PUBLIC_URL: 'https://messages.example.com',
      npm_config_script_shell: join(folder, 'shell'),
      WATCHDOG_SECONDS: '5',
      NOTIFY_SOCKET: join(folder, 'notify'),
      WATCHDOG_USEC: '900000',
    },
  });
  npm.stdout!.on('data', (chunk) => {
    output += String(chunk);
  });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function waitFor(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(50)) if (await condition()) return;
  throw new Error(`${what} did not happen: ${output}`);
}

/** Lists the processes that were started for this folder. */
async function listProcesses(): Promise<{ pid: number; command: string }[]> {
  const processes = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map(async (pid) => {
        const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
        const [command, environment] = [await read('cmdline'), await read('environ')];
        const belongs = `${command}\0${environment}`.includes(folder) && isAlive(Number(pid));
        return belongs ? [{ pid: Number(pid), command: command.replaceAll('\0', ' ') }] : [];
      }),
  );
  return processes.flat();
}

test.skipIf(process.platform !== 'linux').each(['SIGKILL', 'SIGTERM'] as const)(
  'npm run serve leaves no process behind when npm alone gets %s',
  { timeout: 180_000 },
  async (name) => {
    serve();
    await waitFor('the start', () => output.includes('Parley is up'));
    if (name === 'SIGKILL') await survivesHang();
    npm.kill(name);
    await waitFor('the stop', async () => (await listProcesses()).length === 0).catch(async () => {
      expect((await listProcesses()).map(({ command }) => command)).toEqual([]);
    });
    expect(output).toContain('Stopped');
  },
);

/** Suspends the server, as a blocked event loop would. The supervisor restarts it and keeps notifying systemd. */
async function survivesHang(): Promise<void> {
  const [server] = (await listProcesses()).filter(({ command }) => command.includes('server/src/main.ts'));
  process.kill(server!.pid, 'SIGSTOP');
  await waitFor('the restart', () => output.includes('The server is running again'));
  expect(output).toContain('The server ended (it did not respond for 5 s); restarting it');
  const messages = (await readFile(join(folder, 'messages'), 'utf8')).split('\n');
  expect(messages[0]).toBe('READY=1');
  expect(messages.slice(1, 6)).toEqual(Array(5).fill('WATCHDOG=1'));
}

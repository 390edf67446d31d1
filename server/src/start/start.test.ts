/** `npm start` as a person has it: the real entry on a folder and ports of its own, its parts killed one by one, and nothing left afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasEnded, isAlive, signal } from '../kernel/process.ts';
import { freePorts } from '../test/ports.ts';
import { runningEmbedded } from './postgres/embedded.ts';
import { ROOT } from './program.ts';
import { buildWebApp, webAppIsBuilt } from './web_app.ts';

interface Started {
  child: ChildProcess;
  /** Everything it has printed. */
  text(): string;
  says(wanted: string | RegExp, times?: number): Promise<void>;
  ended: Promise<number | null>;
}

let folder: string;
let settings: Record<string, string>;
const started: Started[] = [];

beforeAll(async () => {
  if (!webAppIsBuilt()) await buildWebApp();
  folder = await mkdtemp(join(tmpdir(), 'parley-start-'));
  const [port, sandbox] = await freePorts();
  settings = { PORT: String(port), SANDBOX_PORT: String(sandbox), DATA_DIR: join(folder, 'data') };
}, 300_000);

afterAll(async () => {
  for (const { child } of started) signal(child.pid!, 'SIGKILL');
  const parts = await partsOf().catch(() => []);
  for (const { pid } of parts) signal(pid, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function start(more: Record<string, string> = {}, args: string[] = []): Started {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|NODE_OPTIONS|DATABASE_URL|npm_)/.test(name)),
  );
  const child = spawn(process.execPath, [join(ROOT, 'start.mjs'), ...args], {
    env: { ...inherited, ...settings, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const parley: Started = {
    child,
    text: () => text,
    ended,
    async says(wanted, times = 1) {
      const pattern = typeof wanted === 'string' ? wanted : wanted.source;
      for (const until = Date.now() + 60_000; Date.now() < until; await pause(50)) {
        if ((text.match(new RegExp(pattern, 'g')) ?? []).length >= times) return;
        if (child.exitCode !== null && !text.match(new RegExp(pattern)))
          throw new Error(`ended with ${child.exitCode}: ${text}`);
      }
      throw new Error(`never said ${wanted}: ${text}`);
    },
  };
  started.push(parley);
  return parley;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function partsOf(): Promise<{ name: string; pid: number }[]> {
  const running = JSON.parse(await readFile(join(settings.DATA_DIR!, 'running.json'), 'utf8')) as {
    supervisor: { name: string; pid: number };
    parts: { name: string; pid: number }[];
  };
  return [running.supervisor, ...running.parts];
}
const pidOf = async (name: string) => (await partsOf()).find((part) => part.name === name)!.pid;
/** Whatever still runs for this folder, wherever it was started from. */
async function leftIn(data: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map(async (pid) => {
        const told = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
        const [command, environment] = [await told('cmdline'), await told('environ')];
        return `${command}\0${environment}`.includes(data) ? [command.replaceAll('\0', ' ')] : [];
      }),
  );
  return found.flat();
}
const get = (port: string, path = '/') =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5_000) });

async function answers(path: string): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until; await pause(50)) {
    const status = await get(settings.PORT!, path).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
  }
  throw new Error(`${path} does not answer`);
}

async function refused(more: Record<string, string>, args: string[] = []): Promise<string> {
  const parley = start(more, args);
  expect(await parley.ended).toBe(1);
  return parley.text().trim();
}

test('starts, survives the death of every part, refuses a second one, and leaves no process', {
  timeout: 180_000,
}, async () => {
  const parley = start();
  await parley.says('Parley is up after');
  for (const line of [
    `http://localhost:${settings.PORT}`,
    `http://admin.localhost:${settings.PORT}`,
    `http://localhost:${settings.SANDBOX_PORT}`,
    'owner@demo.localhost',
  ])
    expect(parley.text()).toContain(line);
  const html = await (await get(settings.PORT!)).text();
  expect(html).toContain('<div id="root">');
  const script = await get(settings.PORT!, /src="([^"]+\.js)"/.exec(html)![1]);
  expect(await script.text()).toContain('import');
  expect(script.headers.get('cache-control')).toContain('immutable');
  expect(script.headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
  expect((await get(settings.SANDBOX_PORT!)).status).toBe(200);
  await answers('/readyz');

  const before = await partsOf();
  expect(before.map(({ name }) => name).sort()).toEqual(['database', 'parley', 'sandbox', 'server']);
  for (const [index, name] of ['server', 'sandbox', 'database'].entries()) {
    const others = before.filter((part) => part.name !== name && part.name !== 'parley');
    const pid = await pidOf(name);
    process.kill(pid, 'SIGKILL');
    await parley.says(/ is back/, index + 1);
    expect(await pidOf(name)).not.toBe(pid);
    if (index === 0) for (const other of others) expect(isAlive(other.pid), other.name).toBe(true);
    await answers('/readyz');
  }

  const examined = start({}, ['doctor']);
  expect(await examined.ended).toBe(0);
  expect(examined.text()).toMatch(/all \d+ claims hold/);

  const [port, sandbox] = await freePorts();
  const elsewhere = { PORT: String(port), SANDBOX_PORT: String(sandbox) };
  expect(await refused(elsewhere)).toMatch(/^DATA_DIR \S+ is in use by the Parley with process id \d+$/);
  const other = { DATA_DIR: join(folder, 'other') };
  expect(await refused({ ...other, SANDBOX_PORT: String(sandbox) })).toMatch(/^Port \d+, wanted for the app, is taken/);

  // Ctrl-C in the middle of starting two of them again.
  for (const name of ['server', 'database']) process.kill(await pidOf(name), 'SIGKILL');
  await parley.says('The database ended', 2);
  parley.child.kill('SIGINT');
  expect(await parley.ended).toBe(0);
  expect(parley.text()).toContain('Stopping ...\n');
  expect(parley.text()).toMatch(/\nStopped\n$/);
  expect(await leftIn(settings.DATA_DIR!)).toEqual([]);

  // With nothing running the doctor starts the database for itself, and stops it again.
  const again = start({}, ['doctor']);
  expect(await again.ended).toBe(0);
  expect(again.text()).toMatch(/all \d+ claims hold/);
  expect(await runningEmbedded(settings.DATA_DIR!)).toBeNull();
});

test('after kill -9 of everything that watches, the next start ends what was left and goes on', {
  timeout: 120_000,
}, async () => {
  const first = start();
  await first.says('Parley is up after');
  const left = await partsOf();
  process.kill(await pidOf('parley'), 'SIGKILL');
  expect(await first.ended).not.toBe(0);
  expect(isAlive(left.find(({ name }) => name === 'database')!.pid)).toBe(true);

  const second = start();
  await second.says('Parley is up after');
  for (const { pid } of left) expect(await hasEnded(pid, 1_000)).toBe(true);

  // Only start.mjs is killed: the rest notices and stops by itself, and whoever comes next waits for that.
  const again = await partsOf();
  second.child.kill('SIGKILL');
  for (const { pid, name } of again) expect(await hasEnded(pid, 30_000), name).toBe(true);
  const third = start();
  await third.says('Parley is up after');
  third.child.kill('SIGTERM');
  expect(await third.ended).toBe(0);
});

test('what keeps it from starting is one line', { timeout: 120_000 }, async () => {
  const foreign = join(folder, 'foreign');
  await mkdir(foreign);
  await writeFile(join(foreign, 'letter.odt'), 'x');
  expect(await refused({ DATA_DIR: foreign })).toMatch(
    /^DATA_DIR \S+ holds something else \(letter\.odt\): choose an empty or new folder$/,
  );
  expect(await refused({ DATA_DIR: join(foreign, 'letter.odt') })).toMatch(/^DATA_DIR \S+ is not a folder$/);
  if (process.platform === 'linux')
    expect(await refused({ DATA_DIR: '/proc/parley' })).toBe('DATA_DIR /proc/parley cannot be made there');
  expect(await refused({ PORT: 'http' })).toBe('PORT must be a port number from 1 to 65535 (it is "http")');

  const [silent] = await freePorts();
  const data = { DATA_DIR: join(folder, 'unused') };
  expect(await refused({ ...data, DATABASE_URL: `postgresql://u:secret@127.0.0.1:${silent}/x` })).toBe(
    `DATABASE_URL: nothing listens on 127.0.0.1:${silent}`,
  );
  expect(await refused({ ...data, DATABASE_URL: 'mysql://u:secret@127.0.0.1/x' })).not.toContain('secret');
  expect(await refused({}, ['serve'])).toMatch(/^DATABASE_URL is needed in production/);
  expect(await refused({}, ['serve', '--role=boss'])).toMatch(/^ROLE must be one of/);

  const taken = await new Promise<Server>((resolve) => {
    const server = createServer().listen(Number(settings.SANDBOX_PORT) + 1, '127.0.0.1', () => resolve(server));
  });
  expect(await refused(data)).toMatch(/wanted for the sandbox \(smpp\), is taken by another program: set SANDBOX_PORT/);
  await new Promise((resolve) => taken.close(resolve));
});

/**
 * Tests `npm start` end to end: the real entry point with its own folder and ports, killed parts, and no process left
 * behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasEnded, isAlive, signal } from '../kernel/process.ts';
import { freePorts } from '../test/ports.ts';
import { findRunningEmbedded } from './postgres/embedded.ts';
import { ROOT } from './program.ts';
import { buildWebApp, webAppIsBuilt } from './web_app.ts';

interface Started {
  child: ChildProcess;
  /** Returns the output so far. */
  text(): string;
  waitForOutput(expected: string | RegExp, times?: number): Promise<void>;
  ended: Promise<number | null>;
}

let folder: string;
let settings: Record<string, string>;
const programs: Started[] = [];

beforeAll(async () => {
  if (!webAppIsBuilt()) await buildWebApp();
  folder = await mkdtemp(join(tmpdir(), 'parley-start-'));
  const [port, sandbox] = await freePorts();
  settings = { PORT: String(port), SANDBOX_PORT: String(sandbox), DATA_DIR: join(folder, 'data') };
}, 300_000);

afterAll(async () => {
  for (const { child } of programs) signal(child.pid!, 'SIGKILL');
  const parts = await readParts().catch(() => []);
  for (const { pid } of parts) signal(pid, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function start(overrides: Record<string, string> = {}, args: string[] = []): Started {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|NODE_OPTIONS|DATABASE_URL|npm_)/.test(name)),
  );
  const child = spawn(process.execPath, [join(ROOT, 'start.mjs'), ...args], {
    env: { ...inherited, ...settings, ...overrides },
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
    async waitForOutput(expected, times = 1) {
      const pattern = typeof expected === 'string' ? expected : expected.source;
      for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(50)) {
        if ((text.match(new RegExp(pattern, 'g')) ?? []).length >= times) return;
        if (child.exitCode !== null && !text.match(new RegExp(pattern)))
          throw new Error(`exited with code ${child.exitCode}: ${text}`);
      }
      throw new Error(`never printed ${expected}: ${text}`);
    },
  };
  programs.push(parley);
  return parley;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function readParts(): Promise<{ name: string; pid: number }[]> {
  const running = JSON.parse(await readFile(join(settings.DATA_DIR!, 'running.json'), 'utf8')) as {
    supervisor: { name: string; pid: number };
    parts: { name: string; pid: number }[];
  };
  return [running.supervisor, ...running.parts];
}
const findPid = async (name: string) => (await readParts()).find((part) => part.name === name)!.pid;
/** Lists all processes that are still running for this folder. */
async function listProcesses(data: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const processes = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map(async (pid) => {
        const readProc = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
        const [command, environment] = [await readProc('cmdline'), await readProc('environ')];
        return `${command}\0${environment}`.includes(data) ? [command.replaceAll('\0', ' ')] : [];
      }),
  );
  return processes.flat();
}
const get = (port: string, path = '/') =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5_000) });

async function waitUntilReachable(path: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await pause(50)) {
    const status = await get(settings.PORT!, path).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
  }
  throw new Error(`${path} does not respond`);
}

async function failToStart(settings: Record<string, string>, args: string[] = []): Promise<string> {
  const parley = start(settings, args);
  expect(await parley.ended).toBe(1);
  return parley.text().trim();
}

test('Parley starts, survives killed processes, rejects a second instance, and leaves no process behind', {
  timeout: 180_000,
}, async () => {
  const parley = start();
  await parley.waitForOutput('Parley is up after');
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
  await waitUntilReachable('/readyz');

  const before = await readParts();
  expect(before.map(({ name }) => name).sort()).toEqual(['database', 'parley', 'sandbox', 'server']);
  for (const [index, name] of ['server', 'sandbox', 'database'].entries()) {
    const others = before.filter((part) => part.name !== name && part.name !== 'parley');
    const pid = await findPid(name);
    process.kill(pid, 'SIGKILL');
    await parley.waitForOutput(/ is running again/, index + 1);
    expect(await findPid(name)).not.toBe(pid);
    if (index === 0) for (const other of others) expect(isAlive(other.pid), other.name).toBe(true);
    await waitUntilReachable('/readyz');
  }

  const doctorRun = start({}, ['doctor']);
  expect(await doctorRun.ended).toBe(0);
  expect(doctorRun.text()).toMatch(/all \d+ checks passed/);

  const [port, sandbox] = await freePorts();
  const elsewhere = { PORT: String(port), SANDBOX_PORT: String(sandbox) };
  expect(await failToStart(elsewhere)).toMatch(/^DATA_DIR \S+ is in use by another Parley \(process \d+\)$/);
  const other = { DATA_DIR: join(folder, 'other') };
  expect(await failToStart({ ...other, SANDBOX_PORT: String(sandbox) })).toMatch(/^Port \d+ for the app is in use/);

  // Presses Ctrl-C while two parts are being restarted.
  for (const name of ['server', 'database']) process.kill(await findPid(name), 'SIGKILL');
  await parley.waitForOutput('The database ended', 2);
  parley.child.kill('SIGINT');
  expect(await parley.ended).toBe(0);
  expect(parley.text()).toContain('Stopping ...\n');
  expect(parley.text()).toMatch(/\nStopped\n$/);
  expect(await listProcesses(settings.DATA_DIR!)).toEqual([]);

  // If nothing is running, the doctor starts the database and stops it again.
  const secondDoctorRun = start({}, ['doctor']);
  expect(await secondDoctorRun.ended).toBe(0);
  expect(secondDoctorRun.text()).toMatch(/all \d+ checks passed/);
  expect(await findRunningEmbedded(settings.DATA_DIR!)).toBeNull();
});

test('the next start ends leftover processes after the supervisor is killed', {
  timeout: 120_000,
}, async () => {
  const first = start();
  await first.waitForOutput('Parley is up after');
  const parts = await readParts();
  process.kill(await findPid('parley'), 'SIGKILL');
  expect(await first.ended).not.toBe(0);
  expect(isAlive(parts.find(({ name }) => name === 'database')!.pid)).toBe(true);

  const second = start();
  await second.waitForOutput('Parley is up after');
  for (const { pid } of parts) expect(await hasEnded(pid, 1_000)).toBe(true);

  // Only start.mjs is killed. The remaining processes notice and stop, and the next start waits for them.
  const remaining = await readParts();
  second.child.kill('SIGKILL');
  for (const { pid, name } of remaining) expect(await hasEnded(pid, 30_000), name).toBe(true);
  const third = start();
  await third.waitForOutput('Parley is up after');
  third.child.kill('SIGTERM');
  expect(await third.ended).toBe(0);
});

test('a failed start prints the reason on one line', { timeout: 120_000 }, async () => {
  const foreign = join(folder, 'foreign');
  await mkdir(foreign);
  await writeFile(join(foreign, 'letter.odt'), 'x');
  expect(await failToStart({ DATA_DIR: foreign })).toMatch(
    /^DATA_DIR \S+ contains other files \(letter\.odt\)\. Choose an empty or new folder$/,
  );
  expect(await failToStart({ DATA_DIR: join(foreign, 'letter.odt') })).toMatch(/^DATA_DIR \S+ is not a folder$/);
  if (process.platform === 'linux')
    expect(await failToStart({ DATA_DIR: '/proc/parley' })).toBe('DATA_DIR /proc/parley cannot be created');
  expect(await failToStart({ PORT: 'http' })).toBe('PORT must be a port number from 1 to 65535 (it is "http")');

  const [unusedPort] = await freePorts();
  const data = { DATA_DIR: join(folder, 'unused') };
  expect(await failToStart({ ...data, DATABASE_URL: `postgresql://u:secret@127.0.0.1:${unusedPort}/x` })).toBe(
    `DATABASE_URL: nothing listens on 127.0.0.1:${unusedPort}`,
  );
  expect(await failToStart({ ...data, DATABASE_URL: 'mysql://u:secret@127.0.0.1/x' })).not.toContain('secret');
  expect(await failToStart({}, ['serve'])).toMatch(/^DATABASE_URL is required in production/);
  expect(await failToStart({}, ['serve', '--role=boss'])).toMatch(/^ROLE must be one of/);

  const blocker = await new Promise<Server>((resolve) => {
    const server = createServer().listen(Number(settings.SANDBOX_PORT) + 1, '127.0.0.1', () => resolve(server));
  });
  expect(await failToStart(data)).toMatch(/for the sandbox \(smpp\) is in use by another program\. Set SANDBOX_PORT/);
  await new Promise((resolve) => blocker.close(resolve));
});

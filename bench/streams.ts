/**
 * Measures live streams over loopback: the cost of idle ones, and the time from the commit of an event until every open
 * page of its account has it. The baseline is a bare HTTP server that sends the same heartbeats to as many clients.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { accountChanged } from '@parley/contract/accounts/accounts.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { emit } from '@parley/server/src/kernel/live/events.ts';
import { type Company, makeCompany } from '@parley/server/src/test/make.ts';
import { openStream } from './event_stream.ts';
import { percentile, type Result, type Rig, readCpuSeconds, stopProcess, until } from './rig.ts';

const CLIENTS = Number(process.env.BENCH_STREAMS ?? 2_000);
const PER_ACCOUNT = 10;
const IDLE_SECONDS = 20;
const EVENTS = 200;
const EVENT_EVERY_MS = 40;
const OPENING = 50;

interface Marked {
  startedAt: number;
  waits: number[];
}
type Stream = Awaited<ReturnType<typeof openStream>>;

export async function streams(rig: Rig): Promise<Result[]> {
  const companies: Company[] = [];
  while (companies.length < CLIENTS / PER_ACCOUNT) companies.push(await makeCompany(rig.kernel, { balance_micros: 0 }));
  const bare = await measureBareServer();
  const quiet = await measureIdle(rig);
  const memory = await readMemory(rig.server_pid);
  const marked = new Map<string, Marked>();
  const open = await openAll(CLIENTS, (n) => openStream(rig.url, companies[n % companies.length]!.token, note(marked)));
  const kilobytes = ((await readMemory(rig.server_pid)) - memory) / CLIENTS / 1024;
  const idle = await measureIdle(rig);
  const waits = await measureEvents(rig, companies, marked);
  for (const stream of open) stream.close();
  const share = (idle.cpu - quiet.cpu) * 100;
  const statements = (idle.statements - quiet.statements) / CLIENTS;
  const count = CLIENTS.toLocaleString('en-US');
  const [p50, p99] = [percentile(waits, 50), percentile(waits, 99)];
  return [
    {
      name: `${count} idle live streams`,
      parley: `${share.toFixed(2)}% of a core, ${statements.toFixed(3)} transactions per stream and second`,
      baseline: `a bare HTTP server ${(bare * 100).toFixed(2)}% of a core`,
      ratio: (share / 100 / bare).toFixed(1),
      target: `at most ${(CLIENTS / 5_000) * 2}% of a core (2% for 5,000), no statement per stream`,
      met: share <= (CLIENTS / 5_000) * 2 && statements < 0.005,
    },
    {
      name: `Time from an event until the page has it, ${count} live streams of ${companies.length} accounts`,
      parley: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; ${kilobytes.toFixed(1)} KiB per stream`,
      baseline: `${1_000 / EVENT_EVERY_MS} events per second, ${PER_ACCOUNT} streams each`,
      ratio: '-',
      target: 'p99 under 300 ms, at most 20 KiB per stream',
      met: p99 < 300 && kilobytes <= 20,
    },
  ];
}

const note = (marked: Map<string, Marked>) => (frame: string) => {
  const now = performance.now();
  const mark = /"id":"mark-(\d+)"/.exec(frame)?.[1];
  const event = mark && marked.get(mark);
  if (event) event.waits.push(now - event.startedAt);
};

async function openAll(count: number, open: (n: number) => Promise<Stream>): Promise<Stream[]> {
  const opened: Stream[] = [];
  let next = 0;
  const opener = async () => {
    while (next < count) opened.push(await open(next++));
  };
  await Promise.all(Array.from({ length: OPENING }, opener));
  return opened;
}

/** Returns the used cores of the server and the database, and the transactions per second. */
async function measureIdle(rig: Rig): Promise<{ cpu: number; statements: number }> {
  await settle();
  const before = { cpu: await rig.cpuSeconds(), statements: await countTransactions(rig) };
  await pause(IDLE_SECONDS * 1_000);
  return {
    cpu: ((await rig.cpuSeconds()) - before.cpu) / IDLE_SECONDS,
    statements: ((await countTransactions(rig)) - before.statements) / IDLE_SECONDS,
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const settle = () => pause(3_000);

const countTransactions = async (rig: Rig): Promise<number> =>
  (
    await rig.kernel.db.one<{ count: number }>(sql`
      select xact_commit::float8 as count from pg_stat_database where datname = current_database()`)
  ).count;

async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

async function measureEvents(rig: Rig, companies: readonly Company[], marked: Map<string, Marked>): Promise<number[]> {
  for (let n = 0; n < EVENTS; n++) {
    const { account_id } = companies[n % companies.length]!;
    const event = { startedAt: 0, waits: [] as number[] };
    marked.set(String(n), event);
    await rig.kernel.db.tx(async (tx) => emit(tx, accountChanged, account_id, { id: `mark-${n}`, status: 'VERIFIED' }));
    event.startedAt = performance.now();
    await pause(EVENT_EVERY_MS);
  }
  const isComplete = async () => [...marked.values()].every(({ waits }) => waits.length === PER_ACCOUNT);
  await until('every stream has its events', isComplete, 20_000);
  return [...marked.values()].flatMap(({ waits }) => waits);
}

/** Returns the used cores of a bare server that sends a heartbeat to every client every ten seconds. */
async function measureBareServer(): Promise<number> {
  const file = fileURLToPath(new URL('./baselines/bare_streams.ts', import.meta.url));
  const server = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = `http://127.0.0.1:${await readPort(server)}`;
    const open = await openAll(CLIENTS, () => openStream(url, '', () => {}));
    await settle();
    const before = await readCpuSeconds(server.pid!);
    await pause(IDLE_SECONDS * 1_000);
    const used = (await readCpuSeconds(server.pid!)) - before;
    for (const stream of open) stream.close();
    return used / IDLE_SECONDS;
  } finally {
    await stopProcess(server, 'SIGTERM');
  }
}

async function readPort(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) return line;
  throw new Error('the bare server did not start');
}

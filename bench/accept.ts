/**
 * Accepts single messages of one company over 32 connections, with an API key and an Idempotency-Key. The baseline is a
 * bare Fastify route with one INSERT in the same database. The carrier is unreachable, so that only the acceptance is
 * measured.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { examine } from '@parley/server/src/doctor/doctor.ts';
import { newId } from '@parley/server/src/kernel/clock.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { makeCarrier, makeCompany, makeKey, makeSender, testNumber } from '@parley/server/src/test/make.ts';
import { freePort } from '@parley/server/src/test/world.ts';
import { type Load, sendRequests } from './load.ts';
import { median, percentile, type Result, type Rig, stopProcess, until } from './rig.ts';

const COUNT = Number(process.env.BENCH_REQUESTS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONNECTIONS = 32;
const BARE = fileURLToPath(new URL('./baselines/bare.ts', import.meta.url));
const TARGET = { rate: 2_000, cpu_us: 500, wal_bytes: 2_048 };

interface Measurement {
  rate: number;
  cpu_us: number;
  wal_bytes: number;
  p99_ms: number;
}

export async function accept(rig: Rig): Promise<Result[]> {
  await makeCarrier(rig.kernel);
  const company = await makeCompany(rig.kernel, { balance_micros: 1_000_000_000_000 });
  const { sender_id } = await makeSender(rig.kernel, company.account_id);
  const key = await makeKey(rig.kernel, company.account_id);
  let first = 0;
  const load = (url: string, connections: number, requests: number): Load => {
    first += requests;
    return {
      ...{ url, connections, requests, path: '/v1/messages' },
      headers: () => ({ 'x-api-key': key, 'idempotency-key': newId() }),
      body: (index) => ({
        data: {
          from: sender_id,
          to: [testNumber(first + index)],
          channel: 'SMS',
          text: `Your order ${index} is ready`,
        },
      }),
    };
  };
  const port = await freePort();
  const bare = spawn(process.execPath, [BARE], {
    env: { ...process.env, DATABASE_URL: rig.postgres.url, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const [idle, bareIdle] = [await idleCpu(rig), await idleCpu(rig, bare.pid)];
    const bareUrl = `http://127.0.0.1:${port}`;
    await until('the bare server listens', async () => (await fetch(bareUrl).catch(() => null)) !== null, 10_000);
    const results: Result[] = [];
    for (const connections of [1, CONNECTIONS]) {
      const requests = connections === 1 ? COUNT / 10 : COUNT;
      const [parley, baseline]: [Measurement[], Measurement[]] = [[], []];
      for (let round = 0; round <= ROUNDS; round++) {
        const measured = [
          await measure(rig, load(rig.url, connections, requests), idle),
          await measure(rig, load(bareUrl, connections, requests), bareIdle, bare.pid),
        ] as const;
        // The first round warms up the programs and the caches.
        if (round === 0) continue;
        console.log(`  ${connections} connections: ${format(measured[0])}; bare ${format(measured[1])}`);
        parley.push(measured[0]);
        baseline.push(measured[1]);
      }
      results.push(compare(connections, summarize(parley), summarize(baseline)));
    }
    // A run is valid only if its data is consistent.
    const broken = (await examine(rig.kernel.db)).filter(({ ok }) => !ok);
    if (broken.length > 0) throw new Error(`consistency checks failed: ${JSON.stringify(broken)}`);
    return results;
  } finally {
    await stopProcess(bare, 'SIGTERM');
  }
}

const IDLE_SECONDS = 4;

/** Measures the CPU seconds per second without requests: the loops of the server, and PostgreSQL. */
async function idleCpu(rig: Rig, server?: number): Promise<number> {
  const before = await rig.cpuSeconds(server);
  await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1_000));
  return ((await rig.cpuSeconds(server)) - before) / IDLE_SECONDS;
}

/**
 * Measures the CPU of Parley, or of another server, and of PostgreSQL, without what they take when idle. The CPU of the
 * load generator is not counted.
 */
async function measure(rig: Rig, load: Load, idle: number, server?: number): Promise<Measurement> {
  const [cpu, wal] = [await rig.cpuSeconds(server), await walBytes(rig)];
  const { seconds, waits } = await sendRequests(load);
  return {
    rate: load.requests / seconds,
    cpu_us: (((await rig.cpuSeconds(server)) - cpu - idle * seconds) / load.requests) * 1e6,
    wal_bytes: ((await walBytes(rig)) - wal) / load.requests,
    p99_ms: percentile(waits, 99),
  };
}

const walBytes = async ({ kernel }: Rig): Promise<number> =>
  (await kernel.db.one<{ bytes: number }>(sql`select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes`)).bytes;

const summarize = (measurements: readonly Measurement[]): Measurement => ({
  rate: median(measurements.map(({ rate }) => rate)),
  cpu_us: median(measurements.map(({ cpu_us }) => cpu_us)),
  wal_bytes: median(measurements.map(({ wal_bytes }) => wal_bytes)),
  p99_ms: median(measurements.map(({ p99_ms }) => p99_ms)),
});

const format = ({ rate, cpu_us, wal_bytes, p99_ms }: Measurement): string =>
  [
    `${rate.toFixed(0)}/s`,
    `${cpu_us.toFixed(0)} us CPU`,
    `${(wal_bytes / 1024).toFixed(1)} KB WAL`,
    `p99 ${p99_ms.toFixed(0)} ms`,
  ].join(', ');

function compare(connections: number, parley: Measurement, baseline: Measurement): Result {
  const isGoal = connections === CONNECTIONS;
  return {
    name: `Accept ${connections === 1 ? 'over 1 connection' : `over ${connections} connections of one company`}`,
    parley: format(parley),
    baseline: `bare route with one INSERT ${format(baseline)}`,
    ratio: (baseline.rate / parley.rate).toFixed(1),
    target: isGoal ? '2,000/s, at most 500 us CPU and 2 KB WAL per request' : 'none, for comparison',
    met:
      !isGoal || (parley.rate >= TARGET.rate && parley.cpu_us <= TARGET.cpu_us && parley.wal_bytes <= TARGET.wal_bytes),
  };
}

/**
 * Opens random short links among 10,000,000 stored ones, each click recorded before its response. A link is opened once
 * per round, as by recipients of a campaign. The clicks are then stored, which counts for the CPU but not for the rate.
 * The baseline is a Fastify route that does nothing, in its own process, with the same load.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newId } from '@parley/server/src/kernel/clock.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { makeCompany } from '@parley/server/src/test/make.ts';
import { median, percentile, type Result, type Rig, readCpuSeconds, stopProcess } from './rig.ts';

const LINKS = Number(process.env.BENCH_LINKS ?? 10_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONNECTIONS = 64;
const ROUND_MS = 5_000;
/** Links that are opened; others are only stored. */
const OPENED = 200_000;
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile Safari/604.1';

export async function redirect(rig: Rig): Promise<Result> {
  const codes = await storeLinks(rig);
  const noop = await startNoop();
  const parley: number[] = [];
  const baseline: number[] = [];
  const cpu: number[] = [];
  const noopCpu: number[] = [];
  const times: number[] = [];
  const stored: number[] = [];
  let opened = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const before = await readCpuSeconds(noop.child.pid!);
      const plain = await load(noop.url, codes);
      baseline.push(plain.rate);
      noopCpu.push((((await readCpuSeconds(noop.child.pid!)) - before) / plain.times.length) * 1e6);
      const start = await rig.cpuSeconds();
      const measured = await load(rig.url, codes);
      const waiting = await waitUntilStored(rig);
      stored.push(waiting.rate);
      cpu.push((((await rig.cpuSeconds()) - start) / measured.times.length) * 1e6);
      parley.push(measured.rate);
      times.push(...measured.times);
      opened += measured.times.length;
      console.log(
        `  round ${round + 1}: ${measured.rate.toFixed(0)}/s, ${cpu.at(-1)!.toFixed(0)} us; ` +
          `${waiting.clicks} clicks waited, stored at ${waiting.rate.toFixed(0)}/s; ` +
          `no-op route ${plain.rate.toFixed(0)}/s, ${noopCpu.at(-1)!.toFixed(0)} us`,
      );
    }
  } finally {
    await stopProcess(noop.child, 'SIGTERM');
  }
  const { count } = await rig.kernel.db.one<{ count: number }>(sql`select count(*)::int as count from link_clicks`);
  if (count !== opened) throw new Error(`${opened} links were opened, and ${count} clicks are stored`);
  const [a, b] = [median(parley), median(baseline)];
  const p99 = percentile(times, 99);
  return {
    name: `Redirects among ${LINKS.toLocaleString('en-US')} short links, each click recorded before its response`,
    parley:
      `${a.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms, ${median(cpu).toFixed(0)} us CPU (server and PostgreSQL, ` +
      `with clicks stored at ${median(stored).toFixed(0)}/s)`,
    baseline: `no-op Fastify route ${b.toFixed(0)}/s, ${median(noopCpu).toFixed(0)} us CPU`,
    ratio: (a / b).toFixed(2),
    target: 'at least 0.7, p99 under 10 ms',
    met: a / b >= 0.7 && p99 < 10,
  };
}

async function storeLinks({ kernel }: Rig): Promise<string[]> {
  const { account_id } = await makeCompany(kernel);
  const link_id = newId();
  await kernel.db.run(sql`
    insert into links (account_id, id, url, source, recipients)
    values (${account_id}, ${link_id}, 'https://example.com/sale', 'message', ${LINKS})`);
  for (let from = 0; from < LINKS; from += 250_000)
    await kernel.db.run(sql`
      insert into link_codes (code, account_id, kind, link_id, number, country)
      select 'Z' || substr(md5(n::text), 1, 8), ${account_id}, 'link', ${link_id}, '4474' || n, 'GB'
      from generate_series(${from}::int, ${Math.min(LINKS, from + 250_000) - 1}::int) n on conflict do nothing`);
  await kernel.db.run(sql`analyze link_codes`);
  const rows = await kernel.db.rows<{ code: string }>(
    sql`select code from link_codes order by md5(code) limit ${OPENED}`,
  );
  return rows.map(({ code }) => code);
}

/** Waits for the clicks that were recorded but not stored when the load ended. */
async function waitUntilStored({ kernel }: Rig): Promise<{ clicks: number; rate: number }> {
  const count = async () =>
    (
      await kernel.db.one<{ clicks: number }>(
        sql`select coalesce(sum(json_array_length(clicks)), 0)::int as clicks from click_batches`,
      )
    ).clicks;
  const started = performance.now();
  const clicks = await count();
  while ((await count()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  return { clicks, rate: clicks / ((performance.now() - started) / 1000) };
}

async function startNoop(): Promise<{ child: ChildProcess; url: string }> {
  const program = fileURLToPath(new URL('./baselines/noop_route.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(createInterface({ input: child.stdout! }), 'line');
  return { child, url: `http://127.0.0.1:${port}` };
}

async function load(url: string, codes: readonly string[]): Promise<{ rate: number; times: number[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times: number[] = [];
  const end = performance.now() + ROUND_MS;
  const started = performance.now();
  let next = 0;
  const open = (code: string) =>
    new Promise<void>((resolve, reject) => {
      const request = get(`${url}/${code}`, { agent, headers: { 'user-agent': PHONE } }, (response) => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode === 302) resolve();
          else reject(new Error(`the response has status ${response.statusCode}`));
        });
      });
      request.on('error', reject);
    });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        const at = performance.now();
        await open(codes[next++ % codes.length]!);
        times.push(performance.now() - at);
      }
    }),
  );
  agent.destroy();
  return { rate: times.length / ((performance.now() - started) / 1000), times };
}

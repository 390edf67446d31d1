/**
 * Sends a campaign through one SMS provider over HTTP, from its start to the last processed receipt: one request and
 * one signed callback per message, over connections that stay open. The baseline is the same campaign over SMPP. The
 * provider is the sandbox, which shares the machine, and its CPU time is not counted.
 */
import { examine } from '@parley/server/src/doctor/doctor.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { makeCarrier } from '@parley/server/src/test/make.ts';
import { connectProvider, listProviders } from '@parley/server/src/test/peers/sandbox_providers.ts';
import type { Measurement } from './baselines/kannel.ts';
import { COUNT, measureCampaign } from './campaign.ts';
import { median, type Result, type Rig, until } from './rig.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PROVIDER = process.env.BENCH_PROVIDER ?? 'twilio';
const WINDOW = 100;
const TARGET = 1_000;
/** The server reads changed routes again within this time. */
const ROUTES_MS = 6_000;

export async function httpProvider(rig: Rig): Promise<Result> {
  const smpp = (await makeCarrier(rig.kernel, { port: rig.sandbox.smpp, settings: { window: WINDOW } })).connection_id;
  const http = await connect(rig);
  await until('both binds are up', async () => (await countBinds(rig)) === 2, 30_000);
  const measured: { http: Measurement[]; smpp: Measurement[] } = { http: [], smpp: [] };
  for (let round = 0; round < ROUNDS; round++) {
    measured.smpp.push(await measureThrough(rig, smpp, round * 2));
    measured.http.push(await measureThrough(rig, http, round * 2 + 1));
    console.log(`  round ${round + 1}: ${format(measured.http.at(-1)!)}; SMPP ${format(measured.smpp.at(-1)!)}`);
  }
  const broken = (await examine(rig.kernel.db)).filter(({ ok }) => !ok);
  if (broken.length > 0) throw new Error(`consistency checks failed: ${JSON.stringify(broken)}`);
  const [a, b] = [summarize(measured.http), summarize(measured.smpp)];
  return {
    name: `Campaign of ${COUNT.toLocaleString('en-US')} through one HTTP provider, start to last receipt`,
    parley: `${format(a)} of CPU per message (server and PostgreSQL)`,
    baseline: `SMPP ${format(b)}`,
    ratio: `${(a.cpu_us / b.cpu_us).toFixed(2)} times the CPU`,
    target: `at least ${TARGET.toLocaleString('en-US')} messages per second on 2 cores`,
    met: a.rate >= TARGET,
  };
}

const format = ({ rate, cpu_us }: Measurement) => `${rate.toFixed(0)}/s, ${cpu_us.toFixed(0)} us`;
const summarize = (all: readonly Measurement[]): Measurement => ({
  rate: median(all.map(({ rate }) => rate)),
  cpu_us: median(all.map(({ cpu_us }) => cpu_us)),
});

async function connect(rig: Rig): Promise<string> {
  const provider = (await listProviders(rig.sandbox)).find(({ name }) => name === PROVIDER);
  if (!provider) throw new Error(`the sandbox does not simulate ${PROVIDER}`);
  const settings = { window: WINDOW, throughput: null };
  return connectProvider(rig, provider, { origin: rig.sandbox.url, settings, hasRoute: false });
}

async function countBinds({ kernel }: Rig): Promise<number> {
  const { n } = await kernel.db.one<{ n: number }>(sql`
    select count(*)::int as n from binds where state = 'bound' and lease_until > now()`);
  return n;
}

async function measureThrough(rig: Rig, connection_id: string, round: number): Promise<Measurement> {
  const { db } = rig.kernel;
  const count = async () =>
    (await db.one<{ n: number }>(sql`select count(*)::int as n from messages where connection_id = ${connection_id}`))
      .n;
  await db.run(sql`update routes set connection_id = ${connection_id}`);
  await new Promise((resolve) => setTimeout(resolve, ROUTES_MS));
  const before = await count();
  const measured = await measureCampaign(rig, round);
  if ((await count()) !== before + COUNT) throw new Error('some messages took the other connection');
  return measured;
}

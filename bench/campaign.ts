/**
 * Sends a campaign of 20,000 messages and measures the time from its start to the last processed receipt. Commits are
 * durable, and the ledger and events are written. The baseline is Kannel on the same SMSC.
 */
import { examine } from '@parley/server/src/doctor/doctor.ts';
import { makeCarrier, makeCompany, makeSender } from '@parley/server/src/test/make.ts';
import { isKannelAvailable } from '@parley/server/src/test/peers/kannel.ts';
import { kannel, type Measurement } from './baselines/kannel.ts';
import { addPeople } from './people.ts';
import { api, median, type Result, type Rig, secondsSince, until } from './rig.ts';

export const COUNT = Number(process.env.BENCH_MESSAGES ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const TEXT = 'Your order 4711 has left our warehouse and will be with you tomorrow before noon';

export async function campaign(rig: Rig): Promise<Result> {
  await makeCarrier(rig.kernel, {
    port: rig.sandbox.smpp,
    settings: { window: 100, binds: Number(process.env.BENCH_BINDS ?? 1) },
  });
  const parley: Measurement[] = [];
  const baseline: Measurement[] = [];
  const hasKannel = isKannelAvailable();
  for (let round = 0; round < ROUNDS; round++) {
    parley.push(await measureCampaign(rig, round));
    if (hasKannel) baseline.push(await kannel(rig.sandbox.smpp, COUNT, TEXT));
    const kannelResult = hasKannel ? `; Kannel ${formatMeasurement(baseline.at(-1)!)}` : '';
    console.log(`  round ${round + 1}: ${formatMeasurement(parley.at(-1)!)}${kannelResult}`);
  }
  // A run is valid only if its data is consistent.
  const broken = (await examine(rig.kernel.db)).filter(({ ok }) => !ok);
  if (broken.length > 0) throw new Error(`consistency checks failed: ${JSON.stringify(broken)}`);
  const [a, b] = [median(parley.map((m) => m.rate)), median(baseline.map((m) => m.rate))];
  const [cpu, kannelCpu] = [median(parley.map((m) => m.cpu_us)), median(baseline.map((m) => m.cpu_us))];
  return {
    name: `Campaign of ${COUNT.toLocaleString('en-US')}, start to last receipt`,
    parley: `${a.toFixed(0)}/s, ${cpu.toFixed(0)} us CPU per message (server and PostgreSQL)`,
    baseline: hasKannel
      ? `Kannel ${b.toFixed(0)}/s, ${kannelCpu.toFixed(0)} us CPU per message`
      : 'Kannel is not installed (apt-get install kannel)',
    ratio: hasKannel ? (a / b).toFixed(2) : '-',
    target: 'at least 1',
    met: hasKannel && a >= b,
  };
}

const formatMeasurement = (m: Measurement) => `${m.rate.toFixed(0)}/s, ${m.cpu_us.toFixed(0)} us`;

interface Options {
  count?: number;
  /** Gets the token of the owner before the start. */
  prepare?: (token: string) => Promise<void>;
}

/** Runs one campaign of a new company. */
export async function measureCampaign(
  rig: Rig,
  round: number,
  { count = COUNT, prepare }: Options = {},
): Promise<Measurement> {
  const company = await makeCompany(rig.kernel, { balance_micros: 100_000_000_000 });
  const { sender_id } = await makeSender(rig.kernel, company.account_id);
  const audience = await addPeople(rig, company.account_id, count, round * COUNT);
  const caller = api(rig.url, company.token);
  await prepare?.(company.token);
  const before = await acknowledgedReceipts(rig);
  const cpu = await rig.cpuSeconds();
  const startedAt = performance.now();
  const { body } = await caller.post('/v1/campaigns', { channel: 'SMS', from: sender_id, audience, text: TEXT });
  const { id } = body.data as { id: string };
  // The server responds to a receipt after its commit, so an acknowledged receipt has been processed. Polling the
  // sandbox puts no load on the server.
  await until(
    'all receipts are processed',
    async () => (await acknowledgedReceipts(rig)) >= before + count,
    Math.max(180_000, count * 10),
    20,
  );
  const elapsed = secondsSince(startedAt);
  const cpu_us = (((await rig.cpuSeconds()) - cpu) / count) * 1e6;
  // The campaign page is not measured. It shows the same count after its next refresh.
  await until(
    'the campaign counts all deliveries',
    async () => {
      const { counts } = (await caller.get(`/v1/campaigns/${id}`)).body.data as { counts: Record<string, number> };
      return counts.delivered === count;
    },
    60_000,
    200,
  );
  return { rate: count / elapsed, cpu_us };
}

async function acknowledgedReceipts(rig: Rig): Promise<number> {
  const stats = (await (await fetch(`${rig.sandbox.url}/api/stats`)).json()) as { receipts: { acked: number } };
  return stats.receipts.acked;
}

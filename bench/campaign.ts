/**
 * A campaign of 20,000, from its start to the last receipt processed, durable, with ledger and events; against Kannel
 * on the same SMSC.
 */
import { examine } from '@parley/server/src/doctor/doctor.ts';
import { makeAudience, makeCarrier, makeCompany, makeSender, testNumber } from '@parley/server/src/test/make.ts';
import { haveKannel, kannel, type Measured } from './kannel.ts';
import { api, median, type Result, type Rig, seconds, until } from './rig.ts';

const COUNT = Number(process.env.BENCH_MESSAGES ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const TEXT = 'Your order 4711 has left our warehouse and will be with you tomorrow before noon';

export async function campaign(rig: Rig): Promise<Result> {
  await makeCarrier(rig.kernel, {
    port: rig.sandbox.smpp,
    settings: { window: 100, binds: Number(process.env.BENCH_BINDS ?? 1) },
  });
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  const yardstick = haveKannel();
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await one(rig, round));
    if (yardstick) theirs.push(await kannel(rig.sandbox.smpp, COUNT, TEXT));
    console.log(`  round ${round + 1}: ${words(ours.at(-1)!)}${yardstick ? `; Kannel ${words(theirs.at(-1)!)}` : ''}`);
  }
  // Fast and wrong would be no result.
  const broken = (await examine(rig.kernel.db)).filter(({ ok }) => !ok);
  if (broken.length > 0) throw new Error(`the doctor found: ${JSON.stringify(broken)}`);
  const [a, b] = [median(ours.map((m) => m.rate)), median(theirs.map((m) => m.rate))];
  return {
    name: `Campaign of ${COUNT.toLocaleString('en-US')}, start to last receipt`,
    ours: `${a.toFixed(0)}/s, ${median(ours.map((m) => m.cpu_us)).toFixed(0)} us CPU a message (server and PostgreSQL)`,
    yardstick: yardstick
      ? `Kannel ${b.toFixed(0)}/s, ${median(theirs.map((m) => m.cpu_us)).toFixed(0)} us CPU a message`
      : 'Kannel is not installed (apt-get install kannel)',
    ratio: yardstick ? (a / b).toFixed(2) : '-',
    target: 'at least 1',
    met: yardstick && a >= b,
  };
}

const words = (m: Measured) => `${m.rate.toFixed(0)}/s, ${m.cpu_us.toFixed(0)} us`;

async function one(rig: Rig, round: number): Promise<Measured> {
  const company = await makeCompany(rig.kernel, { balance_micros: 10_000_000_000 });
  const { sender_id } = await makeSender(rig.kernel, company.account_id);
  const people = Array.from({ length: COUNT }, (_, index) => ({
    number: testNumber(round * COUNT + index),
    first_name: 'Ann',
  }));
  const audience = await makeAudience(rig.kernel, company.account_id, people);
  const caller = api(rig.url, company.token);
  const before = await acked(rig);
  const cpu = await rig.cpuSeconds();
  const began = performance.now();
  const { body } = await caller.post('/v1/campaigns', { channel: 'SMS', from: sender_id, audience, text: TEXT });
  const { id } = body.data as { id: string };
  // The carrier gets its answer to a receipt after the commit, so what it has seen answered is processed. Asking it
  // costs us nothing.
  await until('every receipt', async () => (await acked(rig)) >= before + COUNT, 180_000, 20);
  const took = seconds(began);
  const cpu_us = (((await rig.cpuSeconds()) - cpu) / COUNT) * 1e6;
  // Outside the measure: the page tells the same, as soon as it has counted again.
  await until(
    'the campaign saying so',
    async () => {
      const { counts } = (await caller.get(`/v1/campaigns/${id}`)).body.data as { counts: Record<string, number> };
      return counts.delivered === COUNT;
    },
    10_000,
    200,
  );
  return { rate: COUNT / took, cpu_us };
}

async function acked(rig: Rig): Promise<number> {
  const stats = (await (await fetch(`${rig.sandbox.url}/api/stats`)).json()) as { receipts: { acked: number } };
  return stats.receipts.acked;
}

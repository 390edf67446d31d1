/**
 * Measures what limits cost a campaign. The same campaign runs in turn for a company with five limits and for one
 * without any, which is the baseline. The CPU per message decides, because it varies less than the rate. Each round
 * compares two campaigns that ran one after the other, in alternating order, so that a change of the machine's load, or
 * a database that has grown, does not look like the cost of limits. The ratio is the median of the rounds.
 */
import { availableParallelism, loadavg } from 'node:os';
import { examine } from '@parley/server/src/doctor/doctor.ts';
import { makeCarrier } from '@parley/server/src/test/make.ts';
import { COUNT, measureCampaign } from './campaign.ts';
import { api, median, type Result, type Rig } from './rig.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const TARGET = 1.05;
const LIMITS = [
  // The campaign reaches both percentages.
  { type: 'messages', limit: Math.ceil(COUNT * 1.25), interval: 'day', warn_at: [50, 80] },
  { type: 'messages_per_sender', limit: 1_000_000, interval: 'week' },
  { type: 'spend_per_campaign', limit: 1_000_000_000_000, interval: 'month', warn_at: [80] },
  { type: 'spend', limit: 1_000_000_000_000, interval: 'month' },
  { type: 'messages', limit: 1_000_000, interval: 'hour', countries: ['GB', 'FR', 'DE'] },
];

export async function guard(rig: Rig): Promise<Result> {
  await makeCarrier(rig.kernel, { port: rig.sandbox.smpp, settings: { window: 100, binds: 1 } });
  const rounds: { limited: number; free: number }[] = [];
  let busiest = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const measure = async (hasLimits: boolean, place: number) =>
      (await measureCampaign(rig, 2 * round + place, hasLimits ? { prepare: (token) => addLimits(rig, token) } : {}))
        .cpu_us;
    busiest = Math.max(busiest, loadavg()[0]!);
    const isFirst = round % 2 === 0;
    const first = await measure(isFirst, 0);
    const second = await measure(!isFirst, 1);
    const [limited, free] = isFirst ? [first, second] : [second, first];
    console.log(`  round ${round}: ${limited.toFixed(0)} us with limits, ${free.toFixed(0)} us without`);
    // The first round warms up the programs and the caches.
    if (round > 0) rounds.push({ limited, free });
  }
  // A load above that of the benchmark itself comes from other programs.
  const isLoaded = busiest > 2 * availableParallelism();
  if (isLoaded) console.log(`  other programs were running: load ${busiest.toFixed(1)}`);
  // A run is valid only if its data is consistent.
  const broken = (await examine(rig.kernel.db)).filter(({ ok }) => !ok);
  if (broken.length > 0) throw new Error(`consistency checks failed: ${JSON.stringify(broken)}`);
  const ratio = median(rounds.map(({ limited, free }) => limited / free));
  return {
    name: `Campaign of ${COUNT.toLocaleString('en-US')} with five limits${isLoaded ? ' (loaded machine)' : ''}`,
    parley: `${median(rounds.map(({ limited }) => limited)).toFixed(0)} us CPU per message`,
    baseline: `without limits ${median(rounds.map(({ free }) => free)).toFixed(0)} us CPU per message`,
    ratio: ratio.toFixed(3),
    target: `at most ${TARGET}`,
    met: ratio <= TARGET,
  };
}

async function addLimits(rig: Rig, token: string): Promise<void> {
  const caller = api(rig.url, token);
  for (const limit of LIMITS) await caller.post('/v1/limits', limit);
}

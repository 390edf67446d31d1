/**
 * Measures what limits cost a campaign. The same campaign runs in turn for a company with five limits and for one
 * without any, which is the baseline. The CPU per message decides, because it varies less than the rate.
 */
import { examine } from '@parley/server/src/doctor/doctor.ts';
import { makeCarrier } from '@parley/server/src/test/make.ts';
import { COUNT, measureCampaign } from './campaign.ts';
import { api, median, type Result, type Rig } from './rig.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
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
  const limited: number[] = [];
  const free: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const without = await measureCampaign(rig, 2 * round);
    const withLimits = await measureCampaign(rig, 2 * round + 1, {
      prepare: async (token) => {
        const caller = api(rig.url, token);
        for (const limit of LIMITS) await caller.post('/v1/limits', limit);
      },
    });
    console.log(
      `  round ${round}: ${withLimits.cpu_us.toFixed(0)} us with limits, ${without.cpu_us.toFixed(0)} us without`,
    );
    // The first round warms up the programs and the caches.
    if (round === 0) continue;
    limited.push(withLimits.cpu_us);
    free.push(without.cpu_us);
  }
  // A run is valid only if its data is consistent.
  const broken = (await examine(rig.kernel.db)).filter(({ ok }) => !ok);
  if (broken.length > 0) throw new Error(`consistency checks failed: ${JSON.stringify(broken)}`);
  const ratio = median(limited) / median(free);
  return {
    name: `Campaign of ${COUNT.toLocaleString('en-US')} with five limits`,
    parley: `${median(limited).toFixed(0)} us CPU per message`,
    baseline: `without limits ${median(free).toFixed(0)} us CPU per message`,
    ratio: ratio.toFixed(3),
    target: `at most ${TARGET}`,
    met: ratio <= TARGET,
  };
}

/**
 * Sends a campaign of 1,000,000 messages. The baseline is a campaign of 20,000 on the same rig. `BENCH_LARGE` is the
 * size of the large one.
 */
import { makeCarrier } from '@parley/server/src/test/make.ts';
import { measureCampaign } from './campaign.ts';
import type { Result, Rig } from './rig.ts';

const SMALL = 20_000;
const LARGE = Number(process.env.BENCH_LARGE ?? 1_000_000);

export async function largeCampaign(rig: Rig): Promise<Result> {
  await makeCarrier(rig.kernel, { port: rig.sandbox.smpp, settings: { window: 100 } });
  // The first campaign only warms up the server.
  await measureCampaign(rig, 0, { count: 2_000 });
  const small = await measureCampaign(rig, 1, { count: SMALL });
  console.log(`  ${SMALL.toLocaleString('en-US')}: ${small.rate.toFixed(0)}/s`);
  const large = await measureCampaign(rig, 2, { count: LARGE });
  console.log(`  ${LARGE.toLocaleString('en-US')}: ${large.rate.toFixed(0)}/s`);
  return {
    name: `Campaign of ${LARGE.toLocaleString('en-US')}, start to last receipt`,
    parley: `${large.rate.toFixed(0)}/s`,
    baseline: `${SMALL.toLocaleString('en-US')} messages ${small.rate.toFixed(0)}/s`,
    ratio: (large.rate / small.rate).toFixed(2),
    target: 'at least 0.9',
    met: large.rate >= 0.9 * small.rate,
  };
}

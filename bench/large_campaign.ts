/**
 * Sends a campaign of 1,000,000 messages. The baseline is a campaign of 20,000 on the same rig: the large one must keep
 * its rate, and may not take much more memory. `BENCH_LARGE` is the size of the large one.
 */
import { readFile } from 'node:fs/promises';
import { makeCarrier } from '@parley/server/src/test/make.ts';
import { measureCampaign } from './campaign.ts';
import type { Result, Rig } from './rig.ts';

const SMALL = 20_000;
const LARGE = Number(process.env.BENCH_LARGE ?? 1_000_000);
/** Garbage that was not collected yet is part of the peak. */
const MAX_GROWTH = 1.5;

export async function largeCampaign(rig: Rig): Promise<Result> {
  await makeCarrier(rig.kernel, { port: rig.sandbox.smpp, settings: { window: 100 } });
  // The first campaign only warms up the server.
  await measureCampaign(rig, 0, { count: 2_000 });
  const small = await withMemory(rig, () => measureCampaign(rig, 1, { count: SMALL }));
  console.log(`  ${SMALL.toLocaleString('en-US')}: ${describe(small)}`);
  const large = await withMemory(rig, () => measureCampaign(rig, 2, { count: LARGE }));
  console.log(`  ${LARGE.toLocaleString('en-US')}: ${describe(large)}`);
  return {
    name: `Campaign of ${LARGE.toLocaleString('en-US')}, start to last receipt`,
    parley: describe(large),
    baseline: `${SMALL.toLocaleString('en-US')} messages ${describe(small)}`,
    ratio: (large.rate / small.rate).toFixed(2),
    target: `at least 0.9, at most ${MAX_GROWTH} times the memory`,
    met: large.rate >= 0.9 * small.rate && large.peak_mb <= MAX_GROWTH * small.peak_mb,
  };
}

interface Measured {
  rate: number;
  /** The most memory of the server process. */
  peak_mb: number;
}

const describe = ({ rate, peak_mb }: Measured): string => `${rate.toFixed(0)}/s, ${peak_mb.toFixed(0)} MB`;

/** Adds the peak memory of the server, which is read twice a second. */
async function withMemory(rig: Rig, run: () => Promise<{ rate: number }>): Promise<Measured> {
  let peak_mb = 0;
  const sample = async () => {
    const status = await readFile(`/proc/${rig.server_pid}/status`, 'utf8').catch(() => '');
    peak_mb = Math.max(peak_mb, Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024);
  };
  const timer = setInterval(() => void sample(), 500);
  try {
    const { rate } = await run();
    return { rate, peak_mb };
  } finally {
    clearInterval(timer);
  }
}

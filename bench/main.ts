/**
 * `npm run bench [campaign] [import] [log] [latency] [lighthouse]`: each against a yardstick measured in the same run
 * on the same machine; what counts is the ratio. Exit code 1 when a target is missed. Bounded, loopback only. /
 */
import { campaign } from './campaign.ts';
import { importing } from './import.ts';
import { latency } from './latency.ts';
import { pages } from './lighthouse.ts';
import { log } from './log.ts';
import { type Result, type Rig, startRig } from './rig.ts';

const BENCHES: Record<string, (rig: Rig) => Promise<Result | Result[]>> = {
  latency,
  import: importing,
  campaign,
  log,
  lighthouse: pages,
};

const asked = process.argv.slice(2).filter((name) => name in BENCHES);
const results: Result[] = [];
for (const name of asked.length ? asked : Object.keys(BENCHES)) {
  console.log(`${name} ...`);
  // A rig of its own each, so that none runs on what another left behind.
  const rig = await startRig();
  try {
    results.push(...[await BENCHES[name]!(rig)].flat());
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    await rig.stop();
  }
}
console.log('');
for (const result of results) {
  console.log(`${result.met ? 'met   ' : 'MISSED'} ${result.name}`);
  console.log(`       ours ${result.ours}; ${result.yardstick}; ratio ${result.ratio} (target: ${result.target})`);
}
if (results.some((result) => !result.met)) process.exitCode = 1;

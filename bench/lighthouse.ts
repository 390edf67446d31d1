/**
 * How fast the sign-in page and the dashboard are there, in Lighthouse's own terms: a desktop, its network simulated.
 * 100 is its best.
 */
import { buildWebApp, webAppIsBuilt } from '@parley/server/src/start/web_app.ts';
import { makeCompany } from '@parley/server/src/test/make.ts';
import { look } from '../e2e/lighthouse/look.ts';
import { median, type Result, type Rig } from './rig.ts';

const LEAST = 95;
const TRIES = 3;

export async function pages(rig: Rig): Promise<Result[]> {
  if (!webAppIsBuilt()) await buildWebApp();
  const { token } = await makeCompany(rig.kernel);
  const results: Result[] = [];
  for (const [name, path, who] of [
    ['sign-in', '/sign-in', undefined],
    ['dashboard', '/', token],
  ] as const) {
    const looks = [];
    for (let count = 0; count < TRIES; count++) looks.push(await look(rig.url + path, who));
    const scores = looks.map((one) => one.scores.performance);
    results.push({
      name: `Lighthouse performance of the ${name} page, median of ${TRIES}`,
      ours: `${median(scores)} (${scores.join(', ')})`,
      yardstick: looks[0]!.findings('performance').length === 0 ? 'nothing to improve' : 'what cost points is above',
      ratio: (median(scores) / 100).toFixed(2),
      target: `score at least ${LEAST}`,
      met: median(scores) >= LEAST,
    });
    for (const line of looks[0]!.findings('performance')) console.log(`  ${name}: ${line}`);
  }
  return results;
}

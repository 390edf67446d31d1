/**
 * Measures the Lighthouse performance score of the sign-in page and the dashboard on a desktop with a simulated
 * network.
 */
import { buildWebApp, webAppIsBuilt } from '@parley/server/src/start/web_app.ts';
import { makeCompany } from '@parley/server/src/test/make.ts';
import { audit } from '../e2e/lighthouse/audit.ts';
import { median, type Result, type Rig } from './rig.ts';

const MIN_SCORE = 95;
const TRIES = 3;

export async function auditPages(rig: Rig): Promise<Result[]> {
  if (!webAppIsBuilt()) await buildWebApp();
  const { token } = await makeCompany(rig.kernel);
  const results: Result[] = [];
  for (const [name, path, session] of [
    ['sign-in', '/sign-in', undefined],
    ['dashboard', '/', token],
  ] as const) {
    const reports = [];
    for (let count = 0; count < TRIES; count++) reports.push(await audit(rig.url + path, session));
    const scores = reports.map((report) => report.scores.performance);
    results.push({
      name: `Lighthouse performance of the ${name} page, median of ${TRIES}`,
      parley: `${median(scores)} (${scores.join(', ')})`,
      baseline: reports[0]!.findings('performance').length === 0 ? 'no findings' : 'findings listed above',
      ratio: (median(scores) / 100).toFixed(2),
      target: `score at least ${MIN_SCORE}`,
      met: median(scores) >= MIN_SCORE,
    });
    for (const line of reports[0]!.findings('performance')) console.log(`  ${name}: ${line}`);
  }
  return results;
}

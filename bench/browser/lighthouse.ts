/** Measures the Lighthouse performance score of the most visited pages on a desktop with a simulated network. */
import { audit } from '../../e2e/lighthouse/audit.ts';
import { median, type Result, type Rig } from '../rig.ts';
import { makeScreens } from './screens.ts';

const MIN_SCORE = 97;
const MAX_BLOCKING_MS = 200;
const TRIES = 3;

export async function auditPages(rig: Rig): Promise<Result[]> {
  const { token, dashboard, inbox, log, campaign } = await makeScreens(rig);
  const results: Result[] = [];
  for (const [name, path, session] of [
    ['sign-in', '/sign-in', undefined],
    ['dashboard', dashboard, token],
    ['inbox', inbox, token],
    ['log', log, token],
    ['campaign', campaign, token],
  ] as const) {
    const reports = [];
    for (let count = 0; count < TRIES; count++) reports.push(await audit(rig.url + path, session));
    const scores = reports.map((report) => report.scores.performance);
    const blocking_ms = median(reports.map((report) => report.blocking_ms));
    results.push({
      name: `Lighthouse performance of the ${name} page, median of ${TRIES}`,
      parley: `${median(scores)} (${scores.join(', ')}), blocked ${blocking_ms.toFixed(0)} ms`,
      baseline: reports[0]!.findings('performance').length === 0 ? 'no findings' : 'findings listed above',
      ratio: (median(scores) / 100).toFixed(2),
      target: `score at least ${MIN_SCORE}, blocked under ${MAX_BLOCKING_MS} ms`,
      met: median(scores) >= MIN_SCORE && blocking_ms < MAX_BLOCKING_MS,
    });
    for (const line of reports[0]!.findings('performance')) console.log(`  ${name}: ${line}`);
  }
  return results;
}

/**
 * `npm run mutate -- AREA...` changes the code of an area in small ways, one at a time, and runs its tests against each
 * change. A change that no test notices survives and is listed. Without arguments, it runs all areas. It uses one
 * process at the lowest priority, so that it can run beside other work.
 */
import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** The code of each area, and the tests that must notice a change. Tests load the code by relative imports. */
const AREAS = {
  segmentation: {
    mutate: ['contract/src/channels/sms/text.ts'],
    tests: ['contract/src/channels/sms/text.test.ts'],
  },
  permissions: { mutate: ['contract/src/permission.ts'], tests: ['contract/src/permission.test.ts'] },
  status: { mutate: ['contract/src/messages/sequences.ts'], tests: ['contract/src/messages/sequences.test.ts'] },
  queue: {
    mutate: ['server/src/messages/queue/fair_queue.ts'],
    tests: ['server/src/messages/queue/fair_queue.test.ts'],
  },
  pace: { mutate: ['server/src/messages/queue/pace.ts'], tests: ['server/src/messages/queue/pace.test.ts'] },
  money: {
    mutate: ['contract/src/billing/vat.ts', 'contract/src/billing/amounts.ts'],
    tests: ['contract/src/billing/vat.test.ts', 'contract/src/billing/amounts.test.ts'],
  },
};

const GOAL = 90;
const PACKAGES = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(AREAS, name));
if (unknown.length > 0) {
  console.error(`Unknown area: ${unknown.join(', ')}. The areas are ${Object.keys(AREAS).join(', ')}.`);
  process.exitCode = 1;
} else {
  setPriority(constants.priority.PRIORITY_LOW);
  // Not a dependency of the project: it would add 177 packages for a tool that few people run.
  const { Stryker } = await import('@stryker-mutator/core').catch(() => {
    console.error(`Run this first: npm install --no-save ${PACKAGES.join(' ')}`);
    process.exit(1);
  });
  for (const name of chosen.length > 0 ? chosen : Object.keys(AREAS)) await run(Stryker, name, AREAS[name]);
}

async function run(Stryker, name, { mutate, tests }) {
  process.env.MUTATE_TESTS = tests.join(',');
  const results = await new Stryker({
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // Tests may reach the code in ways that the graph of imports does not show.
    vitest: { configFile: 'vitest.mutate.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 20_000,
    ignorePatterns: ['data', 'web', 'e2e', 'docs', 'deploy', 'sandbox', 'bench', '.git'],
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, logTests: false, reportScoreTable: false },
    logLevel: 'warn',
    thresholds: { high: 100, low: GOAL, break: null },
  }).runMutationTest();
  rmSync('.stryker-tmp', { recursive: true, force: true });
  const counted = results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
  const killed = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const score = (100 * killed) / Math.max(1, counted.length);
  console.log(`${name}: ${killed} of ${counted.length} changes noticed, ${score.toFixed(1)} %`);
  if (score < GOAL) process.exitCode = 1;
}

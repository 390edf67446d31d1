/**
 * `npm run mutate -- AREA...` changes the code of an area in small ways, one at a time, and runs its tests against each
 * change. A change that no test notices survives and is listed. Without arguments, it runs all areas. It uses one
 * process at the lowest priority, so that it can run beside other work. Areas with `sql` change statements of the last
 * commit and need a database.
 */
import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { runSqlMutants } from './test_sql_mutants.mjs';

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
  'sql claim': {
    sql: ['server/src/messages/queue/claim.ts'],
    tests: ['server/src/messages/queue/claim.test.ts'],
  },
  'sql idempotency': {
    sql: ['server/src/kernel/http/idempotency.ts'],
    tests: ['server/src/messages/gate/accept.test.ts', 'server/src/messages/gate/send_together.test.ts'],
  },
  'sql money': {
    sql: ['server/src/billing/ledger/holds.ts'],
    tests: ['server/src/billing/billing.test.ts'],
  },
  'sql status': {
    sql: ['server/src/messages/status/status.ts'],
    tests: ['server/src/messages/status/status.test.ts', 'server/src/messages/status/fallbacks.test.ts'],
  },
  'sql codes': {
    sql: ['server/src/verify/codes.ts', 'server/src/verify/code_stops.ts', 'server/src/verify/limits.ts'],
    tests: ['server/src/verify', 'server/src/auth/sign_up', 'server/src/auth/sign_in'],
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
  const names = chosen.length > 0 ? chosen : Object.keys(AREAS);
  for (const name of names.filter((name) => AREAS[name].sql)) runSql(name, AREAS[name]);
  const others = names.filter((name) => !AREAS[name].sql);
  if (others.length > 0) await runAll(others);
}

async function runAll(names) {
  // Not a dependency of the project: it would add 177 packages for a tool that few people run.
  const { Stryker } = await import('@stryker-mutator/core').catch(() => {
    console.error(`Run this first: npm install --no-save ${PACKAGES.join(' ')}`);
    process.exit(1);
  });
  for (const name of names) await run(Stryker, name, AREAS[name]);
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
    // Stryker would rewrite this file with functions that TypeScript 7 does not have.
    tsconfigFile: 'none',
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
  printScore(name, killed, counted.length);
}

function runSql(name, area) {
  const { total, survivors } = runSqlMutants(area);
  printScore(name, total - survivors.length, total);
}

function printScore(name, noticed, total) {
  const score = (100 * noticed) / Math.max(1, total);
  console.log(`${name}: ${noticed} of ${total} changes noticed, ${score.toFixed(1)} %`);
  if (score < GOAL) process.exitCode = 1;
}

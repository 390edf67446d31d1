/** `npm test` ends with a summary line that people and programs can read, even if stages fail. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ROOT } from './program.ts';

const runStages = (stages: string, setup = '') => {
  const script = `import { check, runStages } from './test.mjs';
    ${setup}
    process.exitCode = await runStages([${stages}], { beside: true });`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { last: stdout.split('\n').slice(-2), status, stdout };
};
const passing = `{ name: 'fine', minutes: 1, run: async () => ({ passed: 2, failed: 0 }) }`;
const checkStage = (file: string, args = '[]', count = '') =>
  `{ name: 'checked', minutes: 1, run: check(${JSON.stringify(file)}, ${args}${count && `, ${count}`}) }`;

test('a run succeeds when all stages pass', () =>
  expect(runStages(passing)).toMatchObject({ last: ['2 passed, 0 failed', ''], status: 0 }));

test('a missing program fails its stage but the next stage still runs', () =>
  expect(runStages(`${checkStage('no-such-program')}, ${passing}`)).toMatchObject({
    last: ['2 passed, 1 failed', ''],
    status: 1,
  }));

test('a program with a nonzero exit code fails its stage', () =>
  expect(runStages(checkStage(process.execPath, `['-e', 'process.exit(3)']`))).toMatchObject({
    last: ['0 passed, 1 failed', ''],
    status: 1,
  }));

test('a stage that throws fails and prints the error', () => {
  const { last, stdout, status } = runStages(
    `{ name: 'broken', minutes: 1, run: async () => JSON.parse('{ cut sh') }, ${passing}`,
  );
  expect(last).toEqual(['2 passed, 1 failed', '']);
  expect(stdout).toContain('SyntaxError');
  expect(status).toBe(1);
});

test('a run without tests fails', () =>
  expect(runStages('')).toMatchObject({ last: ['0 passed, 0 failed', ''], status: 1 }));

test('the summary lists flaky tests and does not count them as failures', () => {
  const stage = `{ name: 'browser', minutes: 1, run: async () =>
    ({ passed: 2, failed: 0, flaky: ['a.spec.ts:7 opens'] }) }`;
  const { last, stdout, status } = runStages(stage);
  expect(stdout).toContain('\nflaky: a.spec.ts:7 opens\n');
  expect(last).toEqual(['2 passed, 0 failed', '']);
  expect(status).toBe(0);
});

test('the summary lists failed tests with their reasons', () => {
  const stage = `{ name: 'unit', minutes: 1, run: async () =>
    ({ passed: 2, failed: 1, failures: [{ file: 'a.test.ts', name: 'adds', why: 'expected 2 to be 3' }] }) }`;
  const { last, stdout, status } = runStages(stage);
  expect(stdout).toContain('\nfailed: a.test.ts adds\n  expected 2 to be 3\n');
  expect(last).toEqual(['2 passed, 1 failed', '']);
  expect(status).toBe(1);
});

const evaluate = (expression: string, module = 'test_reports.mjs'): unknown => {
  const script = `import * as module from './${module}'; console.log(JSON.stringify(module.${expression}));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
};

test('a Playwright report is read at every nesting level', () => {
  const spec = (title: string, status: string) => ({
    title,
    file: 'a.spec.ts',
    line: 7,
    tests: [{ status, results: [{ error: { message: '\u001b[31mslow\u001b[39m' } }, {}] }],
  });
  const suites = [
    {
      specs: [spec('at once', 'expected')],
      suites: [{ specs: [spec('again', 'flaky'), spec('never', 'unexpected')] }],
    },
  ];
  const report = { stats: { expected: 1, flaky: 1, unexpected: 1, skipped: 0 }, suites };
  expect(evaluate(`readPlaywright(${JSON.stringify(report)})`)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    flaky: ['a.spec.ts:7 again\n  slow'],
    failures: [{ file: 'a.spec.ts:7', name: 'never', why: 'slow' }],
  });
});

test('a retry marks recovered files as flaky and keeps files that fail again as failed', () => {
  const file = (name: string, message: string, ...tests: string[]) => ({
    name: `/here/${name}`,
    status: 'failed',
    message,
    assertionResults: tests.map((fullName) => ({ fullName, status: 'failed', failureMessages: ['no\nat a line'] })),
  });
  const report = {
    numPassedTests: 10,
    numFailedTests: 3,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [file('a.test.ts', '', 'one', 'two'), file('b.test.ts', '', 'three'), file('c.test.ts', 'hung')],
  };
  const first = evaluate(`readVitest(${JSON.stringify(report)}, '/here')`) as { failed: number; failures: unknown[] };
  expect(first).toMatchObject({ passed: 10, failed: 4, skipped: 1 });
  expect(first.failures[3]).toEqual({ file: 'c.test.ts', name: 'as a whole', why: 'hung' });
  const merge = (retry: unknown) => evaluate(`mergeRetry(${JSON.stringify(first)}, ${JSON.stringify(retry)})`);
  expect(merge({ passed: 4, failed: 0, failures: [] })).toMatchObject({ passed: 13, failed: 0, failures: [] });
  expect(merge({ passed: 3, failed: 1, failures: [{ file: 'b.test.ts', name: 'three' }] })).toMatchObject({
    passed: 12,
    failed: 1,
    failures: [{ file: 'b.test.ts', name: 'three' }],
    flaky: ['a.test.ts one\n  no\n  at a line', 'a.test.ts two\n  no\n  at a line', 'c.test.ts as a whole\n  hung'],
  });
  expect(merge({ passed: 0, failed: 1 }), 'an unfinished retry changes nothing').toEqual(first);
});

const evaluateShards = (expression: string): unknown => evaluate(expression, 'test_shards.mjs');

test('each browser test file is in exactly one shard, and the longest file is in the smallest shard', () => {
  const names = ['long', 'short', 'shorter', 'new', 'newer'].map((name) => `${name}.spec.ts`);
  const durations = { long: 120, short: 28, shorter: 10 };
  const shards = evaluateShards(
    `splitIntoShards(${JSON.stringify(names)}, 2, ${JSON.stringify(durations)})`,
  ) as string[][];
  expect(shards.flat().sort()).toEqual(names.toSorted());
  expect(shards.map((shard) => shard.length).sort()).toEqual([1, 4]);
  expect(shards.find((shard) => shard.length === 1)).toEqual(['long.spec.ts']);
});

test('the durations of browser test files name only files that exist, and the shards contain all files', () => {
  const specs = evaluateShards(`listSpecs('e2e')`) as string[];
  const measured = evaluateShards('SECONDS') as Record<string, number>;
  expect(Object.keys(measured).filter((name) => !specs.includes(`${name}.spec.ts`))).toEqual([]);
  expect((evaluateShards(`splitIntoShards(module.listSpecs('e2e'), 2)`) as string[][]).flat().sort()).toEqual(
    specs.sort(),
  );
});

test('lanes run side by side and name their lines, and a stage without a lane waits for all of them', () => {
  // The first stage of lane `a` ends only after lane `b` has started.
  const stages = `
    { name: 'waits', lane: 'a', minutes: 1, run: () => promise },
    { name: 'follows', lane: 'a', minutes: 1, run: async ({ print }) => (print('one\\ntwo\\n'), passed) },
    { name: 'starts', lane: 'b', minutes: 1, run: async () => (resolve(passed), passed) },
    { name: 'last', minutes: 1, run: async ({ print }) => (print('at the end\\n'), { passed: 0, failed: 1 }) }`;
  const setup = 'const { promise, resolve } = Promise.withResolvers(); const passed = { passed: 1, failed: 0 };';
  const { last, stdout, status } = runStages(stages, setup);
  expect(stdout).toContain('\na       | one\na       | two\n');
  expect(stdout).toContain('\n== last ==\nat the end\n');
  expect(last).toEqual(['3 passed, 1 failed', '']);
  expect(status).toBe(1);
});

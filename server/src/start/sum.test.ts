/** `npm test` ends with one plain line that a person and a machine can read, whatever became of the stages. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ROOT } from './program.ts';

const endOf = (stages: string) => {
  const script = `import { check, runStages } from './test.mjs'; process.exitCode = await runStages([${stages}]);`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { last: stdout.split('\n').slice(-2), status, stdout };
};
const fine = `{ name: 'fine', minutes: 1, run: async () => ({ passed: 2, failed: 0 }) }`;
const checked = (file: string, args = '[]', count = '') =>
  `{ name: 'checked', minutes: 1, run: check(${JSON.stringify(file)}, ${args}${count && `, ${count}`}) }`;

test('all well', () => expect(endOf(fine)).toMatchObject({ last: ['2 passed, 0 failed', ''], status: 0 }));

test('a program that is not there is a failure, and what comes after still runs', () =>
  expect(endOf(`${checked('no-such-program')}, ${fine}`)).toMatchObject({
    last: ['2 passed, 1 failed', ''],
    status: 1,
  }));

test('so is one that ends badly', () =>
  expect(endOf(checked(process.execPath, `['-e', 'process.exit(3)']`))).toMatchObject({
    last: ['0 passed, 1 failed', ''],
    status: 1,
  }));

test('and a stage that breaks, whose reason is told', () => {
  const { last, stdout, status } = endOf(
    `{ name: 'broken', minutes: 1, run: async () => JSON.parse('{ cut sh') }, ${fine}`,
  );
  expect(last).toEqual(['2 passed, 1 failed', '']);
  expect(stdout).toContain('SyntaxError');
  expect(status).toBe(1);
});

test('nothing at all is no success', () =>
  expect(endOf('')).toMatchObject({ last: ['0 passed, 0 failed', ''], status: 1 }));

test('what needed a second try is named, and is no failure', () => {
  const stage = `{ name: 'browser', minutes: 1, run: async () => ({ passed: 2, failed: 0, flaky: ['a.spec.ts:7 opens'] }) }`;
  const { last, stdout, status } = endOf(stage);
  expect(stdout).toContain('\nflaky: a.spec.ts:7 opens\n');
  expect(last).toEqual(['2 passed, 0 failed', '']);
  expect(status).toBe(0);
});

test('what failed is named with its reason, at the end where it is looked for', () => {
  const stage = `{ name: 'unit', minutes: 1, run: async () =>
    ({ passed: 2, failed: 1, failures: [{ file: 'a.test.ts', name: 'adds', why: 'expected 2 to be 3' }] }) }`;
  const { last, stdout, status } = endOf(stage);
  expect(stdout).toContain('\nfailed: a.test.ts adds\n  expected 2 to be 3\n');
  expect(last).toEqual(['2 passed, 1 failed', '']);
  expect(status).toBe(1);
});

const read = (expression: string): unknown => {
  const script = `import * as reports from './test_reports.mjs'; console.log(JSON.stringify(reports.${expression}));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
};

test('a report of the browser tests is read however deep', () => {
  const one = (title: string, status: string) => ({
    title,
    file: 'a.spec.ts',
    line: 7,
    tests: [{ status, results: [{ error: { message: '\u001b[31mslow\u001b[39m' } }, {}] }],
  });
  const suites = [
    { specs: [one('at once', 'expected')], suites: [{ specs: [one('again', 'flaky'), one('never', 'unexpected')] }] },
  ];
  const report = { stats: { expected: 1, flaky: 1, unexpected: 1, skipped: 0 }, suites };
  expect(read(`readPlaywright(${JSON.stringify(report)})`)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    flaky: ['a.spec.ts:7 again\n  slow'],
    failures: [{ file: 'a.spec.ts:7', name: 'never', why: 'slow' }],
  });
});

test('files that failed are tried once more by themselves: what passes then is named, what fails again is a failure', () => {
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
  const first = read(`readVitest(${JSON.stringify(report)}, '/here')`) as { failed: number; failures: unknown[] };
  expect(first).toMatchObject({ passed: 10, failed: 4, skipped: 1 });
  expect(first.failures[3]).toEqual({ file: 'c.test.ts', name: 'as a whole', why: 'hung' });
  const again = (second: unknown) => read(`afterSecondTry(${JSON.stringify(first)}, ${JSON.stringify(second)})`);
  expect(again({ passed: 4, failed: 0, failures: [] })).toMatchObject({ passed: 13, failed: 0, failures: [] });
  expect(again({ passed: 3, failed: 1, failures: [{ file: 'b.test.ts', name: 'three' }] })).toMatchObject({
    passed: 12,
    failed: 1,
    failures: [{ file: 'b.test.ts', name: 'three' }],
    flaky: ['a.test.ts one\n  no\n  at a line', 'a.test.ts two\n  no\n  at a line', 'c.test.ts as a whole\n  hung'],
  });
  expect(again({ passed: 0, failed: 1 }), 'a second run that came to no end').toEqual(first);
});

test('every file of browser tests is in one part, those that nobody has timed too; the longest stands with the fewest', () => {
  const names = ['accessible', 'access', 'inbox', 'team', 'brand_new', 'newer'].map((name) => `${name}.spec.ts`);
  const script = `import { shardsOf } from './test_shards.mjs'; console.log(JSON.stringify(shardsOf(${JSON.stringify(names)}, 2)));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 20_000,
  });
  const parts = JSON.parse(stdout) as string[][];
  expect(parts.flat().sort()).toEqual([...names].sort());
  expect(parts.map((part) => part.length).sort()).toEqual([1, 5]);
  expect(parts.find((part) => part.length === 1)).toEqual(['accessible.spec.ts']);
});

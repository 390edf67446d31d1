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

test('it is found in a report of the browser tests, however deep', () => {
  const one = (title: string, status: string) => ({ title, file: 'a.spec.ts', line: 7, tests: [{ status }] });
  const report = [
    { specs: [one('at once', 'expected')], suites: [{ specs: [one('again', 'flaky'), one('never', 'unexpected')] }] },
  ];
  const script = `import { flakyIn } from './test.mjs'; console.log(JSON.stringify(${JSON.stringify(report)}.flatMap(flakyIn)));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toEqual(['a.spec.ts:7 again']);
});

// What the test runners write down, read for the sum at the end of `npm test`: how many passed, which did not and why, which passed at a
// second try only.
import { relative } from 'node:path';

/** A failure is told in lines that fit the end of a log. */
const firstLines = (text = '') => stripped(text).trim().split('\n').slice(0, 4).join('\n  ').slice(0, 500);
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one.
const stripped = (text) => text.replace(/\u001b\[[0-9;]*m/g, '');

/** A report of Vitest; a file that did not load has no tests and is one failure. Paths are told from `root`. */
export function readVitest({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }, root) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((one) => one.status === 'failed');
    // Its tests passed, and what came before or after them did not.
    if (failed.length === 0 && status === 'failed') return [{ file, name: 'as a whole', why: firstLines(message) }];
    return failed.map((one) => ({ file, name: one.fullName, why: firstLines(one.failureMessages?.[0]) }));
  });
  const whole = failures.filter(({ name }) => name === 'as a whole').length;
  return {
    passed: numPassedTests,
    failed: numFailedTests + whole,
    skipped: numPendingTests + numTodoTests,
    failures,
  };
}

/** What a first run found, now that the files that failed in it ran once more by themselves. */
export function afterSecondTry(first, second) {
  const still = new Set((second.failures ?? []).map(({ file }) => file));
  const mended = first.failures.filter(({ file }) => !still.has(file));
  // A second run that came to no end mends nothing.
  if (second.failed > 0 && still.size === 0) return first;
  const tests = mended.filter(({ name }) => name !== 'as a whole').length;
  return {
    ...first,
    passed: first.passed + tests,
    failed: first.failed - mended.length,
    failures: first.failures.filter(({ file }) => still.has(file)),
    flaky: mended.map(({ file, name, why }) => `${file} ${name}\n  ${why}`),
  };
}

/** A report of Playwright, which tries a second time by itself. */
export function readPlaywright({ stats, suites }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    flaky: suites
      .flatMap((suite) => ofStatus(suite, 'flaky'))
      .map(({ file, name, why }) => `${file} ${name}\n  ${why}`),
    failures: suites.flatMap((suite) => ofStatus(suite, 'unexpected')),
  };
}

function ofStatus({ suites = [], specs = [] }, status) {
  const here = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter((one) => one.status === status)
      .map(({ results = [] }) => ({
        file: `${file}:${line}`,
        name: title,
        why: firstLines(results.find(({ error }) => error)?.error.message),
      })),
  );
  return [...here, ...suites.flatMap((suite) => ofStatus(suite, status))];
}

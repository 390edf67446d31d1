/**
 * Reads the test runners' reports for the summary of `npm test`: how many tests passed, which failed and why, and which
 * passed only on retry.
 */
import { relative } from 'node:path';

/** Shortens a failure message to a few lines for the end of the log. */
const firstLines = (text = '') => stripColors(text).trim().split('\n').slice(0, 4).join('\n  ').slice(0, 500);
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal color codes begin with one.
const stripColors = (text) => text.replace(/\u001b\[[0-9;]*m/g, '');

/**
 * Reads a Vitest report. A file that does not load has no tests and counts as one failure. Paths are relative to
 * `root`.
 */
export function readVitest({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }, root) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((one) => one.status === 'failed');
    // All tests passed, but a hook or the file itself failed.
    if (failed.length === 0 && status === 'failed') return [{ file, name: 'as a whole', why: firstLines(message) }];
    return failed.map((one) => ({ file, name: one.fullName, why: firstLines(one.failureMessages?.[0]) }));
  });
  const wholeFiles = failures.filter(({ name }) => name === 'as a whole').length;
  return {
    passed: numPassedTests,
    failed: numFailedTests + wholeFiles,
    skipped: numPendingTests + numTodoTests,
    failures,
  };
}

/** Merges the results of the first run with those of the retried files. */
export function mergeRetry(first, second) {
  const failedAgain = new Set((second.failures ?? []).map(({ file }) => file));
  const recovered = first.failures.filter(({ file }) => !failedAgain.has(file));
  // A retry that did not finish proves nothing.
  if (second.failed > 0 && failedAgain.size === 0) return first;
  const tests = recovered.filter(({ name }) => name !== 'as a whole').length;
  return {
    ...first,
    passed: first.passed + tests,
    failed: first.failed - recovered.length,
    failures: first.failures.filter(({ file }) => failedAgain.has(file)),
    flaky: recovered.map(({ file, name, why }) => `${file} ${name}\n  ${why}`),
  };
}

/** Reads a Playwright report. Playwright handles its own retries. */
export function readPlaywright({ stats, suites }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    flaky: suites
      .flatMap((suite) => listByStatus(suite, 'flaky'))
      .map(({ file, name, why }) => `${file} ${name}\n  ${why}`),
    failures: suites.flatMap((suite) => listByStatus(suite, 'unexpected')),
  };
}

function listByStatus({ suites = [], specs = [] }, status) {
  const here = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter((one) => one.status === status)
      .map(({ results = [] }) => ({
        file: `${file}:${line}`,
        name: title,
        why: firstLines(results.find(({ error }) => error)?.error.message),
      })),
  );
  return [...here, ...suites.flatMap((suite) => listByStatus(suite, status))];
}

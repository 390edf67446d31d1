// `npm test`: everything there is to check, from a fresh clone, one stage after the other; a stage that fails does not hide the next.
// `npm test -- types unit` runs only these. The last line is the sum: `N passed, N failed`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, NODE } from './start.mjs';
import { afterSecondTry, readPlaywright, readVitest } from './test_reports.mjs';
import { asArguments, shardsOf, specsIn } from './test_shards.mjs';

const ROOT = dirname(fileURLToPath(import.meta.url));
const BIN = join(ROOT, 'node_modules', '.bin');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const STAGES = [
  { name: 'lint', minutes: 3, run: check('biome', ['check', '.']) },
  { name: 'types', minutes: 5, run: check('tsc', ['-p', 'tsconfig.json']) },
  { name: 'types of the web', minutes: 5, run: check('tsc', ['-p', 'web/tsconfig.json']) },
  { name: 'unit', minutes: 20, run: vitest },
  { name: 'web build', minutes: 5, run: check(NODE, ['start.mjs', 'build']) },
  { name: 'budgets', minutes: 1, run: check(NODE, ['web/budgets.mjs'], lastJson) },
  { name: 'browser', minutes: 20, run: playwright },
];

/** What runs now: ended with us. */
const running = new Set();
let scratch = '';
/** Runs a program in a process group of its own, shows what it says, and ends the whole group when it takes too long. */
function run(file, args, { minutes, env = {} }) {
  return new Promise((resolve) => {
    const child = spawn(file.includes('/') ? file : join(BIN, file), args, {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env, PATH: `${BIN}${delimiter}${process.env.PATH}`, CHROMIUM },
    });
    running.add(child);
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      process.stdout.write(chunk);
    });
    const timer = setTimeout(() => {
      console.log(`No end after ${minutes} minutes: stopped`);
      endGroup(child);
    }, minutes * 60_000);
    child.on('error', (error) => {
      console.log(error.message);
      clearTimeout(timer);
      running.delete(child);
      resolve({ ok: false, text });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ ok: code === 0, text });
    });
  });
}

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGTERM');
    setTimeout(() => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Ended.
      }
    }, 10_000).unref();
  } catch {
    // Ended.
  }
}

/** A program that passes or fails as a whole, unless it counts for itself. */
export function check(file, args, count) {
  return async (limits) => {
    const { ok, text } = await run(file, args, limits);
    return count?.(text) ?? { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  };
}

function lastJson(text) {
  try {
    const { passed, failed } = JSON.parse(text.trim().split('\n').at(-1));
    return Number.isInteger(passed) && Number.isInteger(failed) ? { passed, failed } : null;
  } catch {
    return null;
  }
}

/** What a test runner wrote down; a runner that failed without a failed test (a file that does not load, a hang) counts as one. */
function counted(file, ok, read) {
  const found = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : { passed: 0, failed: 0 };
  if (!ok && found.failed === 0) found.failed = 1;
  if (ok && found.passed === 0) found.failed = 1;
  return found;
}

/** A whole file is what is tried a second time: its tests tell one story, on a database of their own. */
const MOST_FILES_AGAIN = 5;

async function vitest(limits) {
  const first = await vitestOnce(limits, 'vitest.json', []);
  const again = first.failures ? [...new Set(first.failures.map(({ file }) => file))] : [];
  if (again.length === 0 || again.length > MOST_FILES_AGAIN) return first;
  console.log(`\nA second try: ${again.join(', ')}`);
  return afterSecondTry(first, await vitestOnce(limits, 'vitest-again.json', again));
}

async function vitestOnce(limits, name, files) {
  const file = join(scratch, name);
  const args = ['run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { ok } = await run('vitest', args, limits);
  return counted(file, ok, (report) => readVitest(report, ROOT));
}

/** A browser waits a good part of the time: one half of the files beside the other, each half with a Parley of its own. */
const SHARDS = 2;

async function playwright(limits) {
  if (!demandChromium()) return { passed: 0, failed: 1 };
  const shards = shardsOf(specsIn(join(ROOT, 'e2e')), SHARDS);
  const parts = await Promise.all(shards.map((files, index) => shard(index + 1, files, limits)));
  return {
    passed: sumOf(parts, 'passed'),
    failed: sumOf(parts, 'failed'),
    skipped: sumOf(parts, 'skipped'),
    flaky: parts.flatMap(({ flaky = [] }) => flaky),
    failures: parts.flatMap(({ failures = [] }) => failures),
  };
}

const sumOf = (parts, name) => parts.reduce((sum, part) => sum + (part[name] ?? 0), 0);

async function shard(number, files, limits) {
  const file = join(scratch, `playwright-${number}.json`);
  const results = join(ROOT, 'e2e/test-results', String(number));
  // One that passes at its second try does not stop a release, and is named in the sum so that somebody looks at it.
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', '--retries=1'];
  const { ok } = await run('playwright', [...args, '--output', results, ...asArguments(files)], {
    ...limits,
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file, PLAYWRIGHT_JSON_OUTPUT_FILE: file, PARLEY_E2E_RESULTS: results },
  });
  return counted(file, ok, readPlaywright);
}

function demandChromium() {
  if (existsSync(CHROMIUM)) return true;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    console.log('Installing Chromium ...');
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    spawnSync('apt-get', ['update', '-qq'], options);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
    if (existsSync(CHROMIUM)) return true;
  }
  console.log('Chromium is needed for the browser tests: install the package chromium, or set CHROMIUM to its path.');
  return false;
}

/** Whatever becomes of a stage, the last line is the sum. */
export async function runStages(stages) {
  const sum = { passed: 0, failed: 0, skipped: 0, flaky: [], failures: [] };
  const table = [];
  for (const { name, minutes, run: stage } of stages) {
    console.log(`\n== ${name} ==`);
    const began = Date.now();
    const {
      passed,
      failed,
      skipped = 0,
      flaky = [],
      failures = [],
    } = await stage({ minutes }).catch((error) => {
      console.log(error.stack);
      return { passed: 0, failed: 1 };
    });
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
    sum.flaky.push(...flaky);
    sum.failures.push(...failures);
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    table.push(
      `${failed ? 'FAILED' : 'ok    '}  ${name.padEnd(18)} ${seconds.padStart(7)} s   ${passed} passed, ${failed} failed`,
    );
  }
  console.log(`\n${table.join('\n')}`);
  if (sum.skipped > 0) console.log(`${sum.skipped} left out on this machine (see above)`);
  return tell(sum);
}

function tell({ passed, failed, flaky = [], failures = [] }) {
  for (const { file, name, why } of failures) console.log(`\nfailed: ${file} ${name}\n  ${why}`);
  if (flaky.length > 0) console.log(`\n${flaky.map((name) => `flaky: ${name}`).join('\n')}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

async function main(asked) {
  const unknown = asked.filter((word) => !STAGES.some(({ name }) => name === word || name.split(' ')[0] === word));
  if (unknown.length > 0) {
    console.error(`There is no stage ${unknown.join(', ')}: ${STAGES.map(({ name }) => name).join(', ')}`);
    return 1;
  }
  if (!install()) return tell({ passed: 0, failed: 1 });
  scratch = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const tidy = () => rmSync(scratch, { recursive: true, force: true });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      for (const child of running) endGroup(child);
      tidy();
      process.exit(130);
    });
  }
  const wanted = ({ name }) => asked.length === 0 || asked.includes(name) || asked.includes(name.split(' ')[0]);
  try {
    return await runStages(STAGES.filter(wanted));
  } finally {
    tidy();
  }
}

if (process.argv[1] && fileURLToPath(import.meta.url) === realpathSync(process.argv[1]))
  process.exitCode = await main(process.argv.slice(2));

/**
 * `npm test`: runs every check from a fresh clone. A failed stage does not prevent the next one from running. If the
 * machine has enough memory, lint and types run beside the unit tests. `npm test -- types unit` runs only these stages.
 * The last line is the summary: `N passed, N failed`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, NODE } from './start.mjs';
import { mergeRetry, readPlaywright, readVitest } from './test_reports.mjs';
import { asArguments, listSpecs, splitIntoShards } from './test_shards.mjs';

const ROOT = dirname(fileURLToPath(import.meta.url));
const BIN = join(ROOT, 'node_modules', '.bin');
/** Debian's packages, in order of preference. The headless shell needs about half the processor time. */
const BROWSERS = ['chromium-headless-shell', 'chromium'];
const findChromium = () => process.env.CHROMIUM ?? BROWSERS.map((name) => `/usr/bin/${name}`).find(existsSync);

/**
 * Lint and types run beside the unit tests, which leave some of the CPU idle. With one thread, types take half the CPU
 * time.
 */
const STAGES = [
  // Also used by the unit tests that start Parley.
  { name: 'web build', minutes: 5, run: check(NODE, ['start.mjs', 'build']) },
  { name: 'lint', lane: 'code', minutes: 5, run: check('biome', ['check', '.']) },
  { name: 'types', lane: 'code', minutes: 8, run: check('tsc', ['-p', 'tsconfig.json', '--singleThreaded']) },
  {
    name: 'types of the web',
    lane: 'code',
    minutes: 8,
    run: check('tsc', ['-p', 'web/tsconfig.json', '--singleThreaded']),
  },
  { name: 'unit', lane: 'unit', minutes: 40, run: vitest },
  { name: 'budgets', minutes: 1, run: check(NODE, ['web/budgets.mjs'], lastJson) },
  { name: 'browser', minutes: 40, run: playwright },
];
/**
 * Run only if they are selected: the model and crash tests with many more runs and random input, and the accessibility
 * checks at every combination of width and theme, and an export of a million rows.
 */
const SOAKS = [
  { name: 'soak', minutes: 180, run: soak },
  { name: 'soak build', minutes: 5, run: check(NODE, ['start.mjs', 'build']) },
  { name: 'soak browser', minutes: 60, run: soakBrowser },
];

/** Running child processes, which are killed when this process ends. */
const running = new Set();
let scratch = '';

const write = (text) => process.stdout.write(text);

/** Runs a program in its own process group, prints its output, and kills the whole group after the time limit. */
function run(file, args, { minutes, env = {}, print = write }) {
  return new Promise((resolve) => {
    const child = spawn(file.includes('/') ? file : join(BIN, file), args, {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CHROMIUM: findChromium(), ...env, PATH: `${BIN}${delimiter}${process.env.PATH}` },
    });
    running.add(child);
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      print(chunk);
    });
    const timer = setTimeout(() => {
      print(`Stopped: not finished after ${minutes} minutes\n`);
      endGroup(child);
    }, minutes * 60_000);
    child.on('error', (error) => {
      print(`${error.message}\n`);
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
        // The process has already exited.
      }
    }, 10_000).unref();
  } catch {
    // The process has already exited.
  }
}

/** Builds a stage that runs a program. The stage counts as one check unless `count` reads figures from the output. */
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

/**
 * Reads a test runner's report. If the runner fails but no test does (because a file does not load or the runner
 * hangs), this counts as one failure.
 */
function readReport(file, ok, read) {
  const result = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : { passed: 0, failed: 0 };
  if (!ok && result.failed === 0) result.failed = 1;
  if (ok && result.passed === 0) result.failed = 1;
  return result;
}

/**
 * If more files than this fail, none are retried. A file is retried as a whole, because its tests share one database.
 */
const MAX_RETRIED_FILES = 5;

async function vitest(limits) {
  if (!ensureChromium()) return { passed: 0, failed: 1 };
  const first = await vitestOnce(limits, 'vitest.json', []);
  const failedFiles = first.failures ? [...new Set(first.failures.map(({ file }) => file))] : [];
  if (failedFiles.length === 0 || failedFiles.length > MAX_RETRIED_FILES) return first;
  limits.print(`\nRetrying: ${failedFiles.join(', ')}\n`);
  return mergeRetry(first, await vitestOnce(limits, 'vitest-retry.json', failedFiles));
}

/** Files that import server/src/test/soak/soak.ts run longer here. */
function soak(limits) {
  const folder = join(ROOT, 'server/src');
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .filter((file) => /from '[./a-z]+soak\/soak\.ts'/.test(readFileSync(file, 'utf8')));
  return vitestOnce({ ...limits, env: { SOAK: '1' } }, 'soak.json', files);
}

/** Browser tests that take too long for `npm test`. */
const isSoakSpec = (name) => name.endsWith('.soak.spec.ts');

async function soakBrowser(limits) {
  if (!ensureChromium()) return { passed: 0, failed: 1 };
  const files = listSpecs(join(ROOT, 'e2e')).filter((name) => name.startsWith('accessible') || isSoakSpec(name));
  return runShard(1, files, { ...limits, env: { SOAK: '1' } });
}

async function vitestOnce(limits, name, files) {
  const file = join(scratch, name);
  const args = ['run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { ok } = await run('vitest', args, limits);
  return readReport(file, ok, (report) => readVitest(report, ROOT));
}

/** Browser tests spend much of their time waiting, so parts of the files run in parallel, each with its own Parley. */
const SHARDS = availableParallelism() + 2;

async function playwright(limits) {
  if (!ensureChromium()) return { passed: 0, failed: 1 };
  const shards = splitIntoShards(
    listSpecs(join(ROOT, 'e2e')).filter((name) => !isSoakSpec(name)),
    SHARDS,
  );
  const parts = await Promise.all(shards.map((files, index) => runShard(index + 1, files, limits)));
  return sumUp(parts);
}

const sumUp = (parts) => ({
  passed: total(parts, 'passed'),
  failed: total(parts, 'failed'),
  skipped: total(parts, 'skipped'),
  flaky: parts.flatMap(({ flaky = [] }) => flaky),
  failures: parts.flatMap(({ failures = [] }) => failures),
});
const total = (parts, name) => parts.reduce((sum, part) => sum + (part[name] ?? 0), 0);

async function runShard(number, files, limits) {
  const file = join(scratch, `playwright-${number}.json`);
  const results = join(ROOT, 'e2e/test-results', String(number));
  // A test that passes on retry does not block a release, but the summary names it as flaky.
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', '--retries=1'];
  const { ok } = await run('playwright', [...args, '--output', results, ...asArguments(files)], {
    ...limits,
    env: {
      ...limits.env,
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      PARLEY_E2E_RESULTS: results,
    },
  });
  return readReport(file, ok, readPlaywright);
}

function ensureChromium() {
  if (existsSync(findChromium() ?? '')) return true;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    console.log('Installing Chromium ...');
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    spawnSync('apt-get', ['update', '-qq'], options);
    for (const name of BROWSERS) {
      spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options);
      if (findChromium()) return true;
    }
  }
  console.log('The tests need Chromium: install the package chromium, or set CHROMIUM to its path.');
  return false;
}

/** The unit tests and the compiler take up to 6 GiB together. */
const MEMORY_FOR_LANES = 8 * 1024 ** 3;

/** Older versions of Node 20 do not know the limit of a container. */
const freeBytes = () => process.availableMemory?.() ?? freemem();

/** Runs the stages. The last line of the output is the summary, even if a stage throws. */
export async function runStages(stages, { beside = freeBytes() >= MEMORY_FOR_LANES } = {}) {
  const results = new Map();
  const runLane = async (lane, print) => {
    for (const stage of lane) results.set(stage, await runStage(stage, print));
  };
  for (const lanes of groupByLane(stages, beside))
    await Promise.all(lanes.map((lane) => runLane(lane, lanes.length > 1 ? prefixLines(lane[0].lane) : write)));
  const parts = stages.map((stage) => results.get(stage));
  console.log(`\n${stages.map((stage) => describe(stage, results.get(stage))).join('\n')}`);
  const skipped = total(parts, 'skipped');
  if (skipped > 0) console.log(`${skipped} skipped on this machine (see above)`);
  return report(sumUp(parts));
}

/** Returns groups of lanes, each a list of stages. The lanes of a group run at the same time. */
function groupByLane(stages, beside) {
  const groups = [];
  for (const stage of stages) {
    const group = groups.at(-1);
    if (!beside || !stage.lane || !group?.[0][0].lane) groups.push([[stage]]);
    else {
      const lane = group.find(([{ lane }]) => lane === stage.lane);
      if (lane) lane.push(stage);
      else group.push([stage]);
    }
  }
  return groups;
}

/** Returns a function that prints whole lines with the name of their lane. */
function prefixLines(lane) {
  let rest = '';
  return (text) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop();
    for (const line of lines) write(`${lane.padEnd(7)} | ${line}\n`);
  };
}

async function runStage({ name, minutes, run: stage }, print) {
  print(`\n== ${name} ==\n`);
  const startedAt = Date.now();
  const result = await stage({ minutes, print }).catch((error) => {
    print(`${error.stack}\n`);
    return { passed: 0, failed: 1 };
  });
  return { ...result, seconds: (Date.now() - startedAt) / 1000 };
}

function describe({ name }, { seconds, passed, failed }) {
  const result = `${seconds.toFixed(1).padStart(7)} s   ${passed} passed, ${failed} failed`;
  return `${failed ? 'FAILED' : 'ok    '}  ${name.padEnd(18)} ${result}`;
}

function report({ passed, failed, flaky = [], failures = [] }) {
  for (const { file, name, why } of failures) console.log(`\nfailed: ${file} ${name}\n  ${why}`);
  if (flaky.length > 0) console.log(`\n${flaky.map((name) => `flaky: ${name}`).join('\n')}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

async function main(names) {
  const all = [...STAGES, ...SOAKS];
  const unknown = names.filter((word) => !all.some(({ name }) => name === word || name.split(' ')[0] === word));
  if (unknown.length > 0) {
    console.error(`Unknown stage ${unknown.join(', ')}. Stages: ${all.map(({ name }) => name).join(', ')}`);
    return 1;
  }
  if (!install()) return report({ passed: 0, failed: 1 });
  scratch = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const cleanUp = () => rmSync(scratch, { recursive: true, force: true });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      for (const child of running) endGroup(child);
      cleanUp();
      process.exit(130);
    });
  }
  const isSelected = ({ name }) => names.includes(name) || names.includes(name.split(' ')[0]);
  try {
    return await runStages(names.length === 0 ? STAGES : all.filter(isSelected));
  } finally {
    cleanUp();
  }
}

if (process.argv[1] && fileURLToPath(import.meta.url) === realpathSync(process.argv[1]))
  process.exitCode = await main(process.argv.slice(2));

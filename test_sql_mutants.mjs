/**
 * Changes the SQL of a file in small ways, one at a time, and runs tests against each change. Stryker changes only
 * TypeScript, but many rules about money and messages are conditions in SQL.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(fileURLToPath(import.meta.url));
const MINUTES = 10;

/** The text to find in a statement, and its replacement. */
const CHANGES = [
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ <> /g, ' = '],
  [/(?<=\b(?:where|and|or|when) [^=\n]*) = (?!any\b)/g, ' <> '],
  [/ (?<=[a-z_)}] )\+ (?=[a-z_$(])/g, ' - '],
  [/ (?<=[a-z_)}] )- (?=[a-z_$(])/g, ' + '],
  [/\bnot exists\b/g, 'exists'],
  [/(?<!not )\bexists(?= \()/g, 'not exists'],
  [/\bfor update( of \w+)? skip locked/g, ''],
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/\bgreatest\(/g, 'least('],
  [/\bleast\(/g, 'greatest('],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  [/ and (?!exclude)/g, ' or '],
  [/ or (?!replace)/g, ' and '],
  [/ filter \(where [^()]*\)/g, ''],
  [/ desc\b/g, ' asc'],
];

/** The statements of a file: where each `sql` template starts and ends, without nested templates. */
function* statements(source) {
  for (const { index } of source.matchAll(/\bsql`/g)) {
    let depth = 0;
    for (let at = index + 4; at < source.length; at++) {
      if (source.startsWith('${', at)) depth++;
      else if (source[at] === '}' && depth > 0) depth--;
      else if (source[at] === '`' && depth === 0) {
        yield [index + 4, at];
        break;
      }
    }
  }
}

/** Every changed version of a source, each with a description that names the line. */
export function listMutants(source) {
  const mutants = [];
  for (const [start, end] of statements(source)) {
    const statement = source.slice(start, end);
    for (const [pattern, replacement] of CHANGES)
      for (const { 0: text, index } of statement.matchAll(pattern)) {
        if (isInExpression(statement, index)) continue;
        const at = start + index;
        const line = source.slice(0, at).split('\n').length;
        mutants.push({
          name: `line ${line}: "${text.trim()}" -> "${replacement.trim()}" in ${source.split('\n')[line - 1].trim()}`,
          source: source.slice(0, at) + replacement + source.slice(at + text.length),
        });
      }
  }
  return mutants;
}

/** Whether a position lies in `${...}`, which is TypeScript. */
function isInExpression(statement, index) {
  let depth = 0;
  for (let at = 0; at < index; at++) {
    if (statement.startsWith('${', at)) depth++;
    else if (statement[at] === '}' && depth > 0) depth--;
  }
  return depth > 0;
}

/** Runs the tests against each changed version in a copy of the last commit. Returns the counts and the survivors. */
export function runSqlMutants({ sql, tests }) {
  const copy = mkdtempSync(join(tmpdir(), 'parley-mutants-'));
  const git = (...args) => spawnSync('git', ['-C', ROOT, ...args], { stdio: 'ignore' });
  git('worktree', 'add', '--detach', copy, 'HEAD');
  try {
    for (const folder of ['.', 'contract', 'smpp', 'server', 'web', 'sandbox'])
      if (existsSync(join(ROOT, folder, 'node_modules')))
        symlinkSync(join(ROOT, folder, 'node_modules'), join(copy, folder, 'node_modules'));
    if (!passes(copy, tests)) throw new Error(`The tests fail without a change: ${tests.join(' ')}`);
    const survivors = [];
    let total = 0;
    for (const file of sql) {
      const path = join(copy, file);
      const original = readFileSync(path, 'utf8');
      for (const { name, source } of listMutants(original)) {
        writeFileSync(path, source);
        total++;
        if (!passes(copy, tests)) continue;
        survivors.push(`${file} ${name}`);
        console.log(`Survived: ${survivors.at(-1)}`);
      }
      writeFileSync(path, original);
    }
    return { total, survivors };
  } finally {
    git('worktree', 'remove', '--force', copy);
    rmSync(copy, { recursive: true, force: true });
  }
}

function passes(folder, tests) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--project', 'server', '--bail=1', '--testTimeout=30000', '--reporter=dot', ...tests];
  const env = { ...process.env, VITEST_MAX_WORKERS: '2' };
  return (
    spawnSync(process.execPath, args, { cwd: folder, env, stdio: 'ignore', timeout: MINUTES * 60_000 }).status === 0
  );
}

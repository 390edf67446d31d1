/**
 * Checks the limits on sizes and imports in docs/architecture.md: functions, lines, folders, cycles, exports, and
 * names.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { ROOT, SOURCES, type SourceFile } from './source.ts';

const MAX_FUNCTION = 80;
const MAX_LINE = 120;
const MAX_FOLDER = 30;

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const CODE = SOURCES.filter(({ path }) => /\.(ts|tsx|mjs|js)$/.test(path));

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

function parse({ path, text }: SourceFile): Node {
  const lang = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js';
  return parseAst(text, { lang }) as unknown as Node;
}

/** True for calls to `describe`, `test`, and the like, whose callbacks group tests and have no size limit. */
function isTestCall(node: Node): boolean {
  let callee = node.callee as Node | undefined;
  while (callee && callee.type !== 'Identifier')
    callee = (callee.object ?? callee.callee ?? callee.tag) as Node | undefined;
  return ['describe', 'test', 'it'].includes(String(callee?.name));
}

/** Returns the functions in a file, except the callbacks of test calls. */
function listFunctions(file: SourceFile): Node[] {
  const functions: Node[] = [];
  const visit = (node: Node, isCallback: boolean): void => {
    if (FUNCTIONS.has(node.type) && !isCallback) functions.push(node);
    const callbacks = file.test && node.type === 'CallExpression' && isTestCall(node);
    for (const child of children(node)) visit(child, callbacks && FUNCTIONS.has(child.type));
  };
  visit(parse(file), false);
  return functions;
}

const countLines = (text: string): number => text.split('\n').length;

test('no function is longer than 80 lines', () => {
  const long = CODE.flatMap((file) =>
    listFunctions(file)
      .map(({ start, end }) => ({ start, lines: countLines(file.text.slice(start, end)) }))
      .filter(({ lines }) => lines > MAX_FUNCTION)
      .map(({ start, lines }) => `${file.path}:${countLines(file.text.slice(0, start))} has ${lines} lines`),
  );
  expect(long).toEqual([]);
});

test('no function or constant is named <noun>Of', () => {
  const declaration = /(?:^|[^\w.])(?:function|const|let)\s+([a-z]\w*Of)\b/g;
  const named = CODE.flatMap(({ path, text }) => [...text.matchAll(declaration)].map(([, name]) => `${path}: ${name}`));
  expect(named).toEqual([]);
});

/** First words of names that are not verbs. A list, a row, and a value are named list, find, and read. */
const NOT_VERBS = new Set(
  `account accounts active all allowed announced approval approved assignment audience audiences available balance
  binaries bulk cached campaign campaigns candidates changed clicks code codes company connection connections consents
  contact contacts content conversation conversations counted credentials current customer customers dashboard delivery
  devices disputed drafts due dynamic earlier effective enabled entry erasures error event existing failed form found
  further highest history home ids inbox invitation invitations invoice job key keys keywords known labels last
  latest ledger links listed live logged longest lookup matching media member message messages missing months networks
  notes numbers operator other our outgoing overdue own owner page password payment pending people person personal
  phones planned pool prices proposal provider rate readers ready received recipients removed rented replies
  requested result results role route rule rules same sender senders sent sessions settings shared statement
  stopped stops subaccount target team teams template templates testable thumbnail timeline unfinished unique unknown
  unseen unused usable usage user users values variable violation visible waiting warning webhook webhooks website`
    .split(/\s+/)
    .filter(Boolean),
);

/** Declarations of functions that are asynchronous, or whose first parameter is the database or the kernel. */
const WORKING = [
  /\basync function\*? ([a-z]\w*)/g,
  /\bfunction ([a-z]\w*)(?:<[^(]*>)?\(\s*(?:db|tx|kernel)\b/g,
  /\bconst ([a-z]\w*) = (?:async\b|(?:<[^(]*>)?\(\s*(?:db|tx|kernel)\b)/g,
];

test('no function that works with the database or waits is named by a noun', () => {
  const declared = CODE.filter(({ test: isTest }) => !isTest).flatMap(({ path, text }) =>
    WORKING.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => ({ path, name: name! }))),
  );
  expect(declared.length).toBeGreaterThan(2_000);
  const nouns = declared.filter(
    ({ name }) => NOT_VERBS.has(/^[a-z]+/.exec(name)![0]) || /^(?!(list|find|read|count|lock))\w+ById$/.test(name),
  );
  expect(nouns.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

const TRACKED = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Written by a program, with each type on one line. */
const GENERATED = 'sdk/src/generated.ts';

test('no line is longer than 120 columns', () => {
  const files = TRACKED.filter((path) => /\.(ts|tsx|mjs|js|css|sql)$/.test(path) && path !== GENERATED);
  expect(files.length).toBeGreaterThan(1_000);
  const long = files.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length > MAX_LINE ? [`${path}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

test('no folder except the migrations contains more than 30 files', () => {
  const counts = new Map<string, number>();
  for (const path of TRACKED) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (!/^(contract|cli|n8n|smpp|server|web|sandbox|e2e|bench)\//.test(path)) continue;
    // Migrations are a sequence that only grows, and their order is read in one place.
    if (folder === 'server/migrations') continue;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > MAX_FOLDER)).toEqual([]);
});

/**
 * Returns groups of files that import each other, found with Tarjan's algorithm over static imports, including type
 * imports.
 */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const open = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    stack.push(file);
    open.add(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.has(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    for (const member of group) open.delete(member);
    if (group.length > 1) cycles.push(group.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

/** Returns the file that an import names. */
const resolve = (name: string): string => name.replace(/^@parley\/(\w+)\//, '$1/src/');

test('no files import each other in a cycle, including type imports', () => {
  const graph = new Map(
    CODE.map(({ path, text, imports }) => {
      const lazy = [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, name]) => name!.split('/').at(-1));
      return [path, imports.map(resolve).filter((name) => !lazy.includes(name.split('/').at(-1)))] as const;
    }),
  );
  expect(
    findCycles(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ),
  ).toEqual([['b', 'c']]);
  expect(findCycles(graph)).toEqual([]);
});

test('no export is unused', () => {
  const uses = new Map<string, number>();
  for (const { text } of CODE)
    for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) uses.set(word, (uses.get(word) ?? 0) + 1);
  const declaration = /^export (?:async )?(?:const|let|function|class|interface|type|enum)\s+([\w$]+)/gm;
  const unused = CODE.flatMap(({ path, text }) =>
    [...text.matchAll(declaration)].filter(([, name]) => uses.get(name!) === 1).map(([, name]) => `${path}: ${name}`),
  );
  expect(unused).toEqual([]);
});

/** The rules of docs/architecture.md that a machine can hold. A rule that is wrong is changed there and here, not worked around. */
import { ENDPOINTS } from '@parley/contract/index.ts';
import { expect, test } from 'vitest';
import { SETTINGS } from '../kernel/settings/settings.ts';
import { ROUTES } from '../modules.ts';
import { read, SOURCES, type SourceFile, under } from './source.ts';

/** Longer than 400 lines, with the reason. */
const LONG: Readonly<Record<string, string>> = {};

/** Which modules a module may import: those of the rows above, and of its own row in one direction. */
const ORDER = [
  ['connections'],
  ['auth', 'accounts', 'team'],
  ['media', 'senders', 'numbers', 'registrations', 'templates', 'audiences', 'links', 'limits', 'billing'],
  ['messages'],
  ['campaigns', 'inbox', 'lookups', 'crm'],
  ['insights', 'webhooks', 'admin'],
];
/**
 * The same for the folders of web/src; the files beside them, which hold the routes, stand above all. A row also names
 * modules that have no pages yet.
 */
const WEB_ORDER = [
  ['ui'],
  ['kernel'],
  ['media', 'channels'],
  ['auth', 'accounts', 'team', 'keys'],
  ['senders', 'numbers', 'registrations', 'templates', 'audiences', 'links', 'limits', 'billing'],
  ['messages'],
  ['campaigns', 'inbox', 'lookups', 'crm', 'verifications'],
  ['insights', 'webhooks'],
  ['settings', 'dashboard', 'onboarding', 'try_it_now', 'help', 'gallery', 'admin'],
  ['layouts'],
];
/** Data that every folder may import. */
const WEB_DATA = ['web/src/paths.ts', 'web/src/nav.ts'];
/** They listen to events; nobody leans on them. */
const LEAVES = ['insights', 'webhooks'];
const MODULES = ORDER.flat();

const own = (name: string): boolean => name.startsWith('@parley/');
const offences = (files: readonly SourceFile[], allowed: (name: string, file: SourceFile) => boolean): string[] =>
  files.flatMap((file) =>
    file.imports.filter((name) => !allowed(name, file)).map((name) => `${file.path} imports ${name}`),
  );
const testOnly = (name: string): boolean => /^(vitest|fast-check|node:|@testing-library\/)/.test(name);

test('the search finds imports of every form, so the rules below are not empty', () => {
  const all = SOURCES.flatMap((file) => file.imports);
  expect(SOURCES.length).toBeGreaterThan(150);
  for (const known of [
    'zod',
    'node:fs',
    '@parley/contract/index.ts',
    'server/src/kernel/db/db.ts',
    'server/src/seed/seed.ts',
  ])
    expect(all).toContain(known);
});

test('contract imports zod and itself', () => {
  expect(
    offences(
      under('contract'),
      (name, { test }) => name === 'zod' || name.startsWith('contract/') || (test && testOnly(name)),
    ),
  ).toEqual([]);
});

test('smpp imports Node, the alphabet, and nothing else', () => {
  expect(
    offences(
      under('smpp'),
      (name, { test }) =>
        /^node:|^smpp\//.test(name) ||
        name === '@parley/contract/channels/sms/gsm7.ts' ||
        (test && (testOnly(name) || name === 'smpp' || name.startsWith('@parley/contract/'))),
    ),
  ).toEqual([]);
});

test('server, web and sandbox do not know each other', () => {
  const others = (tree: string, allowed: readonly string[]) =>
    offences(under(tree), (name) =>
      own(name)
        ? allowed.some((one) => name.startsWith(`@parley/${one}/`))
        : !/^(contract|smpp|server|web|sandbox)\//.test(name) || name.startsWith(`${tree}/`),
    );
  expect(others('server', ['contract', 'smpp'])).toEqual([]);
  expect(others('web', ['contract'])).toEqual([]);
  expect(others('sandbox', ['smpp'])).toEqual([]);
});

test('the kernel knows no module', () => {
  const spine = /^@parley\/contract\/(endpoint|event|problem|permission|common)\.ts$/;
  expect(
    offences(under('server/src/kernel'), (name, { test }) =>
      own(name)
        ? spine.test(name) || test
        : !name.startsWith('server/') || name.startsWith('server/src/kernel/') || test,
    ),
  ).toEqual([]);
});

test('a channel knows neither a module nor the database', () => {
  expect(
    offences(
      under('server/src/channels').filter((file) => !file.test),
      (name) =>
        !name.startsWith('server/') ||
        name.startsWith('server/src/channels/') ||
        /^server\/src\/kernel\/(clock|log|http\/public_address)\.ts$/.test(name),
    ),
  ).toEqual([]);
});

test('the web pieces in ui know neither the kernel nor the contract', () => {
  expect(
    offences(
      under('web/src/ui').filter((file) => !file.test),
      (name) => !name.startsWith('@parley/') && (!name.startsWith('web/') || name.startsWith('web/src/ui/')),
    ),
  ).toEqual([]);
});

test('a module reaches another by its front door, and only downwards', () => {
  const rank = (module: string) => ORDER.findIndex((row) => row.includes(module));
  const wrong = under('server/src').flatMap((file) => {
    const from = file.path.split('/')[2]!;
    if (!MODULES.includes(from) || file.test) return [];
    return file.imports.flatMap((name) => {
      const [tree, , to = '', door] = name.split('/');
      if (tree !== 'server' || to === from || !MODULES.includes(to)) return [];
      if (door !== `${to}.ts`) return [`${file.path} imports ${name} past ${to}/${to}.ts`];
      if (rank(to) > rank(from) || LEAVES.includes(to))
        return [`${file.path} imports ${to}, which stands above ${from}`];
      return [];
    });
  });
  expect(wrong).toEqual([]);
  const folders = new Set(
    under('server/src')
      .map(({ path }) => path.split('/')[2]!)
      .filter((name) => !name.includes('.')),
  );
  expect([...folders].filter((name) => !MODULES.includes(name)).sort()).toEqual([
    'channels',
    'doctor',
    'kernel',
    'seed',
    'start',
    'test',
  ]);
});

test('two modules of one row never import each other', () => {
  const pairs = new Set(
    under('server/src')
      .filter(({ path, test }) => !test && MODULES.includes(path.split('/')[2]!))
      .flatMap(({ path, imports }) =>
        imports
          .filter((name) => name.startsWith('server/') && MODULES.includes(name.split('/')[2]!))
          .map((name) => `${path.split('/')[2]} ${name.split('/')[2]}`),
      )
      .filter((pair) => new Set(pair.split(' ')).size === 2),
  );
  expect(pairs.size).toBeGreaterThan(20);
  expect([...pairs].filter((pair) => pairs.has(pair.split(' ').reverse().join(' ')))).toEqual([]);
});

test('a web folder imports only from the rows above, and within its row in one direction', () => {
  const rank = (folder: string) => WEB_ORDER.findIndex((row) => row.includes(folder));
  const folderOf = (path: string): string | null => /^web\/src\/([^/]+)\//.exec(path)?.[1] ?? null;
  const files = under('web/src').filter(({ path, test }) => !test && folderOf(path) !== null);
  const links = files.flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.startsWith('web/src/') && !WEB_DATA.includes(name) && folderOf(name) !== folderOf(path))
      .map((name) => ({ path, name, from: folderOf(path)!, to: folderOf(name) ?? '' })),
  );
  const row = links.filter(({ from, to }) => rank(to) === -1 || rank(to) > rank(from));
  expect(row.map(({ path, name }) => `${path} imports ${name}, which stands above it`)).toEqual([]);
  const pairs = new Set(links.map(({ from, to }) => `${from} ${to}`));
  const mutual = [...pairs].filter((pair) => pairs.has(pair.split(' ').reverse().join(' ')));
  expect(mutual, 'folders that import each other').toEqual([]);
  expect(files.filter(({ path }) => rank(folderOf(path)!) === -1).map(({ path }) => path)).toEqual([]);
});

test('the addresses and the menu of the web app are data: they import no file of it', () => {
  expect(
    offences(
      under('web/src').filter(({ path }) => WEB_DATA.includes(path)),
      (name) => !name.startsWith('web/'),
    ),
  ).toEqual([]);
});

const BANNED = 'service manager helper helpers util utils common handler processor repository dto impl base misc'.split(
  ' ',
);
/** Terms of the field. */
const TERMS = new Set(['service_type']);
const words = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);

test('no file and no symbol has a name that says nothing', () => {
  const files = SOURCES.filter(({ path }) => path !== 'contract/src/common.ts')
    .map(({ path }) => path)
    .filter((path) =>
      words(
        path
          .split('/')
          .at(-1)!
          .replace(/\.\w+$/, ''),
      ).some((word) => BANNED.includes(word)),
    );
  expect(files).toEqual([]);
  const symbols = SOURCES.filter(({ path }) => !path.endsWith('.css')).flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:export )?(?:default )?(?:async )?(?:function|class|interface|type|const|let)\s+(\w+)/gm)]
      .map((match) => match[1]!)
      .filter((name) => !TERMS.has(name) && words(name).some((word) => BANNED.includes(word)))
      .map((name) => `${path}: ${name}`),
  );
  expect(symbols).toEqual([]);
});

test('no file is longer than 400 lines unless it says why', () => {
  const length = ({ text }: SourceFile) => text.split('\n').length;
  const long = SOURCES.filter((file) => length(file) > 400).map(({ path }) => path);
  expect(long.filter((path) => !(path in LONG))).toEqual([]);
  expect(
    Object.keys(LONG).filter((path) => !long.includes(path)),
    'no longer long',
  ).toEqual([]);
});

test('files that carry a promise say it in their first lines', () => {
  const front = under('server/src').filter(({ path, test }) => {
    const [, , folder, file] = path.split('/');
    return !test && (folder === 'kernel' || (MODULES.includes(folder!) && file === `${folder}.ts`));
  });
  expect(front.length).toBeGreaterThan(20);
  expect(front.filter(({ text }) => !/^(\/\*\*|\/\/)/.test(text)).map(({ path }) => path)).toEqual([]);
});

test('no test is left out', () => {
  const left = SOURCES.filter(({ path }) => /\.(test|spec)\.tsx?$/.test(path)).flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:test|it|describe)\.(?:only|skip|todo|fixme|fails)\b/g)].map(
      ([found]) => `${path}: ${found}`,
    ),
  );
  expect(left).toEqual([]);
});

test('every endpoint of the contract is implemented once', () => {
  const ids = ROUTES.map(({ endpoint }) => endpoint.id);
  // The live stream is mounted by api.ts, which holds the streams.
  const missing = ENDPOINTS.map(({ id }) => id).filter((id) => !ids.includes(id) && id !== 'events.stream');
  expect(missing).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('docs/operations.md tells every setting as it is', () => {
  const page = read('docs/operations.md');
  for (const [name, { fallback, meaning, example, ...row }] of Object.entries(SETTINGS)) {
    const usual = fallback === null || fallback === '' ? '' : `\`${fallback}\``;
    const demo = 'demo' in row ? `\`${row.demo}\`` : '';
    expect(page).toContain(`| \`${name}\` | ${usual} | ${demo} | ${meaning} | \`${example}\` |`);
  }
  const told = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]!);
  expect(told.filter((name) => !(name in SETTINGS))).toEqual([]);
});

test('every script the documents name is there', () => {
  const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts);
  const named = ['README.md', 'CONTRIBUTING.md', 'docs/operations.md'].flatMap((path) =>
    [...read(path).matchAll(/\bnpm (?:run )?([a-z]+)\b/g)].map((match) => match[1]!),
  );
  expect(named).toContain('start');
  expect(named.filter((name) => ![...scripts, 'ci', 'run', 'install'].includes(name))).toEqual([]);
});

test('our own code is never replaced in a test: files share one loaded app, and what one replaces the next one meets', () => {
  const mocking = SOURCES.filter(
    ({ path, text }) => path.includes('.test.') && /\bvi\.(?:do)?[mM]ock\(\s*['"]\./.test(text),
  );
  expect(mocking.map(({ path }) => path)).toEqual([]);
});

/**
 * Checks the rules in docs/architecture.md. If a rule is wrong, change it there and here instead of working around it.
 */
import { ACCESS_KINDS } from '@parley/contract/channels/access_kinds.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { ENDPOINTS } from '@parley/contract/index.ts';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../kernel/settings/settings.ts';
import { ROUTES } from '../../modules.ts';
import { listSources, readSource, SOURCES, type SourceFile } from './source.ts';

/** Files that may be longer than 400 lines, with the reason. */
const LONG: Readonly<Record<string, string>> = {};

/** Modules by row. A module may import from the rows above it and, in one direction only, from its own row. */
const ORDER = [
  ['connections', 'verify', 'views'],
  ['auth', 'accounts', 'team', 'keys', 'api_requests'],
  ['media', 'senders', 'numbers', 'registrations', 'templates', 'audiences', 'links', 'billing', 'guard'],
  ['messages'],
  ['campaigns', 'inbox', 'assistance', 'lookups', 'crm', 'verifications', 'opt_in_forms', 'smpp', 'brand'],
  ['insights', 'webhooks', 'push', 'admin', 'search', 'people', 'exports', 'bulk'],
  ['mcp'],
];
/**
 * The same order for the folders in web/src. The files next to these folders contain the routes and may import from
 * all folders. A row also names modules that have no pages yet.
 */
const WEB_ORDER = [
  ['ui'],
  ['kernel'],
  ['media', 'channels', 'exports', 'bulk'],
  ['auth', 'accounts', 'team', 'keys'],
  ['senders', 'numbers', 'registrations', 'templates', 'audiences', 'links', 'billing', 'guard'],
  ['messages'],
  ['campaigns', 'assistance', 'inbox', 'lookups', 'crm', 'verifications', 'opt_in_forms', 'smpp'],
  ['insights', 'webhooks', 'api_requests'],
  ['settings', 'dashboard', 'onboarding', 'try_it_now', 'help', 'gallery', 'admin'],
  ['layouts'],
];
/** Data that every folder may import. */
const WEB_DATA = ['web/src/paths.ts', 'web/src/nav.ts'];
/** Modules that only subscribe to events or call endpoints. No module imports them. */
const LEAVES = ['insights', 'webhooks', 'push', 'mcp'];
const MODULES = ORDER.flat();

const isWorkspace = (name: string): boolean => name.startsWith('@parley/');
const violations = (files: readonly SourceFile[], allowed: (name: string, file: SourceFile) => boolean): string[] =>
  files.flatMap((file) =>
    file.imports.filter((name) => !allowed(name, file)).map((name) => `${file.path} imports ${name}`),
  );
const isTestOnly = (name: string): boolean => /^(vitest|fast-check|node:|@testing-library\/)/.test(name);

test('the source reader finds every form of import', () => {
  const all = SOURCES.flatMap((file) => file.imports);
  expect(SOURCES.length).toBeGreaterThan(150);
  for (const expected of [
    'zod',
    'node:fs',
    '@parley/contract/index.ts',
    'server/src/kernel/db/db.ts',
    'server/src/seed/seed.ts',
  ])
    expect(all).toContain(expected);
});

test('contract imports only zod and itself', () => {
  expect(
    violations(
      listSources('contract'),
      (name, { test }) => name === 'zod' || name.startsWith('contract/') || (test && isTestOnly(name)),
    ),
  ).toEqual([]);
});

test('smpp imports only Node and the GSM alphabet', () => {
  expect(
    violations(
      listSources('smpp'),
      (name, { test }) =>
        /^node:|^smpp\//.test(name) ||
        name === '@parley/contract/channels/sms/gsm7.ts' ||
        (test && (isTestOnly(name) || name === 'smpp' || name.startsWith('@parley/contract/'))),
    ),
  ).toEqual([]);
});

test('server, web, and sandbox do not import each other', () => {
  const foreignImports = (tree: string, allowed: readonly string[]) =>
    violations(listSources(tree), (name) =>
      isWorkspace(name)
        ? allowed.some((workspace) => name.startsWith(`@parley/${workspace}/`))
        : !/^(contract|smpp|server|web|sandbox)\//.test(name) || name.startsWith(`${tree}/`),
    );
  expect(foreignImports('server', ['contract', 'smpp'])).toEqual([]);
  expect(foreignImports('web', ['contract'])).toEqual([]);
  expect(foreignImports('sandbox', ['smpp'])).toEqual([]);
});

test('the kernel does not import any module', () => {
  const spine = /^@parley\/contract\/(endpoint|event|problem|permission|common|spend|strict)\.ts$/;
  expect(
    violations(listSources('server/src/kernel'), (name, { test }) =>
      isWorkspace(name)
        ? spine.test(name) || test
        : !name.startsWith('server/') || name.startsWith('server/src/kernel/') || test,
    ),
  ).toEqual([]);
});

test('a channel imports neither a module nor the database', () => {
  expect(
    violations(
      listSources('server/src/channels').filter((file) => !file.test),
      (name) =>
        !name.startsWith('server/') ||
        name.startsWith('server/src/channels/') ||
        /^server\/src\/kernel\/(clock|log|http\/(public_address|forward_proxy))\.ts$/.test(name),
    ),
  ).toEqual([]);
});

test('web/src/ui imports neither the kernel nor the contract', () => {
  expect(
    violations(
      listSources('web/src/ui').filter((file) => !file.test),
      (name) => !name.startsWith('@parley/') && (!name.startsWith('web/') || name.startsWith('web/src/ui/')),
    ),
  ).toEqual([]);
});

test('a module imports other modules only through their front doors and never from later rows', () => {
  const rank = (module: string) => ORDER.findIndex((row) => row.includes(module));
  const violations = listSources('server/src').flatMap((file) => {
    const from = file.path.split('/')[2]!;
    if (!MODULES.includes(from) || file.test) return [];
    return file.imports.flatMap((name) => {
      const [tree, , to = '', door] = name.split('/');
      if (tree !== 'server' || to === from || !MODULES.includes(to)) return [];
      if (door !== `${to}.ts`) return [`${file.path} imports ${name} past ${to}/${to}.ts`];
      if (rank(to) > rank(from) || LEAVES.includes(to))
        return [`${file.path} imports ${to}, which is in a later row than ${from}`];
      return [];
    });
  });
  expect(violations).toEqual([]);
  const folders = new Set(
    listSources('server/src')
      .map(({ path }) => path.split('/')[2]!)
      .filter((name) => !name.includes('.')),
  );
  expect([...folders].filter((name) => !MODULES.includes(name)).sort()).toEqual([
    'backup',
    'channels',
    'doctor',
    'kernel',
    'seed',
    'start',
    'test',
  ]);
});

/** The stages of a module, in order. A file in one stage may import only from its own stage and earlier stages. */
const STAGES: Readonly<Record<string, readonly string[]>> = {
  auth: ['people', 'sessions', 'passwords', 'factors', 'social', 'sign_in', 'sign_up', 'profile'],
  audiences: [
    ...['phone_numbers', 'stop_list', 'people', 'consents', 'keywords', 'conditions'],
    ...['list', 'reader', 'imports', 'testing'],
  ],
  campaigns: ['model', 'timing', 'progress', 'draft', 'preview', 'lifecycle', 'safety', 'fanout'],
  billing: [
    'prices',
    'ledger',
    'cards',
    'vat',
    'payments',
    'proposals',
    'reconciliation',
    'dunning',
    'low_balance',
    'invoices',
    'statements',
  ],
  messages: ['model', 'thread', 'routing', 'status', 'gate', 'payloads', 'inbound', 'queue', 'delivery', 'testing'],
};

test('a file in a stage imports only from its own and earlier stages', () => {
  for (const [module, stages] of Object.entries(STAGES)) {
    const root = `server/src/${module}`;
    const pathParts = (path: string): readonly string[] => path.slice(root.length + 1).split('/');
    const files = listSources(root).filter(({ test }) => !test);
    const folders = new Set(
      files.map(({ path }) => pathParts(path)).flatMap(([name, ...rest]) => (rest[0] ? [name!] : [])),
    );
    expect([...folders].sort(), `folders of ${root}`).toEqual([...stages].sort());
    const backward = files.flatMap((file) => {
      const [stage, ...rest] = pathParts(file.path);
      if (rest.length === 0) return [];
      const allowed = stages.slice(0, stages.indexOf(stage!) + 1);
      return file.imports
        .filter((name) => name.startsWith(`${root}/`) && !allowed.includes(pathParts(name)[0]!))
        .map((name) => `${file.path} imports ${name}`);
    });
    expect(backward).toEqual([]);
  }
});

test('two modules never import each other', () => {
  const pairs = new Set(
    listSources('server/src')
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

test('a web folder imports only from rows above it and, in one direction, from its own row', () => {
  const rank = (folder: string) => WEB_ORDER.findIndex((row) => row.includes(folder));
  const findFolder = (path: string): string | null => /^web\/src\/([^/]+)\//.exec(path)?.[1] ?? null;
  const files = listSources('web/src').filter(({ path, test }) => !test && findFolder(path) !== null);
  const links = files.flatMap(({ path, imports }) =>
    imports
      .filter(
        (name) => name.startsWith('web/src/') && !WEB_DATA.includes(name) && findFolder(name) !== findFolder(path),
      )
      .map((name) => ({ path, name, from: findFolder(path)!, to: findFolder(name) ?? '' })),
  );
  const row = links.filter(({ from, to }) => rank(to) === -1 || rank(to) > rank(from));
  expect(row.map(({ path, name }) => `${path} imports ${name}, which is in a later row`)).toEqual([]);
  const pairs = new Set(links.map(({ from, to }) => `${from} ${to}`));
  const mutual = [...pairs].filter((pair) => pairs.has(pair.split(' ').reverse().join(' ')));
  expect(mutual, 'folders that import each other').toEqual([]);
  expect(files.filter(({ path }) => rank(findFolder(path)!) === -1).map(({ path }) => path)).toEqual([]);
});

test('the files with the web app’s paths and menu do not import other web files', () => {
  expect(
    violations(
      listSources('web/src').filter(({ path }) => WEB_DATA.includes(path)),
      (name) => !name.startsWith('web/'),
    ),
  ).toEqual([]);
});

/** Code in these trees reads a channel's description instead of naming channels. */
const NAMELESS = ['contract/', 'server/', 'smpp/', 'web/src/'];
/** Folders that name channels: the descriptions, seeds, and example content. A name is a channel or an access form. */
const NAMING = [
  /^(?:contract|server)\/.*\/channels\//,
  new RegExp(`^web/src/channels/(?:${CHANNELS.join('|').toLowerCase()})/`),
  /\/(?:seed|onboarding|gallery)\//,
];

test('shared code does not name any channel', () => {
  const names = [...CHANNELS, ...ACCESS_KINDS].join('|');
  const patterns = [
    `(['"\`])(?:${names})(?:\\1|\\.)`,
    `\\b(?:${names})\\s*:`,
    `\\.(?:${names})(?![\\w.])`,
    `\\b(?:${names})\\b[\\s,\\w]*\\}\\s*[:=]`,
  ];
  const channelName = new RegExp(patterns.join('|'), 'g');
  for (const use of ["kind === 'viber'", "'viber.traffic'", 'whatsapp: null', 'form.viber', '{ whatsapp } = form'])
    expect(use.match(channelName), use).not.toBeNull();
  const sharedFiles = SOURCES.filter(
    ({ path, test }) =>
      NAMELESS.some((tree) => path.startsWith(tree)) && !test && !NAMING.some((folder) => folder.test(path)),
  );
  expect(sharedFiles.length).toBeGreaterThan(300);
  const hits = sharedFiles.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (line.match(channelName) ?? []).map((name) => `${path}:${index + 1} ${name}`)),
  );
  expect(hits).toEqual([]);
});

const BANNED = 'service manager helper helpers util utils common handler processor repository dto impl base misc'.split(
  ' ',
);
/** Names that are protocol terms. */
const TERMS = new Set(['service_type']);
const words = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);

test('no file or symbol has a meaningless name', () => {
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

test('no file is longer than 400 lines without a listed reason', () => {
  const length = ({ text }: SourceFile) => text.split('\n').length;
  const long = SOURCES.filter((file) => length(file) > 400).map(({ path }) => path);
  expect(long.filter((path) => !(path in LONG))).toEqual([]);
  expect(
    Object.keys(LONG).filter((path) => !long.includes(path)),
    'listed, but no longer too long',
  ).toEqual([]);
});

test('kernel files and front doors start with a comment', () => {
  const front = listSources('server/src').filter(({ path, test }) => {
    const [, , folder, file] = path.split('/');
    return !test && (folder === 'kernel' || (MODULES.includes(folder!) && file === `${folder}.ts`));
  });
  expect(front.length).toBeGreaterThan(20);
  expect(front.filter(({ text }) => !/^(\/\*\*|\/\/)/.test(text)).map(({ path }) => path)).toEqual([]);
});

test('no test is skipped', () => {
  const skipped = SOURCES.filter(({ path }) => /\.(test|spec)\.tsx?$/.test(path)).flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:test|it|describe)\.(?:only|skip|todo|fixme|fails)\b/g)].map(([hits]) => `${path}: ${hits}`),
  );
  expect(skipped).toEqual([]);
});

test('every endpoint in the contract is implemented once', () => {
  const ids = ROUTES.map(({ endpoint }) => endpoint.id);
  // api.ts implements the live stream and the event feed itself.
  const missing = ENDPOINTS.map(({ id }) => id).filter(
    (id) => !ids.includes(id) && !['events.stream', 'webhooks.list_events'].includes(id),
  );
  expect(missing).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('docs/operations.md lists every setting', () => {
  const page = readSource('docs/operations.md');
  for (const [name, { fallback, meaning, example, ...row }] of Object.entries(SETTINGS)) {
    const defaultValue = fallback === null || fallback === '' ? '' : `\`${fallback}\``;
    const demo = 'demo' in row ? `\`${row.demo}\`` : '';
    expect(page).toContain(`| \`${name}\` | ${defaultValue} | ${demo} | ${meaning} | \`${example}\` |`);
  }
  const documented = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]!);
  expect(documented.filter((name) => !(name in SETTINGS))).toEqual([]);
});

test('every npm script named in the documents exists', () => {
  const scripts = Object.keys((JSON.parse(readSource('package.json')) as { scripts: Record<string, string> }).scripts);
  const named = ['README.md', 'CONTRIBUTING.md', 'docs/operations.md'].flatMap((path) =>
    [...readSource(path).matchAll(/\bnpm (?:run )?([a-z]+(?:-[a-z]+)*)\b/g)].map((match) => match[1]!),
  );
  expect(named).toContain('start');
  expect(named.filter((name) => ![...scripts, 'ci', 'run', 'install'].includes(name))).toEqual([]);
});

test('no test mocks project code, because test files share one loaded app', () => {
  const mocking = SOURCES.filter(
    ({ path, text }) => path.includes('.test.') && /\bvi\.(?:do)?[mM]ock\(\s*['"]\./.test(text),
  );
  expect(mocking.map(({ path }) => path)).toEqual([]);
});

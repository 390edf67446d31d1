/** Checks the documents against the repository: link targets, named files, and imports must exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './source.ts';

const PACKAGES = ['contract', 'sdk', 'cli', 'n8n', 'smpp', 'server', 'web', 'sandbox'];
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...PACKAGES.map((name) => `${name}/README.md`),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((name) => `docs/${String(name)}`),
].filter((path) => path.endsWith('.md') && existsSync(join(ROOT, path)));

/** Files in the worked example in docs/add-a-feature.md, and generated files. */
const GENERATED = /\/notes\/|\/NNNN_|<\w+>/;

test('every link in the documents points to a file', () => {
  expect(PAGES.length).toBeGreaterThan(15);
  const broken = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
      .map((match) => match[1]!)
      .filter((link) => !/^\w+:/.test(link) && !existsSync(join(ROOT, dirname(page), link)))
      .map((link) => `${page} links to ${link}`),
  );
  expect(broken).toEqual([]);
});

test('every file named in the documents exists', () => {
  const named = new RegExp(`\`((?:${PACKAGES.join('|')}|docs|e2e|bench)/[\\w./<>-]+)\``, 'g');
  const missing = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(named)]
      .map((match) => match[1]!)
      .filter((path) => !GENERATED.test(path) && !existsSync(join(ROOT, path)))
      .map((path) => `${page} names ${path}`),
  );
  expect(missing).toEqual([]);
});

test('every file named in the security documents has its path from the root', () => {
  const pages = ['SECURITY.md', ...PAGES.filter((page) => page.startsWith('docs/security/'))];
  const named = /`([\w./-]+\.(?:tsx?|mjs|sql|md|json|txt))`/g;
  const files = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(named)].map((match) => ({ page, path: match[1]! })),
  );
  expect(files.length).toBeGreaterThan(300);
  const missing = files.filter(({ path }) => !existsSync(join(ROOT, path)));
  expect(missing.map(({ page, path }) => `${page} names ${path}`)).toEqual([]);
});

/** Level 1 and 2 of OWASP ASVS 5.0.0 have 70 and 183 requirements. */
const ASVS_REQUIREMENTS = 253;

/** Returns the numbers in a text such as `17.1.1, 17.2.1–17.2.4`. */
const requirementNumbers = (text: string): string[] =>
  text.split(', ').flatMap((range) => {
    const [first = '', last = first] = range.split('–');
    const section = first.replace(/\d+$/, '');
    const [from, to] = [first, last].map((number) => Number(/\d+$/.exec(number)![0]));
    return Array.from({ length: to! - from! + 1 }, (_, index) => `${section}${from! + index}`);
  });

test('the list of ASVS requirements is complete, and its totals match its rows', () => {
  const page = readFileSync(join(ROOT, 'docs/security/asvs.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+[^|]*) \| [^|]+ \| (Met|Does not apply|Not met) \| (.*) \|$/gm)];
  const numbers = rows.flatMap(([, text = '']) => requirementNumbers(text));
  expect([numbers.length, new Set(numbers).size]).toEqual([ASVS_REQUIREMENTS, ASVS_REQUIREMENTS]);
  const count = (result: string) =>
    rows.filter((row) => row[2] === result).flatMap(([, text = '']) => requirementNumbers(text)).length;
  for (const result of ['Met', 'Does not apply', 'Not met']) expect(page).toContain(`| ${result} | ${count(result)} |`);
  const open = rows.filter((row) => row[2] === 'Not met').map(([, number = '']) => number);
  const listed = /^## Not met\n([\s\S]*?)^## /m.exec(page)![1]!;
  expect([...listed.matchAll(/^- (\d+\.\d+\.\d+):/gm)].map((match) => match[1])).toEqual(open);
  // Each requirement that is met names a test or, with a dash, that there is none.
  const untold = rows.filter((row) => row[2] === 'Met' && !/\| (?:-|`[\w./-]+`)$/.test(row[3]!));
  expect(untold.map(([, number]) => number)).toEqual([]);
});

test('every name that the examples in docs/add-a-feature.md import is exported', () => {
  const guide = readFileSync(join(ROOT, 'docs/add-a-feature.md'), 'utf8');
  let checked = 0;
  const missing = guide.split(/^## /m).flatMap((section) => {
    const folder = /^\d\. .*`(\w+\/src)\/notes\//.exec(section)?.[1] ?? '';
    return [...section.matchAll(/^import \{([^}]+)\} from '(\.\.|@parley\/contract)\/(?!notes)([\w./]+)';/gm)].flatMap(
      ([, names = '', root, file = '']) => {
        const path = join(root === '..' ? folder : 'contract/src', file);
        const text = readFileSync(join(ROOT, path), 'utf8');
        const imported = names.split(',').map((name) => name.trim().replace(/^type /, ''));
        checked += imported.length;
        return imported
          .filter((name) => !new RegExp(`^export .*\\b${name}\\b`, 'm').test(text))
          .map((name) => `${path} does not export ${name}`);
      },
    );
  });
  expect(missing).toEqual([]);
  expect(checked).toBeGreaterThan(20);
});

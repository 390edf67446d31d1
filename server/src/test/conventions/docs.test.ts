/** Checks the documents against the repository: link targets, named files, and imports must exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './source.ts';

const PACKAGES = ['contract', 'smpp', 'server', 'web', 'sandbox'];
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
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

/** Checks the documents against the repository: their link targets and the files they name must exist. */
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

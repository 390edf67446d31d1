/** Compares the user manual with the app: labels in bold must be on its screens, and links must lead somewhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readProse } from './prose.ts';
import { ROOT, SOURCES } from './source.ts';

const FOLDER = join(ROOT, 'docs/manual');
const PAGES = readdirSync(FOLDER, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** Texts that are not on the screens of the app. */
const NOT_SCREENS = /^web\/src\/(help\/(?!news|HelpButtons)|gallery\/|onboarding\/use_cases\/|test\/)|\.test\.tsx?$/;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const boldTexts = (text: string): string[] => [...text.matchAll(/\*\*([^*]+)\*\*/g)].map((match) => oneLine(match[1]!));
const anchors = (text: string): string[] =>
  [...text.matchAll(/^##+ (.*)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
  );

const labels = new Set(
  SOURCES.filter(({ path }) => /^(web|contract)\/src\/.*\.tsx?$/.test(path) && !NOT_SCREENS.test(path)).flatMap(
    ({ path, text }) => readProse(text, path.endsWith('x')).map((piece) => oneLine(piece.text)),
  ),
);

/** Labels that no screen has. */
const missingLabels = (text: string): string[] => boldTexts(text).filter((label) => !labels.has(label));

test('every label in the manual is on a screen', () => {
  expect(PAGES.flatMap(({ text }) => boldTexts(text)).length).toBeGreaterThan(300);
  expect(PAGES.flatMap(({ name, text }) => missingLabels(text).map((label) => `${name}: ${label}`))).toEqual([]);
});

test('a label that no screen has is reported', () => {
  expect(missingLabels('Select **Send test**, then **Send the\nfax**.')).toEqual(['Send the fax']);
});

test('every link in the manual leads to a page and a heading', () => {
  const broken = PAGES.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\(([^)\s#]*)(?:#([^)]*))?\)/g)].flatMap(([link, file = '', hash]) => {
      const path = file ? join(dirname(name), file) : name;
      const target = PAGES.find((page) => page.name === path);
      return target && (!hash || anchors(target.text).includes(hash)) ? [] : [`${name}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('every page of the manual has a title, a summary, and no heading twice', () => {
  const wrong = PAGES.filter(({ text }) => {
    const ids = anchors(text);
    return !/^# \S.*\n\n(?![#|\-\d])\S/.test(text) || new Set(ids).size !== ids.length;
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

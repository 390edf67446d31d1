/**
 * Checks human-readable text against docs/lexicon.json, which lists phrases that are wrong everywhere, each with its
 * replacement. A phrase is a case-insensitive regular expression in which a space matches any white space. Without
 * `scopes`, a phrase applies to all scopes. docs/writing.md explains the rules.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProse } from './prose.ts';
import { ROOT, SOURCES } from './source.ts';

type Scope = 'screens' | 'problems' | 'emails' | 'server' | 'sandbox' | 'tests' | 'docs';

interface Entry {
  readonly phrase: string;
  readonly say: string;
  readonly scopes?: readonly Scope[];
}

interface Text {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

const LEXICON = JSON.parse(readFileSync(join(ROOT, 'docs/lexicon.json'), 'utf8')) as readonly Entry[];
/** These files quote forbidden phrases. */
const QUOTING = ['docs/glossary.md', 'docs/writing.md', 'server/src/test/conventions/lexicon.test.ts'];
/** Sample messages, search words for emoji, and the demo company's data. */
const CONTENT = /^(web\/src\/onboarding\/use_cases|server\/src\/seed)\/|\/emoji\.ts$/;
const TEST_NAME = /\b(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;

const SCOPES: readonly (readonly [Scope, RegExp])[] = [
  ['tests', /\.(test|spec)\.tsx?$/],
  ['problems', /^contract\/src\/problems\//],
  ['screens', /^(contract|web)\/src\//],
  ['emails', /^server\/src\/.*(mails?|letters?)\.ts$/],
  ['server', /^server\/src\/(?!test\/)/],
  ['sandbox', /^sandbox\//],
];

/** Returns the texts in a file, each with the line where it starts. */
function textsIn(path: string, source: string, scope: Scope): Text[] {
  const lineAt = (at: number) => source.slice(0, at).split('\n').length;
  if (scope === 'tests')
    return [...source.matchAll(TEST_NAME)].map((match) => ({ path, line: lineAt(match.index), text: match[2]! }));
  return readProse(source, path.endsWith('x'))
    .filter(({ text }) => /\S\s+\S|^[A-Z]/.test(text))
    .map(({ at, text }) => ({ path, line: lineAt(at), text }));
}

/** Returns the page without its code. Each line keeps its number. */
function docTexts(path: string): Text[] {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ');
  const text = readFileSync(join(ROOT, path), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, blank);
  return [{ path, line: 1, text }];
}

function docPaths(): string[] {
  const all = readdirSync(join(ROOT, 'docs'), { recursive: true }).map((name) => `docs/${String(name)}`);
  const top = readdirSync(ROOT).flatMap((name) => [name, `${name}/README.md`]);
  const isReadable = (path: string) => path.endsWith('.md') && !path.includes('node_modules');
  return [...all, ...top]
    .filter((path) => isReadable(path) && !QUOTING.includes(path))
    .filter((path) => {
      try {
        return readFileSync(join(ROOT, path)).length > 0;
      } catch {
        return false;
      }
    });
}

function readTexts(): Map<Scope, Text[]> {
  const texts = new Map<Scope, Text[]>([['docs', docPaths().flatMap(docTexts)]]);
  for (const { path, text } of SOURCES) {
    const scope = SCOPES.find(([, pattern]) => pattern.test(path))?.[0];
    if (!scope || path.endsWith('.css') || CONTENT.test(path) || QUOTING.includes(path)) continue;
    const list = texts.get(scope) ?? [];
    texts.set(scope, list);
    list.push(...textsIn(path, text, scope));
  }
  return texts;
}

/** Returns one report line for each use of a forbidden phrase. */
function findUses(entry: Entry, texts: readonly Text[]): string[] {
  const pattern = new RegExp(entry.phrase.replaceAll(' ', '\\s+'), 'gi');
  return texts.flatMap(({ path, line, text }) =>
    [...text.matchAll(pattern)].map(({ index, 0: phrase }) => {
      const at = line + text.slice(0, index).split('\n').length - 1;
      const context = text.slice(Math.max(0, index - 40), index + phrase.length + 40);
      const advice = `uses "${oneLine(phrase)}", say "${entry.say}"`;
      return `${path}:${at}: "${oneLine(context)}" ${advice}`;
    }),
  );
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

test('texts in every scope avoid the phrases in the lexicon', () => {
  const texts = readTexts();
  for (const [scope] of SCOPES) expect(texts.get(scope)?.length, scope).toBeGreaterThan(50);
  const uses = LEXICON.flatMap((entry) =>
    [...texts].flatMap(([scope, list]) => ((entry.scopes?.includes(scope) ?? true) ? findUses(entry, list) : [])),
  );
  expect(uses.sort()).toEqual([]);
});

test('a forbidden phrase is reported with its location and its replacement', () => {
  const source = "// Nobody reads this.\nconst title = 'Pool';\nconst help = <p>\n  For\n  nobody {count}\n</p>;\n";
  const uses = findUses({ phrase: '\\bnobody\\b', say: 'no user' }, textsIn('web/src/Page.tsx', source, 'screens'));
  expect(uses).toEqual(['web/src/Page.tsx:5: "For nobody" uses "nobody", say "no user"']);
});

test('texts are found in strings, templates, and elements, but not in comments, code, or SQL', () => {
  const source = [
    "import { a } from './a.ts'; // It's a comment",
    'const first = cond ? "One" : `Two #{name("Three")} four`;',
    'const rows = db.rows(sql`select #{list("Five")} from t`);',
    'const pick = <T,>(value: T) => /["\'`]/.test(String(value)) && a < b;',
    'return <Card<Row> title="Six" on={() => go("Seven")}>Don\'t {count > 1 ? "eight" : <b>nine</b>} ten</Card>;',
  ].join('\n');
  const texts = readProse(source.replaceAll('#{', '${'), true).map(({ text }) => oneLine(text));
  const expected = "./a.ts One Two Three four Five Six Seven Don't eight nine ten";
  expect(texts.filter(Boolean)).toEqual(expected.split(' '));
});

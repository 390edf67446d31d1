/** The project's own source as text, for the tests that hold its conventions. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const SKIPPED = new Set(['node_modules', 'dist', 'data', 'coverage', 'test-results', 'playwright-report']);
const TREES = ['contract', 'smpp', 'server', 'web', 'sandbox', 'e2e', 'bench'];

export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly test: boolean;
  readonly imports: readonly string[];
}

export const SOURCES: readonly SourceFile[] = [
  ...TREES.flatMap((tree) => filesIn(tree)),
  ...readdirSync(ROOT).filter((name) => /\.(ts|mjs)$/.test(name)),
].map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const test = /\.test\.tsx?$|(^|\/)test\/|^e2e\/|^bench\//.test(path);
  return { path, text, test, imports: importsOf(path, text) };
});

export const under = (folder: string): readonly SourceFile[] =>
  SOURCES.filter(({ path }) => path.startsWith(`${folder}/`));
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : filesIn(path);
    return /\.(ts|tsx|mjs|js|css)$/.test(entry.name) ? [path] : [];
  });
}

/** What a file imports: a package name with its path, or, for a relative import, the path from the root. */
function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map(([, from, bare, dynamic]) => {
    const name = (from ?? bare ?? dynamic)!;
    return name.startsWith('.') ? normalize(join(dirname(path), name)) : name;
  });
}

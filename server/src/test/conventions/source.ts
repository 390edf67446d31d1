/** Reads the project's source code, for tests of its conventions. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'test-results', 'playwright-report']);
const TREES = ['contract', 'cli', 'n8n', 'smpp', 'server', 'web', 'sandbox', 'e2e', 'bench'];

const IMPORT = new RegExp(
  [
    /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s*['"]([^'"]+)['"]/,
    /(?:^|\n)\s*import\s*['"]([^'"]+)['"]/,
    /\bimport\(\s*['"]([^'"]+)['"]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

export interface SourceFile {
  /** Path from the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly test: boolean;
  readonly imports: readonly string[];
}

export const SOURCES: readonly SourceFile[] = [
  ...TREES.flatMap((tree) => listFiles(tree)),
  ...readdirSync(ROOT).filter((name) => /\.(ts|mjs)$/.test(name)),
].map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const test = /\.test\.tsx?$|(^|\/)test\/|^e2e\/|^bench\//.test(path);
  return { path, text, test, imports: readImports(path, text) };
});

export const listSources = (folder: string): readonly SourceFile[] =>
  SOURCES.filter(({ path }) => path.startsWith(`${folder}/`));
export const readSource = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : listFiles(path);
    return /\.(ts|tsx|mjs|js|css)$/.test(entry.name) ? [path] : [];
  });
}

/** Returns a file's imports: package names with their path, or paths from the root for relative imports. */
function readImports(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, from, bare, dynamic]) => {
    const name = (from ?? bare ?? dynamic)!;
    return name.startsWith('.') ? normalize(join(dirname(path), name)) : name;
  });
}

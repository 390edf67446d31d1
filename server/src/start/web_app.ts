/**
 * Builds the web app if it is missing or its sources changed. Compares contents, because checkouts change file times.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compress } from './compress.ts';
import { StartError } from './folder.ts';
import { ROOT } from './program.ts';

const SOURCES = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/vite.contract.ts',
  'web/package.json',
  'contract/src',
  'contract/package.json',
  'package-lock.json',
  // The web app contains the manual and the changelog.
  'docs/manual',
  'CHANGELOG.md',
  // This file is part of the build.
  'server/src/start/compress.ts',
];
const STAMP = 'web/.cache/built';

export function webAppIsBuilt(): boolean {
  const stamp = join(ROOT, STAMP);
  return (
    existsSync(join(ROOT, 'web/dist/index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hashContent(SOURCES)
  );
}

export async function buildWebApp(stopped?: AbortSignal): Promise<void> {
  const content = hashContent(SOURCES);
  rmSync(join(ROOT, STAMP), { force: true });
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  if (!existsSync(vite))
    throw new StartError(
      'The web app is not built, and the packages to build it are not installed. Run npm ci, then npm run build',
    );
  await new Promise<void>((resolve, reject) => {
    execFile(
      process.execPath,
      [vite, 'build', join(ROOT, 'web'), '--logLevel', 'error', '--manifest'],
      {
        cwd: join(ROOT, 'web'),
        env: { ...process.env, NODE_ENV: 'production' },
        maxBuffer: 10_000_000,
        timeout: 300_000,
        ...(stopped ? { signal: stopped } : {}),
      },
      (error, out, problems) => {
        if (!error) return resolve();
        if (stopped?.aborted) return reject(new StartError('Stopped'));
        const lines = `${problems}\n${out}`.split('\n').filter((line) => line.trim());
        reject(new StartError(`The web app could not be built:\n${lines.slice(0, 15).join('\n')}`));
      },
    );
  });
  await compress(join(ROOT, 'web/dist'));
  mkdirSync(join(ROOT, 'web/.cache'), { recursive: true });
  writeFileSync(join(ROOT, STAMP), content);
}

function hashContent(paths: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  };
  for (const path of paths) {
    if (!existsSync(join(ROOT, path))) continue;
    const files = listFiles(path);
    if (files === null) add(path);
    else for (const file of files) add(file);
  }
  return hash.digest('hex');
}

function listFiles(path: string): string[] | null {
  try {
    return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}

/**
 * Secrets that are generated once in DATA_DIR unless a setting provides them. The files are readable only by their
 * owner.
 */
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../settings/config.ts';

/** Returns the current key, followed by the keys that it replaced. */
export async function readSecretKeys(
  config: Pick<Config, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS' | 'DATA_DIR'>,
): Promise<readonly [string, ...string[]]> {
  const current = config.SECRET_KEY ?? (await readKeptSecret(config.DATA_DIR, 'secret-key'));
  return [current, ...(config.SECRET_KEY_PREVIOUS ?? [])];
}

/** Returns the same secret in every process that uses this folder, even if two processes create it at the same time. */
export async function readKeptSecret(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const existing = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (existing.trim().length >= 32) return existing.trim();
  if (existing !== '') throw new Error(`${path} is damaged: restore the copy from your backup`);
  await mkdir(folder, { recursive: true });
  const generated = randomBytes(32).toString('hex');
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${generated}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename, a link fails if another process was first.
    await link(temporary, path);
    return generated;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readFile(path, 'utf8')).trim();
  } finally {
    await rm(temporary, { force: true });
  }
}

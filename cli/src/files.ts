/**
 * The program's files: the login in the configuration folder, and positions in the state folder. Only the user can
 * read them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CliError } from './problems.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const OWNER_ONLY = 0o600;
const OWNER_FOLDER = 0o700;

/** The XDG specification ignores relative paths. */
function xdgFolder(given: string | undefined, fallback: string): string {
  return join(given && isAbsolute(given) ? given : join(homedir(), fallback), 'parley');
}

export const loginPath = (env: Environment): string => join(xdgFolder(env.XDG_CONFIG_HOME, '.config'), 'login.json');

/** The file of a position. `parts` identify its account and its use. */
export function statePath(env: Environment, name: string, parts: readonly string[]): string {
  const hash = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
  return join(xdgFolder(env.XDG_STATE_HOME, '.local/state'), `${name}-${hash}.json`);
}

/** Returns null if the file does not exist. */
export async function readJson(path: string): Promise<Record<string, unknown> | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new CliError(`${path} is damaged. Delete it and try again.`);
}

/** Replaces the file as a whole, so a program that is killed leaves the old content or the new one. */
export async function writeJson(path: string, value: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: OWNER_FOLDER });
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, `${JSON.stringify(value)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

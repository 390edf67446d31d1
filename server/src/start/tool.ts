/**
 * One-off commands: `npm run doctor`, `npm run operator`, `npm run networks`, `npm run rekey`, `npm run backup`,
 * `npm run restore`, and `npm run bench`, which run as separate programs, `npm run schema`, and `npm run sbom`.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../kernel/db/migrate.ts';
import { type Config, loadConfig } from '../kernel/settings/config.ts';
import { isDataFolder, openDataFolder, StartError } from './folder.ts';
import { findRunningEmbedded, startEmbedded } from './postgres/embedded.ts';
import { ROOT } from './program.ts';
import { readRemarks } from './schema/schema_remarks.ts';
import { renderSchema } from './schema/schema_text.ts';
import { BILL_FILE, billOfMaterials, NOTICES_FILE, thirdPartyNotices } from './supply/bill.ts';
import { readSupply } from './supply/packages.ts';

export function runDoctor(env: NodeJS.ProcessEnv, args: readonly string[], stopped: AbortSignal): Promise<number> {
  const config = loadConfig({ ...env, MODE: 'demo' });
  return runOnDatabase(config, 'server/src/doctor/main.ts', args, stopped);
}

/** Without DATABASE_URL, the database of `npm start` is used. */
export function runOperator(env: NodeJS.ProcessEnv, args: readonly string[], stopped: AbortSignal): Promise<number> {
  const config = loadConfig({ ...env, MODE: env.DATABASE_URL?.trim() ? 'production' : 'demo' });
  return runOnDatabase(config, 'server/src/start/operator.ts', args, stopped);
}

export function runNetworks(env: NodeJS.ProcessEnv, args: readonly string[], stopped: AbortSignal): Promise<number> {
  return runOnDatabase(loadConfig({ ...env, MODE: 'demo' }), 'server/src/start/networks.ts', args, stopped);
}

export function rekey(env: NodeJS.ProcessEnv, args: readonly string[], stopped: AbortSignal): Promise<number> {
  const config = loadConfig({ ...env, MODE: env.DATABASE_URL?.trim() ? 'production' : 'demo' });
  return runOnDatabase(config, 'server/src/start/rekey.ts', args, stopped);
}

export function runBackup(env: NodeJS.ProcessEnv, args: readonly string[], stopped: AbortSignal): Promise<number> {
  const config = loadConfig({ ...env, MODE: 'demo' });
  return runOnDatabase(config, 'server/src/backup/main.ts', ['backup', ...args], stopped);
}

/** Creates the embedded database if it does not exist yet. */
export function restore(env: NodeJS.ProcessEnv, args: readonly string[], stopped: AbortSignal): Promise<number> {
  const config = loadConfig({ ...env, MODE: 'demo' });
  return runOnDatabase(config, 'server/src/backup/main.ts', ['restore', ...args], stopped, { create: true });
}

/** Runs a program on the configured database. An embedded one is started first, unless it is running. */
async function runOnDatabase(
  config: Config,
  path: string,
  args: readonly string[],
  stopped: AbortSignal,
  { create = false } = {},
): Promise<number> {
  const start = (url: string) =>
    run(join(ROOT, path), args, { DATABASE_URL: url, DATA_DIR: config.DATA_DIR, MODE: config.MODE }, stopped);
  if (config.DATABASE_URL !== 'embedded') return start(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL!);
  const running = await findRunningEmbedded(config.DATA_DIR);
  return running ? start(running) : withEmbedded(config, start, create);
}

async function withEmbedded(config: Config, work: (url: string) => Promise<number>, create: boolean): Promise<number> {
  if (!create && !isDataFolder(config.DATA_DIR))
    throw new StartError(`No Parley data found in ${config.DATA_DIR}. Set DATA_DIR or DATABASE_URL`);
  const say = (line: string) => console.error(line);
  const folder = await openDataFolder(config.DATA_DIR, say);
  try {
    const postgres = await startEmbedded({ folder: config.DATA_DIR, onWait: say });
    folder.recordPart('database', postgres.pid);
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    folder.release();
  }
}

export async function bench(args: readonly string[], stopped: AbortSignal): Promise<number> {
  const program = join(ROOT, 'bench/main.ts');
  if (!existsSync(program)) throw new StartError('This copy has no benchmarks (bench/ is missing)');
  return run(program, args, {}, stopped);
}

/** Writes server/schema.sql from a temporary database with all migrations applied. */
export async function writeSchema(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-schema-'));
  const postgres = await startEmbedded({ folder, throwaway: true });
  try {
    await migrate(postgres.url);
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      await writeFile(join(ROOT, 'server/schema.sql'), await renderSchema(client, await readRemarks()));
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
  console.log('Updated server/schema.sql');
}

function run(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  stopped: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    stopped.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

/** Lists the third-party packages and their licenses, from the lockfile and the installed packages. */
export async function writeSbom(): Promise<void> {
  const supply = readSupply(ROOT);
  await writeFile(join(ROOT, BILL_FILE), billOfMaterials(supply));
  await writeFile(join(ROOT, NOTICES_FILE), thirdPartyNotices(ROOT, supply));
  console.log(`Updated ${BILL_FILE} and ${NOTICES_FILE}`);
}

/** `npm run doctor` and `npm run bench`: programs of ours run once, against the database that the settings name. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, loadConfig } from '../kernel/config.ts';
import { runningEmbedded, startEmbedded } from '../kernel/embedded.ts';
import { isDataFolder, openDataFolder, StartError } from './folder.ts';
import { ROOT } from './program.ts';

export async function doctor(env: NodeJS.ProcessEnv, args: readonly string[], stopped: AbortSignal): Promise<number> {
  const config = loadConfig({ ...env, MODE: 'demo' });
  const program = join(ROOT, 'server/src/doctor/main.ts');
  if (config.DATABASE_URL !== 'embedded') return run(program, args, { DATABASE_URL: config.DATABASE_URL! }, stopped);
  const running = await runningEmbedded(config.DATA_DIR);
  if (running) return run(program, args, { DATABASE_URL: running }, stopped);
  return withEmbedded(config, (url) => run(program, args, { DATABASE_URL: url }, stopped));
}

async function withEmbedded(config: Config, work: (url: string) => Promise<number>): Promise<number> {
  if (!isDataFolder(config.DATA_DIR))
    throw new StartError(`There is no Parley in ${config.DATA_DIR}: set DATA_DIR or DATABASE_URL`);
  const say = (line: string) => console.error(line);
  const folder = await openDataFolder(config.DATA_DIR, say);
  try {
    const postgres = await startEmbedded({ folder: config.DATA_DIR, onWait: say });
    folder.note('database', postgres.pid);
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
  if (!existsSync(program)) throw new StartError('There are no benchmarks in this copy (bench/ is missing)');
  return run(program, args, {}, stopped);
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

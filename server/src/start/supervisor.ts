/**
 * Brings up everything a mode asks for, in order, and takes it down in reverse. Whatever fails on the way up takes down what is up already:
 * no start that failed leaves a process.
 */
import { join } from 'node:path';
import { migrate } from '../kernel/db/migrate.ts';
import type { Config } from '../kernel/settings/config.ts';
import { demandDatabase, launchEmbedded } from './database.ts';
import { type DataFolder, openDataFolder, StartError } from './folder.ts';
import { keep, type Launch, type Part, type Running, type Starting, type Watch } from './part.ts';
import { demandFreePorts } from './ports.ts';
import { ROOT, startProgram } from './program.ts';
import { fillAuthenticator, launchSandbox, sandboxSettings } from './sandbox.ts';
import { buildWebApp, webAppIsBuilt } from './web_app.ts';

export interface Told {
  say(line: string): void;
  /** A line of a part's log. */
  log(part: string, line: string): void;
  giveUp(line: string): void;
}

export interface Supervisor {
  /** Of the database in use. */
  url: string;
  stop(force: boolean): Promise<void>;
}

export async function startParley(config: Config, told: Told, stopped: AbortSignal): Promise<Supervisor> {
  const demo = config.MODE === 'demo';
  const embedded = config.DATABASE_URL === 'embedded';
  const parts: Part[] = [];
  let folder: DataFolder | null = null;

  const stop = async (force: boolean): Promise<void> => {
    folder?.stopping();
    // The server before what it leans on; by force there is nothing to wait for.
    const order = parts.toReversed();
    if (force) await Promise.all(order.map((part) => part.stop(true)));
    else for (const part of order) await part.stop(false);
    folder?.release();
    folder = null;
  };
  const watch: Watch = {
    say: told.say,
    giveUp: told.giveUp,
    note: (name, pid) => folder?.note(name, pid),
    stopped,
  };
  const start = async (name: string, launch: Launch, base?: Part): Promise<Part> => {
    if (stopped.aborted) throw new StartError('Stopped');
    const part = await keep(name, launch, watch, base).catch((error: Error) => {
      if (stopped.aborted) throw new StartError('Stopped');
      throw error instanceof StartError ? error : new StartError(`The ${name} did not start: ${error.message}`);
    });
    parts.push(part);
    return part;
  };

  try {
    // Several processes of a production may share a folder of files; an embedded database and a sandbox may not be shared.
    if (embedded || demo) folder = await openDataFolder(config.DATA_DIR, told.say);
    await demandFreePorts(config, demo);
    const building = config.ROLE === 'worker' || webAppIsBuilt() ? null : build(told, stopped);
    building?.catch(() => {});

    let url = config.DATABASE_URL!;
    let database: Part | undefined;
    if (embedded) {
      database = await start('database', async (starting) => {
        const running = await launchEmbedded(config.DATA_DIR, told.say, starting);
        url = running.embedded.url;
        return running;
      });
    } else await demandDatabase(url);
    await migrate(url).catch((error: Error) => {
      throw new StartError(`The database could not be brought up to date: ${error.message}`);
    });
    await building;

    if (demo) {
      const seeding = seedDemo(config, url);
      seeding.catch(() => {});
      await start('sandbox', (starting) => launchSandbox(config, told, starting));
      await seeding;
      await fillAuthenticator(config);
      await enrollDemo(config, url);
    }
    await start('server', (starting) => launchServer(config, url, told, starting), database);
    return { url, stop };
  } catch (error) {
    await stop(false);
    throw error;
  }
}

async function build(told: Told, stopped: AbortSignal): Promise<void> {
  told.say('Building the web app (after changes only) ...');
  await buildWebApp(stopped);
}

async function seedDemo(config: Config, url: string): Promise<void> {
  const { createKernel } = await import('../app.ts');
  const { seed } = await import('../seed/seed.ts');
  const kernel = await createKernel(config, { url });
  try {
    await seed(kernel);
  } finally {
    await kernel.db.close();
  }
}

/** The demo's WhatsApp number is asked for at the sandbox, and its templates are handed over, once both are there. What that leaves to do the server does. */
async function enrollDemo(config: Config, url: string): Promise<void> {
  const { createKernel } = await import('../app.ts');
  const channels = await import('../seed/channels.ts');
  const { seedTemplates } = await import('../seed/templates.ts');
  const { startJobs } = await import('../kernel/jobs/jobs.ts');
  const { JOBS } = await import('../modules.ts');
  const kernel = await createKernel(config, { url });
  try {
    const jobs = await startJobs(kernel, JOBS, false);
    try {
      await channels.enrollDemo(kernel);
      await seedTemplates(kernel);
    } finally {
      await jobs.stop();
    }
  } finally {
    await kernel.db.close();
  }
}

function launchServer(config: Config, url: string, told: Told, starting: Starting): Promise<Running> {
  const program = {
    args: [join(ROOT, 'server/src/main.ts')],
    env: {
      MODE: config.MODE,
      ROLE: config.ROLE,
      DATABASE_URL: url,
      DATA_DIR: config.DATA_DIR,
      ...(config.MODE === 'demo' ? sandboxSettings(config) : {}),
    },
    line: (text: string) => {
      const ready = text === '{"ready":true}';
      if (!ready) told.log('server', text);
      return ready;
    },
    stop_ms: 25_000,
  };
  return startProgram(program, starting);
}

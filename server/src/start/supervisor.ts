/**
 * Starts everything that a mode requires, in order, and stops it in reverse order. If a start fails, the parts that are
 * already up are stopped, so a failed start leaves no process behind.
 */
import { join } from 'node:path';
import { migrate } from '../kernel/db/migrate.ts';
import type { Config } from '../kernel/settings/config.ts';
import { checkDatabases, launchEmbedded } from './database.ts';
import { type DataFolder, openDataFolder, StartError } from './folder.ts';
import { type Launch, type Part, type Running, type StartContext, supervise, type Watch } from './part.ts';
import { checkPorts } from './ports.ts';
import { ROOT, startProgram } from './program.ts';
import { fillAuthenticator, launchSandbox, sandboxSettings } from './sandbox.ts';
import { buildWebApp, webAppIsBuilt } from './web_app.ts';

export interface Reporter {
  say(line: string): void;
  /** Receives each log line of a part. */
  log(part: string, line: string): void;
  giveUp(line: string): void;
}

export interface Supervisor {
  /** URL of the database in use. */
  url: string;
  stop(force: boolean): Promise<void>;
}

export async function startParley(config: Config, reporter: Reporter, stopped: AbortSignal): Promise<Supervisor> {
  const demo = config.MODE === 'demo';
  const embedded = config.DATABASE_URL === 'embedded';
  const parts: Part[] = [];
  let folder: DataFolder | null = null;

  const stop = async (force: boolean): Promise<void> => {
    folder?.markStopping();
    // The server stops before its database. A forced stop does not wait.
    const order = parts.toReversed();
    if (force) await Promise.all(order.map((part) => part.stop(true)));
    else for (const part of order) await part.stop(false);
    folder?.release();
    folder = null;
  };
  const watch: Watch = {
    say: reporter.say,
    giveUp: reporter.giveUp,
    recordPart: (name, pid) => folder?.recordPart(name, pid),
    stopped,
  };
  const start = async (name: string, launch: Launch, base?: Part): Promise<Part> => {
    if (stopped.aborted) throw new StartError('Stopped');
    const part = await supervise(name, launch, watch, base).catch((error: Error) => {
      if (stopped.aborted) throw new StartError('Stopped');
      throw error instanceof StartError ? error : new StartError(`The ${name} did not start: ${error.message}`);
    });
    parts.push(part);
    return part;
  };

  try {
    // Several production processes may share a file folder, but not an embedded database or a sandbox.
    if (embedded || demo) folder = await openDataFolder(config.DATA_DIR, reporter.say);
    await checkPorts(config, demo);
    const building = config.ROLE === 'worker' || webAppIsBuilt() ? null : build(reporter, stopped);
    building?.catch(() => {});

    let url = config.DATABASE_URL!;
    let database: Part | undefined;
    if (embedded) {
      database = await start('database', async (context) => {
        const running = await launchEmbedded(config.DATA_DIR, reporter.say, context);
        url = running.embedded.url;
        return running;
      });
    }
    const direct_url = embedded ? url : await checkDatabases(url, config.DATABASE_DIRECT_URL);
    await migrate(direct_url).catch((error: Error) => {
      throw new StartError(`The database migration failed: ${error.message}`);
    });
    await building;

    if (demo) {
      const seeding = seedDemo(config, url);
      seeding.catch(() => {});
      await start('sandbox', (context) => launchSandbox(config, reporter, context));
      await seeding;
      await fillAuthenticator(config);
      await enrollDemo(config, url);
    }
    await start('server', (context) => launchServer(config, url, reporter, context), database);
    return { url, stop };
  } catch (error) {
    await stop(false);
    throw error;
  }
}

async function build(reporter: Reporter, stopped: AbortSignal): Promise<void> {
  reporter.say('Building the web app (first start or after changes) ...');
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

/** Registers the demo's WhatsApp number and templates with the sandbox. The server does everything else. */
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

function launchServer(config: Config, url: string, reporter: Reporter, context: StartContext): Promise<Running> {
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
      const isReady = text === '{"ready":true}';
      if (!isReady) reporter.log('server', text);
      return isReady;
    },
    stop_ms: 25_000,
    watchdog_ms: config.WATCHDOG_SECONDS * 1_000,
  };
  return startProgram(program, context);
}

/**
 * One process of Parley: settings, log, parts of its role, and a graceful stop: no new work, what is under way ends, streams are told to come
 * back, connections close. It may be killed at any moment nevertheless; nothing here may be needed for the data to be right.
 */
import { createKernel, startApp } from './app.ts';
import { sql } from './kernel/db/db.ts';
import { createLog } from './kernel/log.ts';
import { serveMetrics } from './kernel/metrics.ts';
import { ConfigError, loadConfig } from './kernel/settings/config.ts';
import { measure } from './measures.ts';

const GRACE_MS = 20_000;

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  if (!config.DATABASE_URL || config.DATABASE_URL === 'embedded')
    throw new ConfigError(['DATABASE_URL is needed here; npm start and npm run serve can bring a database along']);
  const log = createLog(config);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught');
    process.kill(process.pid, 'SIGKILL');
  });

  // Whoever started us is gone. Before we are up there is nothing to bring to an end; it may have gone before we could listen.
  let leave = (): void => process.exit(1);
  process.on('disconnect', () => leave());
  if (process.connected === false) leave();

  const kernel = await createKernel(config, { url: config.DATABASE_URL, log });
  const app = await startApp(kernel);
  let stopping = false;
  // A worker has no other door: its health is asked here.
  const ready = async () => !stopping && (await kernel.db.rows(sql`select 1`)).length === 1;
  const metrics =
    config.METRICS_PORT === null
      ? null
      : await serveMetrics(config.METRICS_PORT, config.HOST, { ready, measure: () => measure(kernel) });
  process.stdout.write('{"ready":true}\n');

  const stop = async (why: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'stopping');
    // A hot process can hang on its way out, and a part can fail to end: after the grace it is over.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
    metrics?.close();
    await app.stop();
    if (process.connected) process.disconnect();
    log.info('stopped');
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  leave = () => void stop('left alone');
}

process.stdout.on('error', () => {});
main().catch((error: unknown) => {
  if (error instanceof ConfigError) for (const line of error.lines) console.error(line);
  else createLog({ LOG_LEVEL: 'error', ROLE: 'all' }).fatal({ err: error }, 'did not start');
  process.exitCode = 1;
  if (process.connected) process.disconnect();
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 3_000).unref();
});

/**
 * Runs one Parley process with its settings, its log, and the parts for its role. It stops gracefully: it accepts no
 * new work, finishes work in progress, tells live streams to reconnect, and closes connections. It may also be killed
 * at any moment, so the correctness of the data never depends on a graceful stop.
 */
import { createKernel, startApp } from './app.ts';
import { sql } from './kernel/db/db.ts';
import { hasFullDisk } from './kernel/disk.ts';
import { createLog } from './kernel/log.ts';
import { serveMetrics } from './kernel/metrics.ts';
import { ConfigError, loadConfig } from './kernel/settings/config.ts';
import { shareSlotsOnHost } from './kernel/untrusted/host_slots.ts';
import { measure } from './measures.ts';

const GRACE_MS = 20_000;

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  if (!config.DATABASE_URL || config.DATABASE_URL === 'embedded')
    throw new ConfigError(['DATABASE_URL is required here. npm start and npm run serve can provide a database']);
  const log = createLog(config);
  shareSlotsOnHost(config.DATABASE_URL);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught');
    process.kill(process.pid, 'SIGKILL');
  });

  // Stops when the parent process ends. Until this process is up, it has no work to finish, so it exits immediately.
  // The parent may already have ended before the listener was added.
  let onDisconnect = (): void => process.exit(1);
  process.on('disconnect', () => onDisconnect());
  if (process.connected === false) onDisconnect();

  // The parent kills this process if its event loop is blocked for too long.
  const alive = setInterval(() => process.connected && process.send?.('alive', () => {}), 1_000);

  const kernel = await createKernel(config, { url: config.DATABASE_URL, log });
  const app = await startApp(kernel);
  let stopping = false;
  // A worker has no API, so the metrics port also reports its health.
  const isReady = async () =>
    !stopping && (await kernel.db.rows(sql`select 1`)).length === 1 && !(await hasFullDisk(kernel));
  const metrics =
    config.METRICS_PORT === null
      ? null
      : await serveMetrics(config.METRICS_PORT, config.METRICS_HOST, {
          ready: isReady,
          measure: () => measure(kernel),
        });
  process.stdout.write('{"ready":true}\n');

  const stop = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    // Node can hang while shutting down, and a part can fail to stop, so the process is killed after the grace period.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
    metrics?.close();
    await app.stop();
    clearInterval(alive);
    if (process.connected) process.disconnect();
    log.info('stopped');
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  onDisconnect = () => void stop('parent process ended');
}

process.stdout.on('error', () => {});
main().catch((error: unknown) => {
  if (error instanceof ConfigError) for (const line of error.lines) console.error(line);
  else createLog({ LOG_LEVEL: 'error', ROLE: 'all' }).fatal({ err: error }, 'did not start');
  process.exitCode = 1;
  if (process.connected) process.disconnect();
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 3_000).unref();
});

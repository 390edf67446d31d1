/** Assembles one Parley process. `startApp` starts the parts for its role, and `stop` waits for work in progress. */
import { join } from 'node:path';
import { type Api, startApi } from './api.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { Db } from './kernel/db/db.ts';
import { createRoleCredentials, fixedCredentials } from './kernel/files/s3_credentials.ts';
import { diskStorage, type Storage } from './kernel/files/storage.ts';
import { s3Storage } from './kernel/files/storage_s3.ts';
import { useForwardProxy } from './kernel/http/forward_proxy.ts';
import { type Jobs, startJobs } from './kernel/jobs/jobs.ts';
import type { Kernel } from './kernel/kernel.ts';
import { createLog, type Log } from './kernel/log.ts';
import { createSeals } from './kernel/security/seal.ts';
import { readSecretKeys } from './kernel/security/secrets.ts';
import type { Config } from './kernel/settings/config.ts';
import { JOBS, type Loop, SERVERS } from './modules.ts';
import { startWorker } from './worker.ts';

export interface App {
  readonly kernel: Kernel;
  readonly api: Api | null;
  stop(): Promise<void>;
}

export async function createKernel(config: Config, parts: { url: string; log?: Log; clock?: Clock }): Promise<Kernel> {
  const clock = parts.clock ?? systemClock;
  useForwardProxy(config);
  const secrets = await readSecretKeys(config);
  const [secret, ...previous] = secrets;
  const seals = createSeals(secret, previous);
  return {
    config,
    clock,
    log: parts.log ?? createLog(config),
    db: new Db({
      ...{ url: parts.url, clock, seals },
      direct_url: config.DATABASE_DIRECT_URL,
      prepares: config.DATABASE_PREPARED_STATEMENTS ?? config.DATABASE_DIRECT_URL === null,
      max: config.DATABASE_CONNECTIONS,
      shares: connectionShares(config),
      list_timeout_ms: config.LIST_TIMEOUT_SECONDS * 1_000,
      application_name: `parley ${config.ROLE}`,
    }),
    storage: createStorage(config, secrets, clock),
    seals,
  };
}

/**
 * A quarter of the connections is for lists. A process with all roles divides the others between calls and delivery. A
 * small pool is not divided, because some work needs a second connection.
 */
function connectionShares({ ROLE, DATABASE_CONNECTIONS: total }: Config): { delivery: number; lists: number } {
  if (ROLE === 'worker' || total < 8) return { delivery: 0, lists: 0 };
  const lists = Math.floor(total / 4);
  return { lists, delivery: ROLE === 'all' ? Math.floor((total - lists) / 2) : 0 };
}

function createStorage(config: Config, secrets: readonly string[], clock: Clock): Storage {
  const { S3_BUCKET, S3_REGION, S3_ENDPOINT } = config;
  if (S3_BUCKET === null) return diskStorage(join(config.DATA_DIR, 'files'), secrets, clock);
  const credentials =
    config.S3_CREDENTIALS === 'role'
      ? createRoleCredentials(process.env, S3_REGION)
      : fixedCredentials({
          access_key_id: config.S3_ACCESS_KEY_ID!,
          secret_access_key: config.S3_SECRET_ACCESS_KEY!,
          session_token: config.S3_SESSION_TOKEN,
        });
  const folder = join(config.DATA_DIR, 'uploads', 'leaving');
  const options = { credentials, region: S3_REGION, bucket: S3_BUCKET, endpoint: S3_ENDPOINT, folder };
  return s3Storage(options, secrets, clock);
}

/** Starts the app. The database must exist and be migrated. */
export async function startApp(kernel: Kernel): Promise<App> {
  const { ROLE } = kernel.config;
  const started: Loop[] = [];
  const stopAll = async () => {
    for (const part of started.reverse())
      await part.stop().catch((error) => kernel.log.error({ err: error }, 'stopping'));
    await kernel.db.close();
  };
  try {
    const background: Kernel = { ...kernel, db: kernel.db.through('delivery') };
    const jobs: Jobs = await startJobs(background, JOBS, ROLE !== 'api');
    started.push(jobs);
    if (ROLE !== 'api') started.push(await startWorker(background));
    const api = ROLE === 'worker' ? null : await startApi(kernel);
    if (api) started.push(api);
    if (api) for (const start of SERVERS) started.push(await start(kernel));
    return { kernel, api, stop: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

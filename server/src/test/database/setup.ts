/**
 * Starts a temporary PostgreSQL for a test run, with a migrated database that every test file clones (see clone.ts).
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../kernel/db/migrate.ts';
import { installJobs } from '../../kernel/jobs/jobs.ts';
import { processStart } from '../../kernel/process.ts';
import { JOBS } from '../../modules.ts';
import { startEmbedded } from '../../start/postgres/embedded.ts';
import { endPostmaster } from '../../start/postgres/postgres_cluster.ts';
import { bundlePrograms, type Programs } from './programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    database_url: string;
    /** URL of the superuser, who can drop a database even while autovacuum runs in it. */
    maintenance_url: string;
    /** The files of the programs that tests start. */
    programs: Programs;
  }
}

const PREFIX = 'parley-tests-';

interface Prepared {
  database_url: string;
  maintenance_url: string;
  programs: Programs;
  stop(): Promise<void>;
}

/** Vitest loads this module once for each project, so what the projects share is kept outside it. */
const run = globalThis as { preparedTests?: { prepared: Promise<Prepared>; projects: number } | undefined };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.preparedTests ??= { prepared: prepare(), projects: 0 };
  const shared = run.preparedTests;
  const { database_url, maintenance_url, programs, stop } = await shared.prepared;
  shared.projects++;
  project.provide('database_url', database_url);
  project.provide('maintenance_url', maintenance_url);
  project.provide('programs', programs);
  return async () => {
    if (--shared.projects > 0) return;
    run.preparedTests = undefined;
    await stop();
  };
}

async function prepare(): Promise<Prepared> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await writeFile(join(folder, 'owner'), `${process.pid} ${processStart(process.pid)}`);
  const postgres = await startEmbedded({ folder, throwaway: true });
  const stop = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const programs = await bundlePrograms();
    await migrate(postgres.url);
    await installJobs(postgres.url, JOBS);
    return { database_url: postgres.url, maintenance_url: postgres.superuser_url, programs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Stops and removes databases of test runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const [pid, startTime] = (await readFile(join(folder, 'owner'), 'utf8').catch(() => '')).split(' ');
    if (!pid || processStart(Number(pid)) === startTime) continue;
    await endPostmaster(join(folder, 'postgres')).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

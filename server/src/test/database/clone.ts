/** Creates a database for a test file by copying the migrated template. */
import pg from 'pg';
import { inject } from 'vitest';
import { newId } from '../../kernel/clock.ts';

export interface Clone {
  url: string;
  drop(): Promise<void>;
}

export async function cloneDatabase(): Promise<Clone> {
  const base = new URL(inject('database_url')).pathname.slice(1);
  // The default strategy writes each copied page to the write-ahead log, which costs twice as much.
  const clone = await createDatabase(`template ${base} strategy file_copy`);
  // A copy counts as a restored database, which would hold sending.
  await execute(clone.url, 'update database_epoch set identity = database_identity()');
  return clone;
}

/** Creates a database without tables. */
export const createEmptyDatabase = (): Promise<Clone> => createDatabase('');

async function createDatabase(options: string): Promise<Clone> {
  const url = new URL(inject('database_url'));
  const name = `test_${newId().replaceAll('-', '')}`;
  const maintenance = inject('maintenance_url');
  await execute(maintenance, `create database ${name} ${options} owner ${decodeURIComponent(url.username)}`);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => dropDatabase(maintenance, name),
  };
}

/** Drops a database. PostgreSQL waits five seconds for the sessions it ends, which can be too short under load. */
async function dropDatabase(maintenance: string, name: string, attempts = 5): Promise<void> {
  try {
    await execute(maintenance, `drop database if exists ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: string }).code !== IN_USE || attempts <= 1) throw error;
    await dropDatabase(maintenance, name, attempts - 1);
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: object_in_use */
const IN_USE = '55006';

async function execute(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

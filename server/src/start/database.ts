/** Parley's database: an embedded database runs as a part, while an external one is only checked. */
import pg from 'pg';
import { StartError } from './folder.ts';
import type { Running, StartContext } from './part.ts';
import { type Embedded, startEmbedded } from './postgres/embedded.ts';

export async function launchEmbedded(
  folder: string,
  say: (line: string) => void,
  { signal, onSpawn }: StartContext,
): Promise<Running & { embedded: Embedded }> {
  const embedded = await startEmbedded({ folder, onWait: say, onSpawn, signal }).catch((error: Error) => {
    if (/No space left|ENOSPC/.test(error.message)) throw new StartError(`The disk with DATA_DIR ${folder} is full`);
    throw new StartError(error.message);
  });
  return {
    embedded,
    pid: embedded.pid,
    ended: embedded.ended,
    stop: (force) => (force ? embedded.abort() : embedded.stop()),
  };
}

/**
 * Checks the database in the settings and returns the direct URL of PostgreSQL. Rejects a pooler without
 * DATABASE_DIRECT_URL, because LISTEN, migrations, and long-held locks need a dedicated session.
 */
export async function checkDatabases(url: string, direct_url: string | null): Promise<string> {
  const found = await checkDatabase(url, 'DATABASE_URL', direct_url !== null);
  if (direct_url === null) return url;
  const direct = await checkDatabase(direct_url, 'DATABASE_DIRECT_URL', false);
  if (found !== direct) throw new StartError('DATABASE_URL and DATABASE_DIRECT_URL point to different databases');
  await disableJit(direct_url);
  return direct_url;
}

/** Stores options as defaults of the user in this database, because a pooler does not pass on connection options. */
async function disableJit(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(
      `do $$ begin
         execute format('alter role %I in database %I set jit = off', current_user, current_database());
       end $$`,
    );
  } finally {
    await client.end();
  }
}

/**
 * Checks that a URL works. Throws an error of one line, without the password, for each common problem. Returns a text
 * that identifies the database.
 */
async function checkDatabase(url: string, setting: string, isPooled: boolean): Promise<string> {
  const { hostname, port, pathname, username } = new URL(url);
  const address = `${hostname || 'localhost'}:${port || 5432}`;
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    ...(isPooled ? {} : { options: '-c parley.direct=yes' }),
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; name: string; direct: string | null; id: string }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
         current_setting('parley.direct', true) as direct,
         concat(pg_postmaster_start_time(), ' ', d.oid) as id
       from pg_database d where d.datname = current_database()`,
    );
    const server = rows[0]!;
    if (server.version < 150_000)
      throw new StartError(`${setting}: PostgreSQL ${server.name} is too old. Version 15 or newer is required`);
    // Some poolers are configured to ignore the options.
    if (!isPooled && server.direct !== 'yes') throw new StartError(pooler(setting));
    return server.id;
  } catch (error) {
    if (error instanceof StartError) throw error;
    if ((error as Error).message.includes('unsupported startup parameter')) throw new StartError(pooler(setting));
    throw new StartError(
      `${setting}: ${describeProblem(error as Error & { code?: string }, address, pathname, username)}`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

const pooler = (setting: string): string =>
  setting === 'DATABASE_URL'
    ? 'DATABASE_URL points to a pooler such as PgBouncer. Set DATABASE_DIRECT_URL to the direct URL of PostgreSQL'
    : `${setting} points to a pooler such as PgBouncer instead of PostgreSQL`;

function describeProblem(error: Error & { code?: string }, address: string, pathname: string, user: string): string {
  if (error.code === 'ECONNREFUSED') return `nothing listens on ${address}`;
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return `the host of ${address} is unknown`;
  if (error.code === 'ENOENT') return 'the named folder contains no socket';
  if (error.code === '28P01' || error.code === '28000') return `${address} rejected the user "${user}" or the password`;
  if (error.code === '3D000') return `${address} has no database "${pathname.slice(1)}"`;
  if (/timeout/i.test(error.message)) return `${address} does not respond`;
  return `${address}: ${error.message || error.code || 'no connection'}`;
}

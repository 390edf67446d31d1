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

/** Checks that DATABASE_URL works and prints one clear line for each common problem. The password is never printed. */
export async function checkDatabase(url: string): Promise<void> {
  const { hostname, port, pathname, username } = new URL(url);
  const address = `${hostname || 'localhost'}:${port || 5432}`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; name: string }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as name`,
    );
    const [server] = rows;
    if (server && server.version < 150_000)
      throw new StartError(`DATABASE_URL: PostgreSQL ${server.name} is too old. Version 15 or newer is required`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `DATABASE_URL: ${describeProblem(error as Error & { code?: string }, address, pathname, username)}`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

function describeProblem(error: Error & { code?: string }, address: string, pathname: string, user: string): string {
  if (error.code === 'ECONNREFUSED') return `nothing listens on ${address}`;
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return `the host of ${address} is unknown`;
  if (error.code === 'ENOENT') return 'the named folder contains no socket';
  if (error.code === '28P01' || error.code === '28000') return `${address} rejected the user "${user}" or the password`;
  if (error.code === '3D000') return `${address} has no database "${pathname.slice(1)}"`;
  if (/timeout/i.test(error.message)) return `${address} does not respond`;
  return `${address}: ${error.message || error.code || 'no connection'}`;
}

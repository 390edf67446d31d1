/** The database a Parley works on: the embedded one as a part of it, or one that is there already and only looked at. */
import pg from 'pg';
import { StartError } from './folder.ts';
import type { Running, Starting } from './part.ts';
import { type Embedded, startEmbedded } from './postgres/embedded.ts';

export async function launchEmbedded(
  folder: string,
  say: (line: string) => void,
  { signal, spawned }: Starting,
): Promise<Running & { embedded: Embedded }> {
  const embedded = await startEmbedded({ folder, onWait: say, onSpawn: spawned, signal }).catch((error: Error) => {
    if (/No space left|ENOSPC/.test(error.message)) throw new StartError(`The disk of DATA_DIR ${folder} is full`);
    throw new StartError(error.message);
  });
  return {
    embedded,
    pid: embedded.pid,
    ended: embedded.ended,
    stop: (force) => (force ? embedded.abort() : embedded.stop()),
  };
}

/** One clear line for every usual reason why DATABASE_URL does not work. Its password is never printed. */
export async function demandDatabase(url: string): Promise<void> {
  const { hostname, port, pathname, username } = new URL(url);
  const where = `${hostname || 'localhost'}:${port || 5432}`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; name: string }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as name`,
    );
    const [server] = rows;
    if (server && server.version < 150_000)
      throw new StartError(`DATABASE_URL: PostgreSQL ${server.name} is too old, 15 or newer is needed`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATABASE_URL: ${reasonOf(error as Error & { code?: string }, where, pathname, username)}`);
  } finally {
    await client.end().catch(() => {});
  }
}

function reasonOf(error: Error & { code?: string }, where: string, pathname: string, user: string): string {
  if (error.code === 'ECONNREFUSED') return `nothing listens on ${where}`;
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return `the host of ${where} is not known`;
  if (error.code === 'ENOENT') return 'there is no socket in the folder that it names';
  if (error.code === '28P01' || error.code === '28000') return `${where} refuses the user "${user}" or the password`;
  if (error.code === '3D000') return `${where} has no database "${pathname.slice(1)}"`;
  if (/timeout/i.test(error.message)) return `${where} does not answer`;
  return `${where}: ${error.message || error.code || 'no connection'}`;
}

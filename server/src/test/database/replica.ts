/** A primary and a streaming replica on this machine, and an address that leads to the current primary. */
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { migrate } from '../../kernel/db/migrate.ts';
import { type Embedded, startEmbedded } from '../../start/postgres/embedded.ts';
import { until } from '../world.ts';

const SETTINGS = {
  ...{ wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on', full_page_writes: 'on' },
  ...{ shared_buffers: '64MB', max_connections: '100' },
};

export interface Pair {
  /** Leads to the current primary, like a proxy in front of a cluster. */
  readonly url: string;
  /** The replica stops receiving changes, and the primary continues to commit them. */
  cut(): Promise<void>;
  /** Kills the primary and promotes the replica. */
  failOver(): Promise<void>;
  /** Promotes the replica once it has every change that the primary has committed. */
  failOverWithoutLoss(): Promise<void>;
  stop(): Promise<void>;
}

async function query<T>({ superuser_url }: Embedded, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: superuser_url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

/** Starts both servers with a migrated database. The replication is asynchronous. */
export async function startPair(): Promise<Pair> {
  const root = await mkdtemp(join(tmpdir(), 'parley-pair-'));
  const [first, second] = [join(root, 'a'), join(root, 'b')];
  const options = { throwaway: true, settings: SETTINGS };
  const draft = await startEmbedded({ folder: first, ...options });
  await migrate(draft.url);
  await draft.stop();
  // A copy of a server that was shut down can follow it.
  await promisify(execFile)('cp', ['-a', first, second]);
  const primary = await startEmbedded({ folder: first, ...options });
  const { password, searchParams } = new URL(primary.superuser_url);
  const data = join(second, 'postgres');
  const source = `host=${searchParams.get('host')} user=postgres password=${password}`;
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(join(data, 'standby.signal'), '');
  const replica = await startEmbedded({ folder: second, ...options });
  const gate = await openGate(primary);
  const isStreaming = async (): Promise<boolean> =>
    (await query(primary, `select from pg_stat_replication where state = 'streaming'`)).length > 0;
  await until('the replica receives changes', isStreaming, 60_000);
  const failOver = async (): Promise<void> => {
    gate.close();
    await primary.abort();
    await query(replica, 'select pg_promote(true, 60)');
    gate.lead(replica);
  };
  return {
    url: gate.url,
    failOver,
    async failOverWithoutLoss() {
      gate.close();
      // Sessions whose client is gone may still commit their last transaction.
      const database = new URL(primary.url).pathname.slice(1);
      const sessions = `select from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`;
      await until('no session is left', async () => (await query(primary, sessions)).length === 0, 30_000);
      const [row] = await query<{ at: string }>(primary, `select pg_current_wal_lsn()::text as at`);
      await until(
        'the replica has caught up',
        async () => (await query(replica, `select where pg_last_wal_replay_lsn() >= '${row!.at}'::pg_lsn`)).length > 0,
        30_000,
      );
      await failOver();
    },
    async cut() {
      await query(replica, 'alter system reset primary_conninfo');
      await query(replica, 'select pg_reload_conf()');
      await until('the replica is cut off', async () => !(await isStreaming()), 30_000);
    },
    async stop() {
      await gate.stop();
      await replica.stop();
      await primary.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A proxy that leads to one server at a time. Changing the server ends all connections. */
async function openGate(server: Embedded) {
  let target: Embedded | null = server;
  const open = new Set<Socket>();
  const listener = createServer((socket) => {
    if (!target) return void socket.destroy();
    const folder = new URL(target.url).searchParams.get('host');
    const upstream = createConnection(join(folder!, '.s.PGSQL.5432'));
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = new URL(server.url);
  url.search = '';
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  const close = (): void => {
    target = null;
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    close,
    lead(next: Embedded): void {
      target = next;
    },
    async stop(): Promise<void> {
      close();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

/** PgBouncer in transaction mode, in front of a database. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Programs } from './programs.ts';

interface PgBouncerOptions {
  port: number;
  /** URL of the database. */
  target: string;
  settings?: Readonly<Record<string, string>>;
}

/** Starts PgBouncer and returns the URL of the database through it. */
export async function startPgBouncer(programs: Programs, options: PgBouncerOptions): Promise<string> {
  const { port, target, settings = {} } = options;
  const { username, password, hostname, port: targetPort, pathname, searchParams } = new URL(target);
  const users = await programs.write(`users-${port}.txt`, `"${username}" "${decodeURIComponent(password)}"\n`);
  const host = searchParams.get('host') ?? hostname;
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    pool_mode: 'transaction',
    default_pool_size: '8',
    max_client_conn: '200',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const config = await programs.write(
    `pgbouncer-${port}.ini`,
    `[databases]\n* = host=${host} port=${targetPort || 5432}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  programs.start('pgbouncer', [config]);
  const url = `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`;
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return url;
    } catch (error) {
      if (attempt >= 100) throw new Error(`PgBouncer did not start: ${(error as Error).message}\n${programs.log()}`);
      await pause(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** A local PostgreSQL cluster: etcd, two nodes with Patroni, and HAProxy, which routes to the primary. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { hasEnded, signal } from '../../server/src/kernel/process.ts';
import { freePort } from '../../server/src/test/world.ts';
import type { Programs } from './programs.ts';

interface Node {
  name: string;
  port: number;
  rest: number;
  patroni: ChildProcess;
}

export interface Cluster {
  /** URL of the empty database `parley` on the primary. */
  url: string;
  /** Kills the primary and its Patroni, as if the machine had lost power. Returns the name of the node. */
  killPrimary(): Promise<string>;
  primary(): Promise<string | null>;
  stop(): Promise<void>;
}

const PASSWORD = 'only-on-loopback';
const VERSIONS = '/usr/lib/postgresql';

async function within<T>(what: string, programs: Programs, read: () => Promise<T | null>): Promise<T> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await pause(250)) {
    const value = await read().catch(() => null);
    if (value !== null) return value;
  }
  throw new Error(`${what} did not happen:\n${programs.log()}`);
}

function patroniConfig({ name, port, rest }: Omit<Node, 'patroni'>, etcd: number, folder: string): string {
  const version = readdirSync(VERSIONS).sort().at(-1)!;
  return JSON.stringify({
    scope: 'parley',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ...{ ttl: 20, loop_wait: 2, retry_timeout: 5, synchronous_mode: true },
        postgresql: { parameters: { max_connections: 100, synchronous_commit: 'on', shared_buffers: '64MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'scram-sha-256' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, name),
      bin_dir: join(VERSIONS, version, 'bin'),
      pgpass: join(folder, `${name}.pgpass`),
      parameters: { unix_socket_directories: folder },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
      },
    },
  });
}

const proxyConfig = (port: number, nodes: readonly Node[]): string => `
defaults
    mode tcp
    timeout connect 5s
    timeout client 1h
    timeout server 1h
listen primary
    bind 127.0.0.1:${port}
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, rest }) => `    server ${name} 127.0.0.1:${port} check port ${rest}`).join('\n')}
`;

export async function startCluster(programs: Programs): Promise<Cluster> {
  const { folder } = programs;
  const [client, peer, entrance] = [await freePort(), await freePort(), await freePort()];
  const etcdUrls = (name: string, port: number) => [
    `--listen-${name}-urls=http://127.0.0.1:${port}`,
    `--${name === 'peer' ? 'initial-advertise-peer' : 'advertise-client'}-urls=http://127.0.0.1:${port}`,
  ];
  programs.start('etcd', [
    ...[`--data-dir=${join(folder, 'etcd')}`, `--initial-cluster=default=http://127.0.0.1:${peer}`],
    ...etcdUrls('client', client),
    ...etcdUrls('peer', peer),
  ]);
  const nodes: Node[] = [];
  for (const name of ['node1', 'node2']) {
    const node = { name, port: await freePort(), rest: await freePort() };
    const config = await programs.write(`${name}.yml`, patroniConfig(node, client, folder));
    nodes.push({ ...node, patroni: programs.start('patroni', [config]) });
  }
  const members = async () => {
    for (const { rest } of nodes) {
      const response = await fetch(`http://127.0.0.1:${rest}/cluster`).catch(() => null);
      if (response?.ok) return ((await response.json()) as { members: { name: string; role: string }[] }).members;
    }
    return [];
  };
  const primary = async () => {
    for (const { name, rest } of nodes)
      if ((await fetch(`http://127.0.0.1:${rest}/primary`).catch(() => null))?.ok) return name;
    return null;
  };
  await within('the synchronous standby', programs, async () =>
    (await members()).some(({ role }) => role === 'sync_standby') ? true : null,
  );
  programs.start('haproxy', ['-db', '-f', await programs.write('haproxy.cfg', proxyConfig(entrance, nodes))]);
  const url = await within('the database', programs, () => createDatabase(entrance));
  const postmaster = ({ name }: Node) =>
    Number(readFileSync(join(folder, name, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    url,
    primary,
    async killPrimary() {
      const name = await primary();
      const node = nodes.find((candidate) => candidate.name === name)!;
      const pid = postmaster(node);
      node.patroni.kill('SIGKILL');
      signal(pid, 'SIGKILL');
      await hasEnded(pid, 10_000);
      return node.name;
    },
    async stop() {
      // PostgreSQL keeps running without Patroni, so it is stopped first.
      for (const { patroni } of nodes) patroni.kill('SIGKILL');
      for (const node of nodes) {
        try {
          const pid = postmaster(node);
          signal(pid, 'SIGQUIT');
          await hasEnded(pid, 20_000);
        } catch {
          // The node was not started, or it has stopped.
        }
      }
    },
  };
}

async function createDatabase(port: number): Promise<string> {
  const client = new pg.Client({ connectionString: `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres` });
  await client.connect();
  try {
    await client.query(`create role parley login password '${PASSWORD}'`);
    await client.query('create database parley owner parley');
  } finally {
    await client.end();
  }
  return `postgresql://parley:${PASSWORD}@127.0.0.1:${port}/parley`;
}

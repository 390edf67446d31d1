/**
 * Which worker holds which line to a carrier. Every line is a row of `binds`, leased; a worker renews its leases every second, takes lines that are
 * free up to its share, and gives up what it can no longer call its own. So any number of workers share a connection without talking to
 * each other, and what a dead one held is taken over when its lease has run out.
 */
import { connectionChanged } from '@parley/contract/connections/connections.ts';
import type { BindEvents } from '../channels/channel.ts';
import { adapterOf } from '../channels/index.ts';
import { openSecrets } from '../connections/connections.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { LEASE } from './lease.ts';
import { HeldLine } from './line.ts';

export interface ConnectionRow {
  id: string;
  name: string;
  adapter: string;
  channel: string;
  settings: unknown;
}

export interface LineUse {
  /** What comes in over any line of the connection. */
  events(connection: ConnectionRow): Omit<BindEvents, 'changed'>;
  /** A line is there to be fed; `feed` runs until the line is closed. */
  opened(line: HeldLine): void;
}

/** Time for answers that are under way when a line is given up. */
const DRAIN_MS = 5_000;

export class Lines {
  private readonly kernel: Kernel;
  private readonly worker_id: string;
  private readonly use: LineUse;
  private readonly held = new Map<string, HeldLine>();
  private readonly closing = new Set<Promise<void>>();
  private readonly unreadable = new Set<string>();
  /** Given up since operators were last told. */
  private gone: HeldLine[] = [];
  private stopped = false;

  constructor(kernel: Kernel, worker_id: string, use: LineUse) {
    this.kernel = kernel;
    this.worker_id = worker_id;
    this.use = use;
  }

  /** Called every second, and soon after a line changed. Never twice at once. */
  async keep(): Promise<void> {
    const { db } = this.kernel;
    const ours = [...this.held.values()];
    const renewed = new Set((await renew(db, this.worker_id, ours)).map(keyOf));
    for (const line of ours) if (!renewed.has(keyOf(line))) this.giveUp(line, 0);
    const connections = await enabledConnections(db);
    const byId = new Map(connections.map((connection) => [connection.id, connection]));
    for (const line of this.held.values()) {
      const connection = byId.get(line.connection.id);
      if (!connection || settingsOf(connection) !== settingsOf(line.connection)) this.giveUp(line, DRAIN_MS);
    }
    const workers = await liveWorkers(db);
    const total = connections.reduce((sum, connection) => sum + linesOf(connection), 0);
    const most = Math.ceil(total / Math.max(1, workers));
    for (const line of [...this.held.values()].slice(most)) this.giveUp(line, DRAIN_MS);
    for (const connection of connections) await this.share(connection, workers, most);
    await this.announce();
  }

  /** As many lines of the connection as fall to this worker, while it has not had its share of all lines. */
  private async share(connection: ConnectionRow, workers: number, most: number): Promise<void> {
    const total = linesOf(connection);
    const fair = Math.ceil(total / Math.max(1, workers));
    const ours = [...this.held.values()].filter((line) => line.connection.id === connection.id);
    for (const line of ours.slice(fair)) this.giveUp(line, DRAIN_MS);
    const wanted = Math.min(fair - ours.length, most - this.held.size);
    if (wanted <= 0 || this.stopped) return;
    const settings = this.readable(connection);
    if (!settings) return;
    for (const { slot } of await take(this.kernel.db, this.worker_id, connection.id, total, wanted)) {
      this.open(connection, settings, slot);
    }
  }

  /** With its secrets in clear; null when they were sealed by another secret than ours, which is said once. */
  private readable(connection: ConnectionRow): unknown {
    try {
      return openSecrets(this.kernel, connection.id, connection.adapter, connection.settings as object);
    } catch (error) {
      const key = settingsOf(connection);
      if (!this.unreadable.has(key))
        this.kernel.log.error({ err: error, connection: connection.name }, 'the secrets cannot be opened');
      this.unreadable.add(key);
      return null;
    }
  }

  private open(connection: ConnectionRow, settings: unknown, slot: number): void {
    const line = new HeldLine(connection, slot, this.use.events(connection), settings);
    this.held.set(keyOf(line), line);
    this.use.opened(line);
  }

  private giveUp(line: HeldLine, drain_ms: number): void {
    this.held.delete(keyOf(line));
    this.gone.push(line);
    const closed: Promise<void> = line
      .close(drain_ms)
      .then(() => leave(this.kernel.db, this.worker_id, line))
      .catch((error) => this.kernel.log.error({ err: error, connection: line.connection.name }, 'closing a line'))
      .then(() => void this.closing.delete(closed));
    this.closing.add(closed);
  }

  private async announce(): Promise<void> {
    const moved = [...this.held.values(), ...this.gone].filter((line) => line.up !== line.announced);
    this.gone = [];
    if (moved.length === 0) return;
    await this.kernel.db.tx(async (tx) => {
      const operators = await operatorAccounts(tx);
      for (const { connection, state } of moved) {
        const payload = { id: connection.id, name: connection.name, state };
        for (const { id } of operators) emit(tx, connectionChanged, id, payload);
      }
    });
    for (const line of moved) {
      line.announced = line.up;
      const { name } = line.connection;
      this.kernel.log.info({ connection: name, slot: line.slot, state: line.state }, 'line');
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const line of [...this.held.values()]) this.giveUp(line, DRAIN_MS);
    await Promise.all(this.closing);
    await this.announce();
  }
}

const keyOf = (line: { connection_id: string; slot: number }) => `${line.connection_id} ${line.slot}`;
const linesOf = (connection: ConnectionRow) => adapterOf(connection.adapter).binds(connection);
const settingsOf = ({ adapter, channel, settings }: ConnectionRow) => JSON.stringify([adapter, channel, settings]);

const enabledConnections = (db: Db) =>
  db.rows<ConnectionRow>(sql`
    select id, name, adapter, channel, settings from connections where enabled order by id`);

const liveWorkers = async (db: Db): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from workers where lease_until > now()`)).count;

const operatorAccounts = (tx: Tx) => tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`);

const renew = (db: Db, worker_id: string, lines: readonly HeldLine[]) => {
  if (lines.length === 0) return Promise.resolve([]);
  const news = lines.map((line) => line.news());
  const of = <T>(pick: (line: HeldLine) => T): T[] => lines.map(pick);
  return db.rows<{ connection_id: string; slot: number }>(sql`
    update binds b set
      session = t.session, state = t.state, detail = t.detail, line_window = t.line_window, in_flight = t.in_flight,
      rate_per_second = t.rate, sent_count = b.sent_count + t.sent, lease_until = now() + ${LEASE}::interval,
      bound_date = case when t.session is null then null when t.session is distinct from b.session then now() else b.bound_date end
    from unnest(
      ${of((line) => line.connection_id)}::uuid[], ${of((line) => line.slot)}::smallint[], ${of(({ line }) => line.session)}::uuid[],
      ${of(({ line }) => line.state)}::text[], ${of(({ line }) => line.detail.slice(0, 300))}::text[],
      ${of(({ line }) => line.window)}::int[], ${of(({ line }) => line.in_flight)}::int[],
      ${news.map(({ rate }) => rate)}::int[], ${news.map(({ sent }) => sent)}::bigint[]
    ) as t(connection_id, slot, session, state, detail, line_window, in_flight, rate, sent)
    where b.connection_id = t.connection_id and b.slot = t.slot and b.worker_id = ${worker_id}
    returning b.connection_id, b.slot`);
};

/** Free lines, or those whose holder is gone. The worker must be alive itself. */
const take = (db: Db, worker_id: string, connection_id: string, total: number, wanted: number) =>
  db.rows<{ slot: number }>(sql`
    insert into binds as b (connection_id, slot, worker_id, state, lease_until)
    select ${connection_id}, free.slot, w.id, 'connecting', now() + ${LEASE}::interval
    from workers w cross join lateral (
      select g.slot from generate_series(0, ${total - 1}::int) as g(slot)
      where not exists (select from binds x where x.connection_id = ${connection_id} and x.slot = g.slot and x.lease_until > now())
      order by g.slot limit ${wanted}
    ) free
    where w.id = ${worker_id} and w.lease_until > now()
    on conflict (connection_id, slot) do update set
      worker_id = excluded.worker_id, state = 'connecting', detail = '', session = null, bound_date = null, in_flight = 0,
      rate_per_second = 0, lease_until = excluded.lease_until
      where b.lease_until <= now()
    returning slot`);

const leave = (db: Db, worker_id: string, line: HeldLine) =>
  db.run(sql`
    delete from binds where connection_id = ${line.connection_id} and slot = ${line.slot} and worker_id = ${worker_id}`);

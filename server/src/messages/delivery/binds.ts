/**
 * Assigns binds to workers. Each bind is a leased row in `binds`. Every second, a worker renews its leases, claims free
 * binds up to its share, and releases the binds that it has lost. Any number of workers can share a connection without
 * communicating with each other. When a worker dies, the others take over its binds as soon as its lease expires.
 */
import { connectionChanged } from '@parley/contract/connections/connections.ts';
import type { Bind, BindEvents } from '../../channels/channel.ts';
import { getAdapter } from '../../channels/index.ts';
import { callbackUrl, openSecrets } from '../../connections/connections.ts';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import type { ConnectionRow } from '../model/connection_row.ts';
import { HeldBind } from './bind.ts';
import { LEASE } from './worker_lease.ts';

interface BindCallbacks {
  /** Handles everything that arrives over the connection's binds. */
  events(connection: ConnectionRow): Omit<BindEvents, 'changed'>;
  /** Called for each new bind; the bind's submitter runs until the bind is closed. */
  opened(bind: HeldBind): void;
}

/** The time that a released bind waits for pending responses. */
const DRAIN_MS = 5_000;

export class BindPool {
  private readonly kernel: Kernel;
  private readonly worker_id: string;
  private readonly callbacks: BindCallbacks;
  private readonly held = new Map<string, HeldBind>();
  private readonly closing = new Set<Promise<void>>();
  private readonly unreadable = new Set<string>();
  /** Binds released since operators were last informed. */
  private released: HeldBind[] = [];
  private stopped = false;

  constructor(kernel: Kernel, worker_id: string, callbacks: BindCallbacks) {
    this.kernel = kernel;
    this.worker_id = worker_id;
    this.callbacks = callbacks;
  }

  /** Runs every second and soon after a bind changes, but never twice at once. */
  async keep(): Promise<void> {
    const { db } = this.kernel;
    const ownBinds = [...this.held.values()];
    const renewed = new Set((await renewLeases(db, this.worker_id, ownBinds)).map(bindKey));
    for (const bind of ownBinds) if (!renewed.has(bindKey(bind))) this.release(bind, 0);
    const connections = await listEnabledConnections(db);
    const byId = new Map(connections.map((connection) => [connection.id, connection]));
    for (const bind of this.held.values()) {
      const connection = byId.get(bind.connection.id);
      if (!connection || settingsKey(connection) !== settingsKey(bind.connection)) this.release(bind, DRAIN_MS);
    }
    const workers = await countLiveWorkers(db);
    const total = connections.reduce((sum, connection) => sum + countBinds(connection), 0);
    const maxBinds = Math.ceil(total / Math.max(1, workers));
    for (const bind of [...this.held.values()].slice(maxBinds)) this.release(bind, DRAIN_MS);
    for (const connection of connections) await this.takeShare(connection, workers, maxBinds);
    await this.announce();
  }

  /** Opens binds to the connection, up to this worker's share of that connection and of all binds. */
  private async takeShare(connection: ConnectionRow, workers: number, maxBinds: number): Promise<void> {
    const total = countBinds(connection);
    const fair = Math.ceil(total / Math.max(1, workers));
    const ownBinds = [...this.held.values()].filter((bind) => bind.connection.id === connection.id);
    for (const bind of ownBinds.slice(fair)) this.release(bind, DRAIN_MS);
    const missing = Math.min(fair - ownBinds.length, maxBinds - this.held.size);
    if (missing <= 0 || this.stopped) return;
    const settings = this.openSettings(connection);
    if (!settings) return;
    for (const { slot } of await takeSlots(this.kernel.db, this.worker_id, connection.id, total, missing)) {
      this.open(connection, settings, slot);
    }
  }

  /** Decrypts the connection's secrets. If they were sealed with another key, logs this once and returns null. */
  private openSettings(connection: ConnectionRow): unknown {
    try {
      return openSecrets(this.kernel, connection.id, connection.adapter, connection.settings as object);
    } catch (error) {
      const key = settingsKey(connection);
      if (!this.unreadable.has(key))
        this.kernel.log.error(
          { err: error, connection: connection.name },
          'could not open the secrets of the connection',
        );
      this.unreadable.add(key);
      return null;
    }
  }

  private open(connection: ConnectionRow, settings: unknown, slot: number): void {
    const spec = { id: connection.id, settings, callback_url: callbackUrl(this.kernel, connection.id) };
    const bind = new HeldBind(connection, slot, this.callbacks.events(connection), spec);
    this.held.set(bindKey(bind), bind);
    this.callbacks.opened(bind);
  }

  private release(bind: HeldBind, drain_ms: number): void {
    this.held.delete(bindKey(bind));
    this.released.push(bind);
    const closed: Promise<void> = bind
      .close(drain_ms)
      .then(() => deleteBind(this.kernel.db, this.worker_id, bind))
      .catch((error) =>
        this.kernel.log.error({ err: error, connection: bind.connection.name }, 'could not close a bind'),
      )
      .then(() => void this.closing.delete(closed));
    this.closing.add(closed);
  }

  private async announce(): Promise<void> {
    const moved = [...this.held.values(), ...this.released].filter((bind) => bind.up !== bind.announced);
    this.released = [];
    if (moved.length === 0) return;
    await this.kernel.db.tx(async (tx) => {
      const operators = await listOperatorAccounts(tx);
      for (const { connection, state } of moved) {
        const payload = { id: connection.id, name: connection.name, state };
        for (const { id } of operators) emit(tx, connectionChanged, id, payload);
      }
    });
    for (const bind of moved) {
      bind.announced = bind.up;
      const { name } = bind.connection;
      this.kernel.log.info({ connection: name, slot: bind.slot, state: bind.state }, 'bind changed');
    }
  }

  /** The connections to which this worker has a bind that is up. */
  boundConnections(): string[] {
    return [...new Set([...this.held.values()].filter(({ up }) => up).map(({ connection_id }) => connection_id))];
  }

  findBound(connection_id: string): Bind | undefined {
    return [...this.held.values()].find((held) => held.connection_id === connection_id && held.up)?.bind;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const bind of [...this.held.values()]) this.release(bind, DRAIN_MS);
    await Promise.all(this.closing);
    await this.announce();
  }
}

const bindKey = (bind: { connection_id: string; slot: number }) => `${bind.connection_id} ${bind.slot}`;
const countBinds = (connection: ConnectionRow) => getAdapter(connection.adapter).binds(connection);
const settingsKey = ({ adapter, channel, settings }: ConnectionRow) => JSON.stringify([adapter, channel, settings]);

const listEnabledConnections = (db: Db) =>
  db.rows<ConnectionRow>(sql`
    select id, name, adapter, channel, settings from connections where enabled and paused_date is null
    order by id`);

const countLiveWorkers = async (db: Db): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from workers where lease_until > now()`)).count;

const listOperatorAccounts = (tx: Tx) => tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`);

const renewLeases = (db: Db, worker_id: string, binds: readonly HeldBind[]) => {
  if (binds.length === 0) return Promise.resolve([]);
  const counters = binds.map((bind) => bind.takeCounters());
  const column = <T>(pick: (bind: HeldBind) => T): T[] => binds.map(pick);
  return db.rows<{ connection_id: string; slot: number }>(sql`
    update binds b set
      session = t.session, state = t.state, detail = t.detail, window_size = t.window_size, in_flight = t.in_flight,
      rate_per_second = t.rate, sent_count = b.sent_count + t.sent, lease_until = now() + ${LEASE}::interval,
      pace_per_second = t.pace, throttled_count = b.throttled_count + t.throttled,
      bound_date = case when t.session is null then null when t.session is distinct from b.session then now()
        else b.bound_date end
    from unnest(
      ${column((bind) => bind.connection_id)}::uuid[], ${column((bind) => bind.slot)}::smallint[],
      ${column(({ bind }) => bind.session)}::uuid[], ${column(({ bind }) => bind.state)}::text[],
      ${column(({ bind }) => bind.detail.slice(0, 300))}::text[], ${column(({ bind }) => bind.window)}::int[],
      ${column(({ bind }) => bind.in_flight)}::int[], ${counters.map(({ rate }) => rate)}::int[],
      ${counters.map(({ sent }) => sent)}::bigint[], ${counters.map(({ pace }) => pace)}::int[],
      ${counters.map(({ throttled }) => throttled)}::bigint[]
    ) as t(connection_id, slot, session, state, detail, window_size, in_flight, rate, sent, pace, throttled)
    where b.connection_id = t.connection_id and b.slot = t.slot and b.worker_id = ${worker_id}
    returning b.connection_id, b.slot`);
};

/** Claims free binds, and binds whose holder is gone. Claims none if this worker's own lease has expired. */
const takeSlots = (db: Db, worker_id: string, connection_id: string, total: number, count: number) =>
  db.rows<{ slot: number }>(sql`
    insert into binds as b (connection_id, slot, worker_id, state, lease_until)
    select ${connection_id}, free.slot, w.id, 'connecting', now() + ${LEASE}::interval
    from workers w cross join lateral (
      select g.slot from generate_series(0, ${total - 1}::int) as g(slot)
      where not exists (select from binds x where x.connection_id = ${connection_id} and x.slot = g.slot
        and x.lease_until > now())
      order by g.slot limit ${count}
    ) free
    where w.id = ${worker_id} and w.lease_until > now()
    on conflict (connection_id, slot) do update set
      worker_id = excluded.worker_id, state = 'connecting', detail = '', session = null, bound_date = null,
      in_flight = 0, rate_per_second = 0, pace_per_second = null, lease_until = excluded.lease_until
      where b.lease_until <= now()
    returning slot`);

const deleteBind = (db: Db, worker_id: string, bind: HeldBind) =>
  db.run(sql`
    delete from binds where connection_id = ${bind.connection_id} and slot = ${bind.slot}
      and worker_id = ${worker_id}`);

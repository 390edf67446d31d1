/**
 * The live stream: every event with a position reaches each open session that has the required permission, in order and
 * exactly once. A stream resumes after the last timestamp (or id) that it received. A client whose position is older
 * than the events still stored gets `resync`. There is one reader per process.
 */
import type { AnyEventType, LiveEvent, Viewer } from '@parley/contract/event.ts';
import { permits } from '@parley/contract/permission.ts';
import { hideSpend, seesSpend } from '@parley/contract/spend.ts';
import type pg from 'pg';
import { type Db, sql } from '../db/db.ts';

const POLL_MS = 1_000;
const BATCH = 1_000;

interface StoredEvent {
  account_id: string;
  seq: number;
  published_at: string;
  type: string;
  payload: unknown;
}

export interface Subscriber {
  account_id: string;
  /** Read at every delivery, so that changed permissions take effect immediately. Null ends the stream. */
  viewer(): Viewer | null;
  send(event: LiveEvent): void;
  /** `at` is the current position. The client discards its state and its previous position. */
  resync(at: string): void;
}

interface Entry {
  take(event: StoredEvent): void;
  resync(at: string): void;
}

export class Live {
  private readonly db: Db;
  private readonly types: ReadonlyMap<string, AnyEventType>;
  private readonly subscribers = new Map<string, Set<Entry>>();
  private readonly failed: (error: unknown) => void;
  private position = 0;
  /** The epoch of the database. A position identifies an event only within its epoch. */
  private epoch = 0;
  private listener: pg.Client | null = null;
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | null = null;
  private again = false;
  private stopped = false;

  constructor(db: Db, types: readonly AnyEventType[], failed: (error: unknown) => void) {
    this.db = db;
    this.types = new Map(types.map((type) => [type.id, type]));
    this.failed = failed;
  }

  async start(): Promise<void> {
    const { seq, epoch } = await this.readPosition();
    this.position = seq;
    this.epoch = epoch;
    await this.listen();
    this.timer = setInterval(() => this.wake(), POLL_MS);
  }

  get size(): number {
    let size = 0;
    for (const set of this.subscribers.values()) size += set.size;
    return size;
  }

  /** Delivers the events after `last_event_time` first, then new ones. Returns a function that unsubscribes. */
  async subscribe(subscriber: Subscriber, last_event_time: string | null): Promise<() => void> {
    // A read in progress has already chosen its accounts, so this call waits for it to finish.
    while (this.reading) await this.reading;
    const waiting: StoredEvent[] = [];
    let caught_up = false;
    const entry: Entry = {
      take: (event) => {
        if (caught_up) this.deliver(subscriber, event);
        else waiting.push(event);
      },
      resync: (at) => {
        waiting.length = 0;
        subscriber.resync(at);
      },
    };
    const set = this.subscribers.get(subscriber.account_id) ?? new Set();
    this.subscribers.set(subscriber.account_id, set.add(entry));
    const from = this.position;
    const leave = () => {
      set.delete(entry);
      if (set.size === 0) this.subscribers.delete(subscriber.account_id);
    };
    try {
      if (last_event_time) await this.backlog(subscriber, last_event_time, from);
    } catch (error) {
      leave();
      throw error;
    }
    for (const event of waiting) this.deliver(subscriber, event);
    caught_up = true;
    return leave;
  }

  private async backlog(subscriber: Subscriber, last_event_time: string, until: number): Promise<void> {
    // A client whose position is ahead of the sequence has seen events that the database has lost.
    const { gone, at } = await this.db.one<{ gone: boolean; at: string }>(sql`
      select ${last_event_time}::timestamptz < kept_since or ${last_event_time}::timestamptz > published_at as gone,
        to_char(published_at, 'YYYY-MM-DD HH24:MI:SS.US') as at
      from event_position`);
    if (gone) return subscriber.resync(at);
    let after = last_event_time;
    for (;;) {
      const events = await this.db.rows<StoredEvent>(sql`
        select account_id, seq, to_char(published_at, 'YYYY-MM-DD HH24:MI:SS.US') as published_at, type, payload
        from events
        where account_id = ${subscriber.account_id} and published_at > ${after}::timestamptz and seq <= ${until}
          and live
        order by published_at limit ${BATCH}`);
      for (const event of events) this.deliver(subscriber, event);
      if (events.length < BATCH) return;
      after = events.at(-1)!.published_at;
    }
  }

  private deliver(subscriber: Subscriber, event: StoredEvent): void {
    const type = this.types.get(event.type);
    const viewer = subscriber.viewer();
    if (!type || !viewer || !permits(viewer.permissions, type.needs)) return;
    if (type.visible && !type.visible(event.payload, viewer)) return;
    subscriber.send({
      event_type: event.type,
      timestamp: event.published_at,
      seq: event.seq,
      modules: type.modules,
      data: seesSpend(viewer.permissions) ? event.payload : hideSpend(type.payload, event.payload),
    });
  }

  private async listen(): Promise<void> {
    try {
      const client = await this.db.dedicated('parley live');
      client.on('notification', () => this.wake());
      client.on('end', () => {
        this.listener = null;
      });
      await client.query('listen parley_events');
      this.listener = client;
    } catch (error) {
      this.failed(error);
    }
  }

  private wake(): void {
    if (this.stopped) return;
    if (this.reading) {
      this.again = true;
      return;
    }
    this.reading = this.read()
      .catch(this.failed)
      .finally(() => {
        this.reading = null;
        if (this.again) {
          this.again = false;
          this.wake();
        }
      });
  }

  private async read(): Promise<void> {
    if (!this.listener && !this.stopped) await this.listen();
    // Positions are assigned and published in one statement, so every event up to this one can be read.
    const { seq, epoch, at } = await this.readPosition();
    if (epoch !== this.epoch || seq < this.position) {
      this.epoch = epoch;
      this.position = seq;
      for (const entries of this.subscribers.values()) for (const entry of entries) entry.resync(at);
      return;
    }
    while (this.position < seq) {
      const accounts = [...this.subscribers.keys()];
      const events = await this.db.rows<StoredEvent>(sql`
        select account_id, seq, to_char(published_at, 'YYYY-MM-DD HH24:MI:SS.US') as published_at, type, payload
        from events
        where seq > ${this.position} and seq <= ${seq} and live and account_id = any(${accounts}::uuid[])
        order by seq limit ${BATCH}`);
      for (const event of events) {
        for (const entry of this.subscribers.get(event.account_id) ?? []) entry.take(event);
      }
      this.position = events.length < BATCH ? seq : events.at(-1)!.seq;
    }
  }

  private readPosition(): Promise<{ seq: number; epoch: number; at: string }> {
    return this.db.one<{ seq: number; epoch: number; at: string }>(sql`
      select seq, epoch, to_char(published_at, 'YYYY-MM-DD HH24:MI:SS.US') as at from event_position`);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.reading;
    await this.listener?.end().catch(() => {});
  }
}

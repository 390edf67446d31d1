/**
 * The live stream: every event with a position reaches each open session that has the required permission, in order and
 * exactly once. A stream resumes after the last timestamp (or id) that it received. A client whose position is older
 * than the events still stored gets `resync`. There is one reader per process.
 */
import type { AnyEventType, Viewer } from '@parley/contract/event.ts';
import type pg from 'pg';
import { type Db, raw, sql } from '../db/db.ts';
import { type DeliveredEvent, Delivery, type StoredEvent } from './delivery.ts';

const POLL_MS = 1_000;
const BATCH = 1_000;

/** The position of an event in the order of all events. */
interface Place {
  account_id: string;
  id: string;
  seq: number;
  published_at: string;
}

const PUBLISHED_AT = raw(`to_char(p.published_at, 'YYYY-MM-DD HH24:MI:SS.US')`);

export interface Subscriber {
  account_id: string;
  /** Read at every delivery, so that changed permissions take effect immediately. Null ends the stream. */
  viewer(): Viewer | null;
  send(event: DeliveredEvent): void;
  /** `at` is the current position. The client discards its state and its previous position. */
  resync(at: string): void;
}

interface Entry {
  take(event: Delivery): void;
  resync(at: string): void;
}

export class Live {
  private readonly db: Db;
  private readonly types: ReadonlyMap<string, AnyEventType>;
  private readonly subscribers = new Map<string, Set<Entry>>();
  private readonly failed: (error: unknown) => void;
  private position = 0;
  private present = '';
  private readonly waiters = new Set<() => void>();
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
    const { seq, epoch, at } = await this.readPosition();
    this.position = seq;
    this.epoch = epoch;
    this.present = at;
    await this.listen();
    this.timer = setInterval(() => this.wake(), POLL_MS);
  }

  /** The position up to which every subscriber has received its events. */
  get at(): string {
    return this.present;
  }

  /** Calls `moved` once, when the position changes. Returns a function that cancels the wait. */
  onMove(moved: () => void): () => void {
    this.waiters.add(moved);
    return () => this.waiters.delete(moved);
  }

  /** Delivers the events after `last_event_time` first, then new ones. Returns a function that unsubscribes. */
  async subscribe(subscriber: Subscriber, last_event_time: string | null): Promise<() => void> {
    // A read in progress has already chosen its accounts, so this call waits for it to finish.
    while (this.reading) await this.reading;
    const waiting: Delivery[] = [];
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
      if (last_event_time) await this.sendBacklog(subscriber, last_event_time, from);
    } catch (error) {
      leave();
      throw error;
    }
    for (const event of waiting) this.deliver(subscriber, event);
    caught_up = true;
    return leave;
  }

  private async sendBacklog(subscriber: Subscriber, last_event_time: string, until: number): Promise<void> {
    // A client whose position is ahead of the sequence has seen events that the database has lost.
    const { gone, at } = await this.db.one<{ gone: boolean; at: string }>(sql`
      select ${last_event_time}::timestamptz < kept_since or ${last_event_time}::timestamptz > published_at as gone,
        to_char(published_at, 'YYYY-MM-DD HH24:MI:SS.US') as at
      from event_position`);
    if (gone) return subscriber.resync(at);
    let after = last_event_time;
    for (;;) {
      const events = await this.db.rows<StoredEvent>(sql`
        select p.account_id, p.seq, ${PUBLISHED_AT} as published_at, e.type, e.payload::text as payload
        from event_positions p join events e on e.account_id = p.account_id and e.id = p.event_id
        where p.account_id = ${subscriber.account_id} and p.published_at > ${after}::timestamptz and p.seq <= ${until}
          and p.live
        order by p.published_at limit ${BATCH}`);
      for (const event of events) {
        const type = this.types.get(event.type);
        if (type) this.deliver(subscriber, new Delivery(event, type));
      }
      if (events.length < BATCH) return;
      after = events.at(-1)!.published_at;
    }
  }

  private deliver(subscriber: Subscriber, event: Delivery): void {
    const seen = event.seenBy(subscriber.viewer());
    if (seen) subscriber.send(seen);
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
    const before = this.present;
    this.reading = this.read()
      .catch(this.failed)
      .finally(() => {
        this.reading = null;
        if (this.present !== before) this.moved();
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
      this.present = at;
      for (const entries of this.subscribers.values()) for (const entry of entries) entry.resync(at);
      return;
    }
    while (this.position < seq && this.subscribers.size > 0) {
      const places = await this.db.rows<Place>(sql`
        select p.account_id, p.event_id as id, p.seq, ${PUBLISHED_AT} as published_at
        from event_positions p where p.seq > ${this.position} and p.seq <= ${seq} and p.live
        order by p.seq limit ${BATCH}`);
      const last = places.length < BATCH ? { seq, published_at: at } : places.at(-1)!;
      await this.publish(places.filter(({ account_id }) => this.subscribers.has(account_id)));
      this.position = last.seq;
      this.present = last.published_at;
    }
    this.position = seq;
    this.present = at;
  }

  private moved(): void {
    const waiters = [...this.waiters];
    this.waiters.clear();
    for (const moved of waiters) moved();
  }

  /** The payload of an event is read only if a stream of its account is open. */
  private async publish(places: readonly Place[]): Promise<void> {
    if (places.length === 0) return;
    const events = await this.db.rows<{ id: string; type: string; payload: string }>(sql`
      select e.id, e.type, e.payload::text as payload
      from unnest(${places.map((place) => place.account_id)}::uuid[], ${places.map(({ id }) => id)}::uuid[])
        as t(account_id, id)
      join events e on e.account_id = t.account_id and e.id = t.id`);
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const place of places) {
      const event = byId.get(place.id);
      const type = event && this.types.get(event.type);
      if (!event || !type) continue;
      const delivery = new Delivery({ ...place, type: event.type, payload: event.payload }, type);
      for (const entry of this.subscribers.get(place.account_id) ?? []) entry.take(delivery);
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

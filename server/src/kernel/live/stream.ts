/**
 * The live stream over HTTP: one long response of server-sent events. Permissions are checked before every delivery.
 * They are read again when an event reports that the session has changed, and every 30 seconds for all streams,
 * because a session can also end without an event, when it expires. An idle stream runs no statement of its own.
 */
import type { ServerResponse } from 'node:http';
import type { Viewer } from '@parley/contract/event.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Ctx } from '../http/endpoint.ts';
import { metrics } from '../metrics.ts';
import type { Actor, Gate } from '../security/auth.ts';
import type { DeliveredEvent } from './delivery.ts';
import type { Live, Subscriber } from './live.ts';

const HEARTBEAT_MS = 10_000;
/** Heartbeats are spread over this many parts of their interval, so that many streams cause no peaks. */
const SLOTS = 20;
/** Each stream is checked with its first heartbeat, and then with every third. */
const CHECK_EVERY = 3;
/**
 * A slow reader is disconnected when this many bytes are waiting. It resumes from the last timestamp that it received
 * and misses nothing.
 */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

const connections = metrics.gauge('sse_connections', 'Open live streams');

class Stream implements Subscriber {
  readonly account_id: string;
  readonly token: string;
  heartbeats = 0;
  private access: Viewer | null;
  private leave: (() => void) | null = null;
  private closed = false;
  private readonly out: ServerResponse;
  private readonly streams: Streams;

  constructor(streams: Streams, actor: Actor, token: string, out: ServerResponse) {
    this.streams = streams;
    this.account_id = actor.account_id;
    this.access = toViewer(actor);
    this.token = token;
    this.out = out;
  }

  /** True if the stream has received all events up to the position of `Live`. */
  get isCurrent(): boolean {
    return this.leave !== null;
  }

  viewer(): Viewer | null {
    return this.access;
  }

  /** Null means that the session has ended. */
  setAccess(actor: Actor | null): void {
    if (actor) this.access = toViewer(actor);
    else this.close();
  }

  send(event: DeliveredEvent): void {
    this.write(event.frame);
    // Changed permissions must take effect as soon as possible.
    if (event.event_type.startsWith('session.')) this.streams.check(this);
  }

  resync(at: string): void {
    this.write(frame('resync', at, {}));
  }

  write(text: string | Buffer): void {
    if (this.out.writableLength > MAX_WAITING_BYTES) this.close();
    else this.out.write(text);
  }

  joined(leave: () => void): void {
    if (this.closed) leave();
    else this.leave = leave;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.leave?.();
    this.leave = null;
    this.streams.remove(this);
    this.out.end();
  }
}

export class Streams {
  private readonly slots = Array.from({ length: SLOTS }, () => new Set<Stream>());
  private readonly places = new Map<Stream, { slot: Set<Stream>; leaveUser: () => void }>();
  private readonly byUser = new Map<string, number>();
  /** Streams whose permissions are read again together in a moment. */
  private readonly unchecked = new Set<Stream>();
  private readonly live: Live;
  private readonly gate: Gate;
  private readonly timer: NodeJS.Timeout;
  private ticks = 0;
  private nextSlot = 0;

  constructor(live: Live, gate: Gate) {
    this.live = live;
    this.gate = gate;
    this.timer = setInterval(() => this.tick(), HEARTBEAT_MS / SLOTS);
  }

  async serve(ctx: Ctx, last_event_time: string | undefined): Promise<void> {
    const after = last_event_time ? readTime(last_event_time) : null;
    const { actor, reply } = ctx;
    const leaveUser = this.enter(actor, ctx.kernel.config.STREAMS_PER_USER);
    const token = /^Bearer (.+)$/i.exec(ctx.headers.authorization ?? '')?.[1] ?? '';
    reply.hijack();
    const out = reply.raw;
    out.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    out.socket?.setNoDelay(true);
    const stream = new Stream(this, actor, token, out);
    this.add(stream, leaveUser);
    out.on('close', () => stream.close());
    const session_id = String(ctx.headers['x-session-id'] ?? ctx.request_id).slice(0, 64);
    stream.write(`retry: 2000\n\n${frame('connection.ok', after ?? this.live.at, { session_id })}`);
    try {
      stream.joined(await this.live.subscribe(stream, after));
    } catch (error) {
      // A stream without a subscription must not stay open. The client reconnects with the last timestamp that it
      // received.
      ctx.kernel.log.error({ err: error, req_id: ctx.request_id }, 'live stream failed');
      stream.close();
    }
  }

  /** Reads the permissions of a stream again, in one statement with the other streams that ask for it. */
  check(stream: Stream): void {
    if (this.unchecked.size === 0) setImmediate(() => void this.checkTogether());
    this.unchecked.add(stream);
  }

  private async checkTogether(): Promise<void> {
    const streams = [...this.unchecked];
    this.unchecked.clear();
    try {
      const actors = await this.gate.bearers(streams.map(({ token }) => token));
      for (const [n, stream] of streams.entries()) stream.setAccess(actors[n] ?? null);
    } catch {
      // Without the database, it is unknown whether the sessions are still open.
      for (const stream of streams) stream.close();
    }
  }

  /** Sends the heartbeats of one slot. They contain the current position, so a client can resume after it. */
  private tick(): void {
    const slot = this.slots[this.ticks++ % SLOTS]!;
    const heartbeat = Buffer.from(frame('heartbeat', this.live.at, {}));
    for (const stream of slot) {
      if (stream.isCurrent) stream.write(heartbeat);
      if (stream.heartbeats++ % CHECK_EVERY === 0) this.check(stream);
    }
  }

  private add(stream: Stream, leaveUser: () => void): void {
    const slot = this.slots[this.nextSlot++ % SLOTS]!;
    slot.add(stream);
    this.places.set(stream, { slot, leaveUser });
    connections.set(this.places.size);
  }

  remove(stream: Stream): void {
    const place = this.places.get(stream);
    place?.slot.delete(stream);
    place?.leaveUser();
    this.places.delete(stream);
    this.unchecked.delete(stream);
    connections.set(this.places.size);
  }

  /** Counts a stream of the user. Returns a function that ends the count. */
  private enter({ real_user_id, user_id, key_id, account_id }: Actor, limit: number): () => void {
    const user = real_user_id ?? user_id ?? key_id ?? account_id;
    const streams = this.byUser.get(user) ?? 0;
    if (streams >= limit) throw new Problem('STREAMS_LIMIT_EXCEEDED', { retry_after: 30 });
    this.byUser.set(user, streams + 1);
    return () => {
      const rest = this.byUser.get(user)! - 1;
      if (rest > 0) this.byUser.set(user, rest);
      else this.byUser.delete(user);
    };
  }

  /** Clients were given a retry delay, so a restart does not make all of them reconnect at once. */
  close(): void {
    clearInterval(this.timer);
    for (const stream of this.places.keys()) stream.close();
  }
}

const frame = (event_type: string, timestamp: string, data: object): string =>
  `data: ${JSON.stringify({ event_type, timestamp, data })}\n\n`;

// A user with a pending step gets no events that need a permission, just as the user cannot call endpoints that need
// one.
const toViewer = ({ user_id, session_id, permissions, pending }: Actor): Viewer => ({
  user_id,
  session_id,
  permissions: pending ? {} : permissions,
});

function readTime(text: string): string {
  const time = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d{1,6})?Z?$/.exec(text);
  const [, day, hour, rest = ''] = time ?? [];
  const date = new Date(`${day}T${hour}Z`);
  // JavaScript silently turns a nonexistent date, such as February 30, into another date.
  if (!time || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 19) !== `${day}T${hour}`)
    throw new Problem('VALUE_INVALID', { field: 'last_event_time' });
  return `${day} ${hour}${rest}`;
}

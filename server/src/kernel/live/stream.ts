/**
 * The live stream over HTTP: one long response of server-sent events. Permissions are checked before every delivery and
 * refreshed at least every ten seconds.
 */

import type { Viewer } from '@parley/contract/event.ts';
import { Problem } from '@parley/contract/problem.ts';
import { sql } from '../db/db.ts';
import type { Ctx } from '../http/endpoint.ts';
import { metrics } from '../metrics.ts';
import type { Actor, Gate } from '../security/auth.ts';
import type { Live, Subscriber } from './live.ts';

const HEARTBEAT_MS = 10_000;
/**
 * A slow reader is disconnected when this many bytes are waiting. It resumes from the last timestamp that it received
 * and misses nothing.
 */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

const connections = metrics.gauge('sse_connections', 'Open live streams');

export class Streams {
  private readonly open = new Set<() => void>();
  private readonly byUser = new Map<string, number>();
  private readonly live: Live;
  private readonly gate: Gate;

  constructor(live: Live, gate: Gate) {
    this.live = live;
    this.gate = gate;
  }

  async serve(ctx: Ctx, last_event_time: string | undefined): Promise<void> {
    const after = last_event_time ? readTime(last_event_time) : null;
    const { actor, reply } = ctx;
    const leaveUser = this.enter(actor, ctx.kernel.config.STREAMS_PER_USER);
    const token = /^Bearer (.+)$/i.exec(ctx.headers.authorization ?? '')?.[1] ?? '';
    let viewer: Viewer | null = toViewer(actor);
    reply.hijack();
    const out = reply.raw;
    out.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    out.socket?.setNoDelay(true);
    // The position of this stream. Heartbeats include it, so a client can resume after the last timestamp that it
    // received.
    let at = '';
    const write = (event_type: string, timestamp: string, seq: number | null, rest: object) => {
      if (out.writableLength > MAX_WAITING_BYTES) return close();
      const id = seq === null ? '' : `id: ${seq}\n`;
      out.write(`${id}data: ${JSON.stringify({ event_type, timestamp, ...rest })}\n\n`);
    };
    let leave: (() => void) | null = null;
    let closed = false;
    const close = () => {
      if (closed) return;
      closed = true;
      clearInterval(timer);
      leave?.();
      this.open.delete(close);
      leaveUser();
      connections.set(this.open.size);
      out.end();
    };
    const check = async () => {
      try {
        const now = await this.gate.bearer(token, { unattended: true });
        if (!now) return close();
        viewer = toViewer(now);
        write('heartbeat', at, null, { data: {} });
      } catch {
        close();
      }
    };
    const timer = setInterval(check, HEARTBEAT_MS);
    out.on('close', close);
    this.open.add(close);
    connections.set(this.open.size);
    out.write('retry: 2000\n\n');
    const session_id = String(ctx.headers['x-session-id'] ?? ctx.request_id).slice(0, 64);
    try {
      const now = await this.position(ctx);
      at = after ?? now;
      write('connection.ok', at, null, { data: { session_id } });
      const subscriber: Subscriber = {
        account_id: actor.account_id,
        viewer: () => viewer,
        send: (event) => {
          at = event.timestamp;
          write(event.event_type, at, event.seq, { modules: event.modules, data: event.data });
          // Changed permissions must take effect before the next event is sent.
          if (event.event_type.startsWith('session.')) void check();
        },
        resync: (present) => {
          at = present;
          write('resync', at, null, { data: {} });
        },
      };
      const unsubscribe = await this.live.subscribe(subscriber, after);
      if (closed) unsubscribe();
      else leave = unsubscribe;
    } catch (error) {
      // A stream without a subscription must not stay open. The client reconnects with the last timestamp that it
      // received.
      ctx.kernel.log.error({ err: error, req_id: ctx.request_id }, 'live stream failed');
      close();
    }
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

  private async position(ctx: Ctx): Promise<string> {
    const { at } = await ctx.tx.one<{ at: string }>(
      sql`select to_char(published_at, 'YYYY-MM-DD HH24:MI:SS.US') as at from event_position`,
    );
    return at;
  }

  /** Clients were given a retry delay, so a restart does not make all of them reconnect at once. */
  close(): void {
    for (const close of this.open) close();
  }
}

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

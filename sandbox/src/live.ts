/**
 * Server-sent events for the page and for tests. Bursts are batched: a listener gets at most a few hundred events per
 * second. A single "resync" event replaces all dropped events and tells the listener to reload. Without listeners,
 * events are discarded.
 */
import type { ServerResponse } from 'node:http';

type LiveEvent =
  | 'message'
  | 'phone'
  | 'mail'
  | 'carrier'
  | 'whatsapp'
  | 'typing'
  | 'bind'
  | 'stats'
  | 'viber'
  | 'resync';

const batchMs = 50;
const maxPerFlush = 40;
const maxBuffered = 1024 * 1024;
const heartbeatMs = 15_000;

export class Live {
  private readonly listeners = new Set<ServerResponse>();
  private readonly pending = new Map<string, { event: LiveEvent; data: () => unknown }>();
  private overflow = false;
  private flushed = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly heartbeat: NodeJS.Timeout;

  constructor() {
    this.heartbeat = setInterval(() => this.writeAll(': here\n\n'), heartbeatMs);
    this.heartbeat.unref();
  }

  get listening(): boolean {
    return this.listeners.size > 0;
  }

  add(response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 1000\n\n');
    this.listeners.add(response);
    response.on('close', () => this.listeners.delete(response));
  }

  /**
   * `key` names the subject of the event. A later event about the same subject replaces an event that has not been
   * written yet.
   */
  publish(event: LiveEvent, key: string, data: () => unknown): void {
    if (this.listeners.size === 0) return;
    const id = `${event} ${key}`;
    if (this.pending.has(id)) this.pending.delete(id);
    else if (this.pending.size >= maxPerFlush) {
      this.overflow = true;
      return;
    }
    this.pending.set(id, { event, data });
    // The first event after a pause is written immediately; the events right after it are batched.
    this.timer ??= setTimeout(() => this.flush(), Math.max(0, this.flushed + batchMs - Date.now()));
  }

  close(): void {
    clearInterval(this.heartbeat);
    clearTimeout(this.timer);
    for (const response of this.listeners) response.end();
  }

  private flush(): void {
    this.timer = undefined;
    this.flushed = Date.now();
    let text = '';
    for (const { event, data } of this.pending.values()) text += frame(event, data());
    if (this.overflow) text += frame('resync', {});
    this.pending.clear();
    this.overflow = false;
    this.writeAll(text);
  }

  private writeAll(text: string): void {
    for (const response of this.listeners) {
      // A listener that does not read is disconnected. It can then reconnect and reload.
      if (response.writableLength > maxBuffered) response.destroy();
      else response.write(text);
    }
  }
}

const frame = (event: LiveEvent, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

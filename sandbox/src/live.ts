// Server-sent events for the page and for tests. Bursts are gathered: a listener gets a few hundred events a second at most, and
// "resync" (read again what you show) in place of what was left out. No listener, no work.
import type { ServerResponse } from 'node:http';

export type LiveEvent =
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

const gatherFor = 50;
const mostPerFlush = 40;
const mostBuffered = 1024 * 1024;
const heartbeat = 15_000;

export class Live {
  #listeners = new Set<ServerResponse>();
  #pending = new Map<string, { event: LiveEvent; data: () => unknown }>();
  #overflow = false;
  #flushed = 0;
  #timer: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout;

  constructor() {
    this.#heartbeat = setInterval(() => this.#writeAll(': here\n\n'), heartbeat);
    this.#heartbeat.unref();
  }

  get listening(): boolean {
    return this.#listeners.size > 0;
  }

  add(response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 1000\n\n');
    this.#listeners.add(response);
    response.on('close', () => this.#listeners.delete(response));
  }

  /** `key` names what the event is about: a later event about the same thing takes the place of one not yet written. */
  tell(event: LiveEvent, key: string, data: () => unknown): void {
    if (this.#listeners.size === 0) return;
    const id = `${event} ${key}`;
    if (this.#pending.has(id)) this.#pending.delete(id);
    else if (this.#pending.size >= mostPerFlush) {
      this.#overflow = true;
      return;
    }
    this.#pending.set(id, { event, data });
    // The first event after a quiet moment leaves at once; those that follow close behind are gathered.
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#flushed + gatherFor - Date.now()));
  }

  close(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    for (const response of this.#listeners) response.end();
  }

  #flush(): void {
    this.#timer = undefined;
    this.#flushed = Date.now();
    let text = '';
    for (const { event, data } of this.#pending.values()) text += frame(event, data());
    if (this.#overflow) text += frame('resync', {});
    this.#pending.clear();
    this.#overflow = false;
    this.#writeAll(text);
  }

  #writeAll(text: string): void {
    for (const response of this.#listeners) {
      // A listener that does not read is cut; it comes back and reads anew.
      if (response.writableLength > mostBuffered) response.destroy();
      else response.write(text);
    }
  }
}

const frame = (event: LiveEvent, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

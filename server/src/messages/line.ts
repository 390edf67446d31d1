/** One line this worker holds: the adapter's line, what it has done lately, and who wants to know when it changes. */
import type { Bind, BindEvents, BindState } from '../channels/channel.ts';
import { adapterOf } from '../channels/index.ts';
import type { ConnectionRow } from './lines.ts';

export class HeldLine {
  readonly connection: ConnectionRow;
  readonly slot: number;
  readonly line: Bind;
  /** As operators last heard; a line nobody has heard of is down. */
  announced = false;
  private sent = 0;
  private counted_at = performance.now();
  private watchers = new Set<() => void>();
  private finish: Promise<void> | null = null;
  private closed = false;

  /** `settings`: those of the connection with its password opened. */
  constructor(connection: ConnectionRow, slot: number, events: Omit<BindEvents, 'changed'>, settings: unknown) {
    this.connection = connection;
    this.slot = slot;
    this.line = adapterOf(connection.adapter).open(
      { ...connection, settings },
      {
        ...events,
        changed: () => {
          for (const watcher of this.watchers) watcher();
        },
      },
    );
  }

  get connection_id(): string {
    return this.connection.id;
  }

  /** One that is being closed is no line any more, though answers may still come over it. */
  get state(): BindState {
    return this.closed ? 'stopped' : this.line.state;
  }

  get up(): boolean {
    return this.state === 'bound' || this.state === 'throttled';
  }

  get open(): boolean {
    return !this.closed;
  }

  watch(watcher: () => void): void {
    this.watchers.add(watcher);
  }

  count(messages: number): void {
    this.sent += messages;
  }

  /** Since the last time it was asked. */
  news(): { sent: number; rate: number } {
    const now = performance.now();
    const seconds = Math.max(0.001, (now - this.counted_at) / 1_000);
    const sent = this.sent;
    this.sent = 0;
    this.counted_at = now;
    return { sent, rate: Math.round(sent / seconds) };
  }

  /** What must have ended before the line counts as given up: the loop that feeds it. */
  whenFed(finish: Promise<void>): void {
    this.finish = finish;
  }

  /** Nothing new is sent; answers under way are waited for and written down. */
  async close(drain_ms: number): Promise<void> {
    this.closed = true;
    for (const watcher of this.watchers) watcher();
    await this.line.close(drain_ms);
    await this.finish;
  }
}

/** A bind that this worker holds: the adapter's bind, its counters, and its watchers. */
import type { Bind, BindEvents, BindState, ConnectionSpec } from '../../channels/channel.ts';
import { getAdapter } from '../../channels/index.ts';
import type { ConnectionRow } from '../model/connection_row.ts';
import type { Pace } from '../queue/pace.ts';

export class HeldBind {
  readonly connection: ConnectionRow;
  readonly slot: number;
  readonly bind: Bind;
  /** The state last reported to operators; a new bind counts as down. */
  announced = false;
  private sent = 0;
  private throttled = 0;
  private pace: Pace | null = null;
  private counted_at = performance.now();
  private watchers = new Set<() => void>();
  private finish: Promise<void> | null = null;
  private closed = false;

  /** `spec` has the connection's settings with its secrets decrypted. */
  constructor(connection: ConnectionRow, slot: number, events: Omit<BindEvents, 'changed'>, spec: ConnectionSpec) {
    this.connection = connection;
    this.slot = slot;
    this.bind = getAdapter(connection.adapter).open(spec, {
      ...events,
      changed: () => {
        for (const watcher of this.watchers) watcher();
      },
    });
  }

  get connection_id(): string {
    return this.connection.id;
  }

  /** A closing bind counts as stopped, although responses may still arrive. */
  get state(): BindState {
    return this.closed ? 'stopped' : this.bind.state;
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

  countSent(messages: number): void {
    this.sent += messages;
  }

  countThrottled(): void {
    this.throttled++;
  }

  /** The bind counts toward the pace until it is closed. */
  joinPace(pace: Pace): void {
    this.pace = pace;
    pace.join(this.bind);
  }

  /** Returns the counts since the last call, and the learned pace. */
  takeCounters(): { sent: number; rate: number; throttled: number; pace: number | null } {
    const now = performance.now();
    const seconds = Math.max(0.001, (now - this.counted_at) / 1_000);
    const { sent, throttled } = this;
    this.sent = 0;
    this.throttled = 0;
    this.counted_at = now;
    return { sent, rate: Math.round(sent / seconds), throttled, pace: this.pace?.learnedPerBind ?? null };
  }

  /** Sets the loop that must end before the bind counts as released. */
  whenDrained(finish: Promise<void>): void {
    this.finish = finish;
  }

  /** Stops sending, then waits until all pending responses are recorded. */
  async close(drain_ms: number): Promise<void> {
    this.closed = true;
    this.pace?.leave(this.bind);
    for (const watcher of this.watchers) watcher();
    await this.bind.close(drain_ms);
    await this.finish;
  }
}

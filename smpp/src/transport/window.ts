/**
 * Limits how many tasks run at once (the SMPP window) and how many start per second, and can be paused. Tasks start in
 * order of arrival. A task occupies its slot until it settles, so the window is never exceeded.
 */

import { SessionError } from './pending.ts';

/**
 * The timer delay that later starts may make up for. The number of starts in one second exceeds the rate by at most the
 * number that fit in this delay.
 */
const CATCH_UP_MS = 20;

type Waiting = { start: () => void; reject: (error: SessionError) => void };

export class Window {
  readonly size: number;
  private readonly interval_ms: number;
  private nextStart = 0;
  private inFlight = 0;
  private queue: Waiting[] = [];
  private head = 0;
  private paused = false;
  private closed = false;
  private timer: NodeJS.Timeout | undefined;

  /** `throughput` is the number of starts per second. Omit for no limit. */
  constructor(size: number, throughput?: number) {
    this.size = Math.max(1, Math.floor(size));
    this.interval_ms = throughput ? 1_000 / throughput : 0;
  }

  get in_flight(): number {
    return this.inFlight;
  }

  get waiting(): number {
    return this.queue.length - this.head;
  }

  /** The number of tasks that would start without queueing for a slot. */
  get free(): number {
    if (this.closed || this.paused) return 0;
    return Math.max(0, this.size - this.inFlight - this.waiting);
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(new SessionError('closed', 'Not bound', false));
    if (this.waiting === 0 && this.claimSlot()) return this.startTask(task);
    const result = new Promise<T>((resolve, reject) => {
      this.queue.push({ start: () => resolve(this.startTask(task)), reject });
    });
    this.pump();
    return result;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.pump();
  }

  /** Rejects all waiting tasks and refuses new ones. */
  close(reason: string): void {
    this.closed = true;
    clearTimeout(this.timer);
    const rejected = this.queue.slice(this.head);
    this.queue = [];
    this.head = 0;
    for (const entry of rejected) entry.reject(new SessionError('closed', reason, false));
  }

  private startTask<T>(task: () => Promise<T>): Promise<T> {
    const result = task();
    const release = () => {
      this.inFlight--;
      this.pump();
    };
    result.then(release, release);
    return result;
  }

  private claimSlot(): boolean {
    if (this.closed || this.paused || this.inFlight >= this.size) return false;
    if (this.interval_ms > 0) {
      const now = performance.now();
      if (now < this.nextStart) return false;
      this.nextStart = Math.max(this.nextStart, now - CATCH_UP_MS) + this.interval_ms;
    }
    this.inFlight++;
    return true;
  }

  private pump(): void {
    while (this.waiting > 0 && this.claimSlot()) {
      const entry = this.queue[this.head++]!;
      if (this.head > 1_000 && this.head * 2 > this.queue.length) {
        this.queue = this.queue.slice(this.head);
        this.head = 0;
      }
      entry.start();
    }
    if (this.interval_ms > 0 && this.waiting > 0 && !this.timer && !this.paused && this.inFlight < this.size) {
      this.timer = setTimeout(
        () => {
          this.timer = undefined;
          this.pump();
        },
        Math.max(1, Math.ceil(this.nextStart - performance.now())),
      );
    }
  }
}

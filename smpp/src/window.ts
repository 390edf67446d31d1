// How much may be under way at once and how fast it may start: slots (the SMPP window), a rate, and pauses. First come, first
// served. A slot is held from start to settlement, so the window can never be exceeded.

import { SessionError } from './pending.ts';

/** Lateness of timers that the rate makes up for; the most a second can exceed the rate by is this share of it. */
const CATCH_UP_MS = 20;

type Waiting = { start: () => void; reject: (error: SessionError) => void };

export class Window {
  readonly size: number;
  #interval_ms: number;
  #nextStart = 0;
  #inFlight = 0;
  #waiting: Waiting[] = [];
  #head = 0;
  #paused = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;

  /** `throughput` in starts per second; none means no limit. */
  constructor(size: number, throughput?: number) {
    this.size = Math.max(1, Math.floor(size));
    this.#interval_ms = throughput ? 1_000 / throughput : 0;
  }

  get in_flight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  /** How many more could be taken on without queueing for a slot. */
  get free(): number {
    if (this.#closed || this.#paused) return 0;
    return Math.max(0, this.size - this.#inFlight - this.waiting);
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new SessionError('closed', 'Not bound', false));
    if (this.waiting === 0 && this.#take()) return this.#start(task);
    const result = new Promise<T>((resolve, reject) => {
      this.#waiting.push({ start: () => resolve(this.#start(task)), reject });
    });
    this.#pump();
    return result;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#pump();
  }

  /** Nothing starts any more; what waited never started. */
  close(why: string): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    const waiting = this.#waiting.slice(this.#head);
    this.#waiting = [];
    this.#head = 0;
    for (const entry of waiting) entry.reject(new SessionError('closed', why, false));
  }

  #start<T>(task: () => Promise<T>): Promise<T> {
    const result = task();
    const release = () => {
      this.#inFlight--;
      this.#pump();
    };
    result.then(release, release);
    return result;
  }

  #take(): boolean {
    if (this.#closed || this.#paused || this.#inFlight >= this.size) return false;
    if (this.#interval_ms > 0) {
      const now = performance.now();
      if (now < this.#nextStart) return false;
      this.#nextStart = Math.max(this.#nextStart, now - CATCH_UP_MS) + this.#interval_ms;
    }
    this.#inFlight++;
    return true;
  }

  #pump(): void {
    while (this.waiting > 0 && this.#take()) {
      const entry = this.#waiting[this.#head++]!;
      if (this.#head > 1_000 && this.#head * 2 > this.#waiting.length) {
        this.#waiting = this.#waiting.slice(this.#head);
        this.#head = 0;
      }
      entry.start();
    }
    if (this.#interval_ms > 0 && this.waiting > 0 && !this.#timer && !this.#paused && this.#inFlight < this.size) {
      this.#timer = setTimeout(
        () => {
          this.#timer = undefined;
          this.#pump();
        },
        Math.max(1, Math.ceil(this.#nextStart - performance.now())),
      );
    }
  }
}

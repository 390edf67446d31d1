// Everything that happens later happens here, on one timer: 100,000 receipts on their way are 100,000 heap entries, not timers.
import { Heap } from './heap.ts';

export class Schedule {
  #heap = new Heap<() => void>();
  #start = Date.now();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #closed = false;

  /** Runs `act` at the time `due`, never in this turn; equal times keep their order. */
  at(due: number, act: () => void): void {
    if (this.#closed) return;
    // The fraction keeps first come first served among equal times.
    this.#count = (this.#count + 1) & 0xfffff;
    this.#heap.push(Math.max(0, due - this.#start) + this.#count / 0x100000, act);
    this.#wake();
  }

  clear(): void {
    this.#heap.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  close(): void {
    this.clear();
    this.#closed = true;
  }

  #wake(): void {
    const lowest = this.#heap.lowest;
    if (lowest >= this.#wakesAt) return;
    clearTimeout(this.#timer);
    this.#wakesAt = lowest;
    const wait = Math.floor(lowest) - (Date.now() - this.#start);
    // setTimeout takes 31 bits and never less than 1 ms.
    this.#timer = setTimeout(() => this.#run(), Math.min(Math.max(wait, 0), 0x7fffffff));
  }

  #run(): void {
    this.#timer = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const now = Date.now() - this.#start + 1;
    while (this.#heap.lowest < now) this.#heap.pop()!();
    if (this.#heap.size > 0 && !this.#closed) this.#wake();
  }
}

import { Heap } from './heap.ts';

/** Runs actions at later times on a single timer: 100,000 pending receipts are heap entries, not timers. */
export class Schedule {
  private readonly heap = new Heap<() => void>();
  private readonly start = Date.now();
  private count = 0;
  private timer: NodeJS.Timeout | undefined;
  private wakesAt = Number.POSITIVE_INFINITY;
  private closed = false;

  /**
   * Runs the action at the time `due`, but never in the current turn. Actions that are due at the same time keep their
   * order.
   */
  at(due: number, action: () => void): void {
    if (this.closed) return;
    // The fraction preserves the order of actions that are due at the same time.
    this.count = (this.count + 1) & 0xfffff;
    this.heap.push(Math.max(0, due - this.start) + this.count / 0x100000, action);
    this.wake();
  }

  clear(): void {
    this.heap.clear();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wakesAt = Number.POSITIVE_INFINITY;
  }

  close(): void {
    this.clear();
    this.closed = true;
  }

  private wake(): void {
    const lowest = this.heap.lowest;
    if (lowest >= this.wakesAt) return;
    clearTimeout(this.timer);
    this.wakesAt = lowest;
    const wait = Math.floor(lowest) - (Date.now() - this.start);
    // The delay passed to setTimeout is limited to 31 bits.
    this.timer = setTimeout(() => this.run(), Math.min(Math.max(wait, 0), 0x7fffffff));
  }

  private run(): void {
    this.timer = undefined;
    this.wakesAt = Number.POSITIVE_INFINITY;
    const now = Date.now() - this.start + 1;
    while (this.heap.lowest < now) this.heap.pop()!();
    if (this.heap.size > 0 && !this.closed) this.wake();
  }
}

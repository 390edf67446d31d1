/** A list ordered by `seq` that grows at one end and shrinks at the other. Lookups stay cheap at 200,000 items. */
export class Sequence<T extends { seq: number }> {
  private items: T[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  get oldest(): T | undefined {
    return this.items[this.head];
  }

  get newest(): T | undefined {
    return this.length > 0 ? this.items.at(-1) : undefined;
  }

  push(item: T): void {
    this.items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.items[this.head++];
    // Array.shift would move every item on each call. Moving them once per doubling is cheap on average.
    if (this.head > 64 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  find(seq: number): T | undefined {
    const item = this.items[this.indexAfter(seq - 1)];
    return item?.seq === seq ? item : undefined;
  }

  /** Returns the items with a higher seq, oldest first. */
  *after(seq: number): Generator<T> {
    for (let at = this.indexAfter(seq); at < this.items.length; at += 1) yield this.items[at]!;
  }

  /** Returns the items with a lower seq, newest first. */
  *before(seq: number): Generator<T> {
    for (let at = this.indexAfter(seq - 1) - 1; at >= this.head; at -= 1) yield this.items[at]!;
  }

  /** Returns the index of the first item with a higher seq. */
  private indexAfter(seq: number): number {
    let low = this.head;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.items[middle]!.seq > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

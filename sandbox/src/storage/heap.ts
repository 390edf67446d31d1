/** A priority queue: `pop` returns the item with the lowest rank. */
export class Heap<T> {
  private ranks: number[] = [];
  private items: T[] = [];

  get size(): number {
    return this.items.length;
  }

  get lowest(): number {
    return this.ranks[0] ?? Number.POSITIVE_INFINITY;
  }

  push(rank: number, item: T): void {
    let at = this.items.length;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.ranks[parent]! <= rank) break;
      this.ranks[at] = this.ranks[parent]!;
      this.items[at] = this.items[parent]!;
      at = parent;
    }
    this.ranks[at] = rank;
    this.items[at] = item;
  }

  pop(): T | undefined {
    const first = this.items[0];
    const rank = this.ranks.pop();
    const item = this.items.pop();
    const size = this.items.length;
    if (rank === undefined || item === undefined || size === 0) return first;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && this.ranks[child + 1]! < this.ranks[child]!) child += 1;
      if (this.ranks[child]! >= rank) break;
      this.ranks[at] = this.ranks[child]!;
      this.items[at] = this.items[child]!;
      at = child;
    }
    this.ranks[at] = rank;
    this.items[at] = item;
    return first;
  }

  clear(): void {
    this.ranks = [];
    this.items = [];
  }
}

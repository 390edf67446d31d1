const maxPairs = 100_000;

/** Limits how fast a number may send to the same person by requiring a minimum pause between messages. */
export class PairLimit {
  private readonly last = new Map<string, number>();

  take(pair: string, pause_ms: number, now = Date.now()): boolean {
    if (pause_ms === 0) return true;
    if (now - (this.last.get(pair) ?? 0) < pause_ms) return false;
    this.last.delete(pair);
    this.last.set(pair, now);
    if (this.last.size > maxPairs) this.last.delete(this.last.keys().next().value!);
    return true;
  }

  clear(): void {
    this.last.clear();
  }
}

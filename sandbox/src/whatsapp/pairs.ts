// The pace between one number and one person: so long from one message to the next.
const most = 100_000;

export class Pairs {
  #last = new Map<string, number>();

  take(pair: string, pause_ms: number, now = Date.now()): boolean {
    if (pause_ms === 0) return true;
    if (now - (this.#last.get(pair) ?? 0) < pause_ms) return false;
    this.#last.delete(pair);
    this.#last.set(pair, now);
    if (this.#last.size > most) this.#last.delete(this.#last.keys().next().value!);
    return true;
  }

  clear(): void {
    this.#last.clear();
  }
}

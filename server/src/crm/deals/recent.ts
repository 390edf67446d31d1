/** Results of calls, shared for a short time by all who ask for the same. Failures are not kept. */
export class Recent<T> {
  private readonly entries = new Map<string, { until: number; result: Promise<T> }>();
  private readonly keep_ms: number;
  private readonly size: number;

  constructor({ keep_ms, size }: { keep_ms: number; size: number }) {
    this.keep_ms = keep_ms;
    this.size = size;
  }

  /** `load` runs at most once at a time for a key. */
  read(key: string, now: number, load: () => Promise<T>): Promise<T> {
    const known = this.entries.get(key);
    if (known && known.until > now) return known.result;
    const result = load();
    this.entries.delete(key);
    this.entries.set(key, { until: now + this.keep_ms, result });
    result.catch(() => {
      if (this.entries.get(key)?.result === result) this.entries.delete(key);
    });
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.size) break;
      this.entries.delete(oldest);
    }
    return result;
  }
}
